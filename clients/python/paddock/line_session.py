"""The session of a program that plays by lines of JSON."""

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from paddock import lines
from paddock.ask import Ask, read_ask, seen
from paddock.dice import match_seed, own_secret
from paddock.ending import log_end
from paddock.fallback import fallback
from paddock.lines import Garbage
from paddock.match import Match, Refusal, read_event, read_match, read_result
from paddock.part import Part
from paddock.session import Session
from paddock.v1 import arena_pb2
from paddock_wire import Json, Unreadable

log = logging.getLogger("paddock")

STRAY_S: Final = 0.2  # at least, to wait for an answer after a line that is not one


@dataclass
class Asked:
    """An ask that the bot was shown."""

    ask: Ask
    view: bytes  # as the referee sent it
    due: float  # when its time without the bank is over
    open: bool = True  # whether it still wants an answer, as far as is known here
    answer: arena_pb2.Choice | None = None  # what was sent
    stray: bool = False  # whether the bot sent a line that is not an answer


class LineSession(Session):
    """A session whose bot gets lines by `say`, and whose lines go to `hear`."""

    def __init__(self, hello: arena_pb2.Hello, say: Callable[[Json], None]) -> None:
        super().__init__(hello)
        self._secret = own_secret()
        self._say = say
        self._matches: dict[str, tuple[Match, Part]] = {}
        self._asks: dict[int, Asked] = {}  # the open ones and some that were, the oldest first
        self._most_asks = 8 * hello.max_matches + 64
        self._strayed = False  # whether a line that is not an answer was logged

    # --- from the referee -------------------------------------------------------------------

    def _welcome(self, welcome: arena_pb2.Welcome) -> None:
        super()._welcome(welcome)
        for asked in self._asks.values():
            asked.open = False  # the server repeats those that are still open

    def _known(self) -> Collection[str]:
        return self._matches

    def _forget(self, match_id: str) -> None:
        del self._matches[match_id]

    def _part(self, match_id: str) -> Part | None:
        return self._matches[match_id][1] if match_id in self._matches else None

    def _match_started(self, message: arena_pb2.MatchStarted) -> None:
        if message.match_id not in self._matches:
            match = read_match(message)
            self._matches[match.id] = match, Part(match.id, match.seat)
            names = ", ".join(seat.bot for seat in match.seats)
            log.info(
                "match started: %s, %s, seat %d of %s", match.id, match.format, match.seat, names
            )
            self._say(lines.started(match, match_seed(self._secret, match.dice, match.seat)))
        self._send_part(self._matches[message.match_id][1], message)

    def _ask(self, message: arena_pb2.Ask) -> None:
        asked = self._asks.get(message.ask_id)
        view = seen(message)
        if asked is None or asked.view != view:  # with another view it is another ask
            match = self._match(message.match_id)
            self._close_asks_of(match)
            due = asyncio.get_running_loop().time() + message.time_ms / 1000
            self._asks[message.ask_id] = asked = Asked(read_ask(message, match), view, due)
            self._say(lines.ask(asked.ask))
            closed = [ask_id for ask_id, shown in self._asks.items() if not shown.open]
            for ask_id in closed[: max(0, len(self._asks) - self._most_asks)]:
                del self._asks[ask_id]
        elif asked.answer is None:
            asked.open = True
        else:
            self._send(arena_pb2.BotItem(choice=asked.answer))

    def _happened(self, message: arena_pb2.Happened) -> None:
        match = self._match(message.match_id)
        self._close_asks_of(match)
        self._say(lines.happened(match, read_event(message, match)))

    def _refused(self, message: arena_pb2.Refused) -> None:
        refusal = Refusal(message.ask_id, message.reason, message.sentence)
        log.warning("answer refused: ask %d: %s: %s", *refusal)
        asked = self._asks.get(message.ask_id)
        self._say(lines.refused(asked.ask.match if asked else None, refusal))

    def _match_ended(self, message: arena_pb2.MatchEnded) -> None:
        match = self._match(message.match_id)
        _, part = self._matches.pop(match.id)
        self._close_asks_of(match)
        result = read_result(message, match)
        log_end(match, result, part)
        self._say(lines.ended(result))

    def _match(self, match_id: str) -> Match:
        if match_id not in self._matches:
            raise Unreadable(f"match {match_id} is unknown")
        return self._matches[match_id][0]

    def _close_asks_of(self, match: Match) -> None:
        for asked in self._asks.values():
            if asked.ask.match.id == match.id:
                asked.open = False

    # --- from the bot -----------------------------------------------------------------------

    def hear(self, line: bytes) -> None:
        """Handle a line of the bot."""
        if not line.strip():
            return
        try:
            self._answer(lines.read_answer(line))
        except Garbage as problem:
            sentence = f"this line {problem}: {lines.shown(line)}"
            asked = self._asks.get(problem.ask_id or 0)
            if asked is None:
                self._stray(sentence)
            elif asked.answer is None:
                self._refuse(asked, "choice/malformed", sentence)

    def abandon(self, why: str) -> None:
        """Answer the open asks with fallbacks, because the bot is gone."""
        for asked in self._asks.values():
            if asked.open:
                self._fall_back(asked, why)

    def _answer(self, answer: lines.Answer) -> None:
        if answer.ask_id is None:
            asked = self._oldest_open()
            if asked is None:
                raise Garbage("answers nothing, because no ask is open")
        else:
            asked = self._asks.get(answer.ask_id)
            if asked is None:
                raise Garbage(f"answers ask {answer.ask_id}, which is not a recent ask")
        message, is_legal = lines.message(asked.ask, answer)
        if asked.answer is not None:
            log.info("answer ignored: ask %d was answered before: %s", asked.ask.id, answer.said)
        elif is_legal:
            self._send_answer(asked, message)
        else:
            sentence = f"{answer.said} is not one of the {len(asked.ask.legal)} legal choices"
            self._refuse(asked, "choice/illegal", sentence)

    def _oldest_open(self) -> Asked | None:
        return next((asked for asked in self._asks.values() if asked.open), None)

    def _send_answer(self, asked: Asked, message: arena_pb2.Choice) -> None:
        asked.answer, asked.open = message, False
        self._send(arena_pb2.BotItem(choice=message))

    def _fall_back(self, asked: Asked, why: str) -> None:
        """Answer with the default, and log the reason."""
        ask = asked.ask
        where = f"match {ask.match.id}, ask {ask.id}"
        log.error("fallback: %s: %s; %s is played instead", where, why, ask.default)
        self._send_answer(asked, fallback(ask, why))

    def _refuse(self, asked: Asked, reason: str, sentence: str) -> None:
        """Send a fallback instead of a bad answer, and a `refused` line to the bot."""
        self._fall_back(asked, sentence)
        refusal = Refusal(asked.ask.id, reason, f"{sentence}; the default choice is played instead")
        self._say(lines.refused(asked.ask.match, refusal))

    def _stray(self, sentence: str) -> None:
        """Log a line that is not an answer; it counts as a bad one if no answer follows in time."""
        if not self._strayed:
            self._strayed = True
            log.warning(
                "not an answer: %s; print debug output on stderr. Other such lines are not shown",
                sentence,
            )
        asked = self._oldest_open()
        if asked is None or asked.stray:
            return
        asked.stray = True
        loop = asyncio.get_running_loop()
        wait_s = max(STRAY_S, asked.due - loop.time())
        loop.call_later(wait_s, self._give_up_on, asked, sentence)

    def _give_up_on(self, asked: Asked, sentence: str) -> None:
        if asked.open:
            self._refuse(asked, "choice/malformed", f"no answer came, only {sentence}")
