"""A match between the bot and house bots, one step of the script at a time."""

import secrets
from collections.abc import Mapping
from enum import Enum, auto
from random import Random
from types import MappingProxyType
from typing import Any, Final

from paddock_games import Match, PlayedMatch, Seated, Step, format_named, game_of
from paddock_games.chance import NO_NONCE, NONCE_BYTES, SEED_BYTES
from paddock_games.game import Timing
from paddock_server.basics.identity import new_match_id
from paddock_server.checking.program import NAME
from paddock_server.checking.report import Failed
from paddock_server.checking.stage import Asked, Stage
from paddock_server.checking.stream import Stream
from paddock_server.referee.asks import ask_id
from paddock_server.referee.clock import Account, Clock, Moment
from paddock_server.referee.commands import Ask
from paddock_server.referee.result import results_of
from paddock_server.wire import items

_HOUSE: Final = "random"
_VARIATIONS: Final = 40  # that are tried for an ask that differs
_MORE_SECONDS: Final = 2.0  # to wait for a late answer, to report how late it is


class Late(Failed):
    """Raised when an answer does not come in time."""


class Change(Enum):
    """The difference for a bot when an ask comes again."""

    NOTHING = auto()
    VIEW = auto()
    ANSWER = auto()  # the view, and the number of its last answer is not legal any more


class ScriptedTable:
    """A scripted match: `begin`, then `ask`, `answer` and `step` while it is `open`, then `end`."""

    def __init__(self, stage: Stage, format_name: str, clock: Clock) -> None:
        self.number = next(stage.numbers)
        size = format_named(format_name).usual_seats
        self.seat = self.number % size
        seats = [Seated(f"house-{_HOUSE}", "1", "paddock", NO_NONCE)] * size
        seats[self.seat] = Seated(NAME, "1", NAME, NO_NONCE)
        game = game_of(format_name)
        seed = secrets.token_bytes(SEED_BYTES)
        self.match = Match(new_match_id(), format_name, game.rules(None), seats, seed)
        self.asks = 0
        self.slowest = 0.0  # seconds
        self._brain = game.brains[_HOUSE]
        self._rng = Random()
        self._dice = secrets.token_bytes(items.DICE_BYTES)
        self._stage = stage
        self._clock = clock
        self._account = Account(clock, clock.bank)
        self._state: Any = None
        self._steps: list[Step] = []
        self._asked: Moment | None = None  # when the open ask was first sent

    @property
    def open(self) -> bool:
        """Whether the bot is to move."""
        return self.seat in self._state.to_move

    @property
    def ask_id(self) -> int:
        """The id of the present ask."""
        return ask_id(self.number, len(self._steps), self.seat)

    def started(self) -> bytes:
        """The MatchStarted item."""
        return items.started(self.match, self.seat, self._clock, self._dice)

    async def begin(self, stream: Stream) -> None:
        """Send MatchStarted, wait for the nonce if the bot sends nonces, and deal."""
        stream.say(self.started())
        if stream.hello is not None and stream.hello.sends_nonces:
            await self.take_nonce(stream)
        self.deal(stream)

    def deal(self, stream: Stream) -> None:
        """Deal, and play until the bot is to move."""
        self._state = self.match.start()
        self._others_move(stream)

    async def take_nonce(self, stream: Stream) -> None:
        """Wait for the nonce of the bot's seat, which becomes part of the deal."""
        wait = self._clock.nonce_wait
        match_id = self.match.id
        if not await self._stage.nonce_in_time(stream, lambda: match_id in stream.nonces, wait):
            raise Failed(f"its Hello says sends_nonces, but no nonce came within {wait:g} s")
        nonce = stream.nonces[match_id]
        if len(nonce) != NONCE_BYTES:
            raise Failed(f"its nonce has {len(nonce)} bytes; send {NONCE_BYTES}")
        seats = list(self.match.seats)
        seats[self.seat] = seats[self.seat]._replace(nonce=nonce)
        self.match = self.match._replace(seats=seats)

    def check_nonce(self, stream: Stream) -> None:
        """Raise Failed where the bot sent another nonce on a later stream."""
        if stream.nonces.get(self.match.id, self._nonce) != self._nonce:
            raise Failed(
                "it sent another nonce when MatchStarted was repeated; repeat the first nonce"
            )

    @property
    def _nonce(self) -> bytes:
        return self.match.seats[self.seat].nonce

    def ask(self, number: int | None = None) -> bytes:
        """The Ask item with the time that is left; `number` replaces its id."""
        now = self._stage.time.now()
        if self._asked is None:
            self._asked = now
            self.asks += 1
        legal = self._state.legal(self.seat)
        asked = self.ask_id if number is None else number
        self._stage.asked[asked] = Asked(self.match.game.name, legal)
        left = self._account.left(self._asked, now)
        over = max(0.0, now.since(self._asked) - self._clock.base)
        bank = max(0.0, self._account.bank - over)
        command = Ask(
            seat=self.seat,
            ask_id=asked,
            state=self._state,
            legal=self._state.legal(self.seat),
            time_left=left,
            bank=bank,
        )
        return items.ask(self.match, command, items.table(self.match, self._state))

    async def answer(self, stream: Stream, before: int = 0) -> Any:
        """The choice of the bot, of the answers to the ask the one that follows `before` others;
        raises Late or Failed where it did not choose in time."""
        asked, began = self.ask_id, self._asked or self._stage.time.now()
        had = self._account.deadline(began, self._clock.lag_allowance) - began.fair
        gone = self._stage.time.now().since(began)
        came = await stream.until(
            lambda: len(stream.answers.get(asked, ())) > before or self.match.id in stream.resigned,
            max(0.0, had - gone) + _MORE_SECONDS,
        )
        label = f"ask {asked} ({self.match.format})"
        if self.match.id in stream.resigned:
            raise Failed(f"it resigned its match of {self.match.format}")
        if not came:
            raise Late(f"it had {had:.2f} s for {label}, and did not answer")
        answer = stream.answers[asked][before]
        took = answer.at.since(began)
        self.slowest = max(self.slowest, took)
        kept = self._stage.time.kept_since(began) if took > self._clock.base else 0.0
        if took - kept > had:
            raise Late(f"it had {had:.2f} s for {label}, and took {took:.2f} s")
        self._account.spend(began, answer.at, 0.0, kept)
        return answer.choice

    def step(self, stream: Stream, choice: Any) -> None:
        """Apply the bot's choice, and play on until the bot is to move again or all is over."""
        self._asked = None
        self._step(stream, {self.seat: choice})
        self._others_move(stream)

    def overrule(self, stream: Stream) -> None:
        """Apply the default choice instead of the bot's, as after an answer that does not count."""
        self._asked = None
        fault = {self.seat: Timing(fault="ILLEGAL")}
        self._step(stream, {self.seat: self._state.default(self.seat)}, fault)
        self._others_move(stream)

    def vary(self, answered: Any) -> Change:
        """Let the others have chosen differently in the step before, as a referee does that lost
        it: the bot's last answer is no longer legal then, if that can be had."""
        if not self._steps:
            return Change.NOTHING
        before, legal = self._steps[-1], self._state.legal(self.seat)
        number, view = legal.index(answered), self._state.view(self.seat)
        found: list[tuple[bool, bool, int, Step, Any]] = []
        for _ in range(_VARIATIONS):
            choices = {
                seat: choice if seat == self.seat else self._house_choice(before.state, seat)
                for seat, choice in before.choices.items()
            }
            state = before.state.step(choices)
            if self.seat in state.to_move and state.view(self.seat) != view:
                other = state.legal(self.seat)
                worth = len(other) > number, answered in other, len(found)
                found.append((*worth, before._replace(choices=choices), state))
        if not found:
            return Change.NOTHING
        still_legal, *_, self._steps[-1], self._state = min(found, key=lambda each: each[:3])
        self._asked = None
        return Change.VIEW if still_legal else Change.ANSWER

    def play_out(self, stream: Stream) -> None:
        """Play the match to its end without the bot, as after a forfeit."""
        while self._state.to_move:
            self._step(stream, {})
        self.end(stream)

    def _others_move(self, stream: Stream) -> None:
        while self._state.to_move and not self.open:
            self._step(stream, {})

    def _step(
        self,
        stream: Stream,
        chosen: Mapping[int, Any],
        timings: Mapping[int, Timing] = MappingProxyType({}),
    ) -> None:
        choices = {
            seat: chosen[seat] if seat in chosen else self._house_choice(self._state, seat)
            for seat in self._state.to_move
        }
        step = Step(self._state, choices, timings)
        stream.say(items.happened(self.match, len(self._steps), step))
        self._steps.append(step)
        self._state = self._state.step(choices)

    def _house_choice(self, state: Any, seat: int) -> Any:
        return self._brain(state.view(seat), self._rng)

    def end(self, stream: Stream) -> None:
        """Send MatchEnded."""
        played = PlayedMatch(self.match, self._steps, self._state)
        stream.say(items.ended(items.MatchEnd(played, results_of(played))))

    async def play(self, stream: Stream) -> None:
        """Play a whole match without trouble."""
        await self.begin(stream)
        await self.play_on(stream)

    async def play_on(self, stream: Stream) -> None:
        """Play what is left of the match without trouble."""
        while self.open:
            stream.say(self.ask())
            self.step(stream, await self.answer(stream))
        self.end(stream)
