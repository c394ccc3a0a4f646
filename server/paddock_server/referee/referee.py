"""The referee of one match: a state machine that asks seats, judges answers and ends the match.

It never waits and never reads a clock. Its driver passes the moment with every event, carries out
the returned commands in order, calls `wake` at `deadline`, and calls `written` when the event of a
Write is durable. Until then nobody hears what the event decides.
"""

from collections.abc import Iterable
from typing import Any

from paddock_games import Step, Timing, write_record
from paddock_games.chance import NO_NONCE, NONCE_BYTES
from paddock_games.game import State
from paddock_server.referee.answers import MALFORMED, Fallback
from paddock_server.referee.clock import Account, Moment
from paddock_server.referee.commands import (
    Ask,
    Command,
    Fault,
    Finish,
    Refuse,
    Reveal,
    Start,
    Write,
)
from paddock_server.referee.ending import match_of, results_of
from paddock_server.referee.events import Dealt, Event, Stepped
from paddock_server.referee.opening import Opening, ask_id
from paddock_server.referee.seat import Chair, Open


class Referee:
    """One match from its opening to its record."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.chairs = [
            Chair(Account(opening.clock, opening.clock.bank), sends)
            for sends in opening.sends_nonces
        ]
        self.state: State | None = None  # None: not dealt yet
        self.steps: list[Step] = []
        self.over = False
        self._nonces_until: float | None = None
        self._writing: Event | None = None

    # --- events -----------------------------------------------------------------------------

    def open(self, now: Moment) -> list[Command]:
        """Begin: tell the seats, and wait for their part of the deal."""
        self._nonces_until = now.fair + self.opening.clock.nonce_wait
        starts: list[Command] = [Start(seat) for seat in range(len(self.chairs))]
        return starts + self._deal_if_ready(now)

    def resume(self, events: Iterable[Event], now: Moment) -> list[Command]:
        """Resume the match from its stored events after a restart; no seat is charged for it."""
        for event in events:
            self._apply(event)
        for chair in self.chairs:
            chair.connected = False
            chair.awaited = True
        self._nonces_until = now.fair + self.opening.clock.return_wait
        return self._ask_all(now) if self.state is not None else self._deal_if_ready(now)

    def nonce(self, seat: int, nonce: bytes, now: Moment) -> list[Command]:
        """A seat's nonce; one that is late or repeated changes nothing."""
        chair = self.chairs[seat]
        if self.state is None and chair.nonce is None and len(nonce) == NONCE_BYTES:
            chair.nonce = nonce
        return self._deal_if_ready(now)

    def choice(self, seat: int, asked: int, answer: Any, now: Moment, lag: float) -> list[Command]:
        """An answer: the number of a legal choice, a choice, a Fallback, or MALFORMED."""
        chair = self.chairs[seat]
        ask = chair.ask
        if ask is None or ask.ask_id != asked:
            if asked in chair.answered:
                return []  # the answer is repeated
            return [Refuse(seat, asked, "choice/stale", "this ask is over; nothing was charged")]
        if ask.deadline <= now.fair:  # the deadline decides, even if the answer is handled first
            late = Refuse(seat, asked, "choice/stale", "this ask was over; the referee has chosen")
            return [*self._default(seat, now), *self._close_if_complete(), late]
        legal = ask.legal
        if answer is MALFORMED:
            ask.wrong = ask.wrong or "MALFORMED"
            sentence = "the answer names neither a number nor a choice; send one of them"
            return [Refuse(seat, asked, "choice/malformed", sentence)]
        fallback = None
        if isinstance(answer, Fallback):
            assert self.state is not None
            number, fallback = legal.index(self.state.default(seat)), answer.reason
        elif isinstance(answer, int) and 0 <= answer < len(legal):
            number = answer
        elif answer in legal:
            number = legal.index(answer)
        else:
            ask.wrong = "ILLEGAL"
            sentence = f"{answer} is not one of the {len(legal)} legal choices; choose one of them"
            return [Refuse(seat, asked, "choice/illegal", sentence)]
        self._take(chair, number, now, lag, fallback=fallback)
        return self._close_if_complete()

    def resign(self, seat: int, now: Moment) -> list[Command]:
        """A seat resigns: the referee plays it to the end, and it ranks last."""
        chair = self.chairs[seat]
        if self.over or chair.forfeit:
            return []
        chair.forfeit = "RESIGNED"
        commands: list[Command] = [Fault(seat, "RESIGNED", forfeits=True)]
        if chair.ask is not None:
            commands += self._default(seat, now)
        return commands + self._close_if_complete()

    def lost(self, seat: int) -> None:
        """A seat's connection is gone: its time runs on, and it may come back."""
        self.chairs[seat].connected = False
        self.release(seat)

    def back(self, seat: int, now: Moment) -> list[Command]:
        """A seat is connected (again): it hears of its match and its open ask."""
        chair = self.chairs[seat]
        chair.connected = True
        self.release(seat)
        if self.over:
            return []
        commands: list[Command] = [Start(seat)]
        if chair.awaited:
            chair.awaited = False
            if chair.ask is not None:  # its time begins now
                self._ask(seat, now)
        if chair.ask is not None:
            commands.append(self._ask_command(seat, now))
        return commands

    def stranded(self, seat: int, now: Moment) -> None:
        """A seat is cut off without a fault of its bot: wait for it, as after a restart."""
        chair = self.chairs[seat]
        chair.connected = False
        chair.awaited = True
        if chair.ask is not None:
            self._ask(seat, now)

    def hold(self, seat: int) -> None:
        """Do not judge a seat whose time is over while its connection is being checked."""
        ask = self.chairs[seat].ask
        if ask is not None:
            ask.held = True

    def release(self, seat: int) -> None:
        """Judge a seat again."""
        ask = self.chairs[seat].ask
        if ask is not None:
            ask.held = False

    def wake(self, now: Moment) -> list[Command]:
        """Choose for the seats whose time is over, or deal without the missing nonces."""
        if self.state is None:
            return self._deal_if_ready(now)
        commands: list[Command] = []
        for seat in self.overdue(now):
            commands += self._default(seat, now)
        return commands + self._close_if_complete()

    def written(self, now: Moment) -> list[Command]:
        """The event of the last Write is durable: apply it, and tell everybody."""
        event, self._writing = self._writing, None
        assert event is not None
        commands: list[Command] = []
        self._apply(event)
        if isinstance(event, Stepped):
            assert self.state is not None
            commands.append(Reveal(event.step, self.steps[-1], self.state))
        return commands + self._ask_all(now)

    @property
    def deadline(self) -> float | None:
        """The fair moment of the next `wake`; None: there is no deadline."""
        if self.over or self._writing is not None:
            return None
        if self.state is None:
            return self._nonces_until
        asks = [chair.ask for chair in self.chairs if chair.ask is not None]
        return min((ask.deadline for ask in asks if not ask.held), default=None)

    def overdue(self, now: Moment) -> list[int]:
        """The seats whose time is over, without those that are held."""
        return [
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.ask is not None and chair.ask.deadline <= now.fair and not chair.ask.held
        ]

    def wants_nonce(self, seat: int) -> bool:
        """Whether the nonce of a seat is still missing."""
        return self.state is None and self.chairs[seat].nonce is None

    def has_answered(self, seat: int, asked: int) -> bool:
        """Whether a seat's answer to this ask was taken."""
        return asked in self.chairs[seat].answered

    def moment_after(self, seat: int, took: float) -> Moment | None:
        """The moment `took` seconds after a seat was asked; None: it has no open ask."""
        ask = self.chairs[seat].ask
        return None if ask is None else Moment(ask.asked.at + took, ask.asked.fair + took)

    @property
    def nonces(self) -> tuple[str, ...]:
        """The nonces of the seats, as hexadecimal text."""
        return tuple((chair.nonce or NO_NONCE).hex() for chair in self.chairs)

    @property
    def end(self) -> State:
        """The last state of a match that is over."""
        assert self.over
        assert self.state is not None
        return self.state

    @property
    def forfeited(self) -> frozenset[int]:
        """The seats that forfeited."""
        return frozenset(seat for seat, chair in enumerate(self.chairs) if chair.forfeit)

    # --- the deal ---------------------------------------------------------------------------

    def _deal_if_ready(self, now: Moment) -> list[Command]:
        if self.state is not None or self._writing is not None or self._nonces_until is None:
            return []
        missing = any(chair.sends_nonces and chair.nonce is None for chair in self.chairs)
        if missing and now.fair < self._nonces_until:
            return []
        nonces = [
            (chair.nonce or seated.nonce).hex()
            for chair, seated in zip(self.chairs, self.opening.match.seats, strict=True)
        ]
        return self._write(Dealt(nonces))

    # --- asking -----------------------------------------------------------------------------

    def _ask_all(self, now: Moment) -> list[Command]:
        """Ask every seat to move; the referee chooses for seats that forfeited."""
        assert self.state is not None
        seats = self.state.to_move
        if not seats:
            return self._finish()
        commands: list[Command] = []
        for seat in seats:
            chair = self.chairs[seat]
            if chair.forfeit:
                chair.choice = self.state.default(seat)
                chair.number = self.state.legal(seat).index(chair.choice)
                chair.timing = Timing(fault=chair.forfeit)
            else:
                self._ask(seat, now)
                if chair.connected:
                    commands.append(self._ask_command(seat, now))
        return commands + self._close_if_complete()

    def _ask(self, seat: int, now: Moment) -> None:
        chair = self.chairs[seat]
        wait = self.opening.clock.return_wait if chair.awaited else 0.0
        deadline = wait + chair.account.deadline(now, self.opening.clock.lag_allowance)
        asked = ask_id(self.opening.number, len(self.steps), seat)
        assert self.state is not None
        chair.ask = Open(asked, now, deadline, self.state.legal(seat))

    def _ask_command(self, seat: int, now: Moment) -> Ask:
        chair = self.chairs[seat]
        assert self.state is not None
        assert chair.ask is not None
        left = chair.account.left(chair.ask.asked, now)
        over = max(0.0, now.fair - chair.ask.asked.fair - self.opening.clock.base)
        bank = max(0.0, chair.account.bank - over)
        return Ask(
            seat=seat,
            ask_id=chair.ask.ask_id,
            state=self.state,
            legal=chair.ask.legal,
            time_left=left,
            bank=bank,
        )

    # --- answers ----------------------------------------------------------------------------

    def _take(
        self,
        chair: Chair,
        number: int,
        now: Moment,
        lag: float,
        *,
        fault: str | None = None,
        fallback: str | None = None,
    ) -> None:
        assert chair.ask is not None
        spent = chair.account.spend(chair.ask.asked, now, lag)
        total, lag_ms = round(spent.total * 1000, 3), round(spent.lag * 1000, 3)
        chair.timing = Timing(total, lag_ms, fault, round(spent.charge * 1000, 3), fallback)
        chair.choice = chair.ask.legal[number]
        chair.number = number
        if fault is None:
            chair.answered.add(chair.ask.ask_id)
            chair.faults_in_a_row = 0
        chair.ask = None

    def _default(self, seat: int, now: Moment) -> list[Command]:
        """The referee chooses for a seat, and notes why."""
        chair = self.chairs[seat]
        assert self.state is not None
        assert chair.ask is not None
        resigned = chair.forfeit
        fault = resigned or chair.ask.wrong or ("TIMEOUT" if chair.connected else "DISCONNECTED")
        chair.awaited = False
        number = chair.ask.legal.index(self.state.default(seat))
        self._take(chair, number, now, 0.0, fault=fault)
        chair.faults_in_a_row += 1
        if resigned:
            return []
        if chair.faults_in_a_row >= self.opening.clock.max_faults:
            chair.forfeit = fault
        return [Fault(seat, fault, forfeits=chair.forfeit is not None)]

    # --- steps ------------------------------------------------------------------------------

    def _close_if_complete(self) -> list[Command]:
        if self.state is None or self.over or self._writing is not None:
            return []
        choices, timings = [], []
        for seat in self.state.to_move:
            chair = self.chairs[seat]
            if chair.timing is None:  # it has not chosen yet
                return []
            choices.append(chair.number)
            timings.append(chair.timing)
        return self._write(
            Stepped(
                step=len(self.steps),
                choices=choices,
                timings=timings,
                banks=[round(chair.account.bank, 4) for chair in self.chairs],
                in_a_row=[chair.faults_in_a_row for chair in self.chairs],
                forfeits=[chair.forfeit for chair in self.chairs],
            )
        )

    def _write(self, event: Event) -> list[Command]:
        self._writing = event
        return [Write(event)]

    def _apply(self, event: Event) -> None:
        """Apply a durable event; after a restart the same events restore the state."""
        if isinstance(event, Dealt):
            for chair, nonce in zip(self.chairs, event.nonces, strict=True):
                chair.nonce = bytes.fromhex(nonce)
            self.state = match_of(self.opening, self.chairs, ()).start()
            return
        assert self.state is not None
        seats = self.state.to_move
        choices = {}
        for seat, number in zip(seats, event.choices, strict=True):
            known = self.chairs[seat].choice
            choices[seat] = self.state.legal(seat)[number] if known is None else known
        self.steps.append(Step(self.state, choices, dict(zip(seats, event.timings, strict=True))))
        self.state = self.state.step(choices)
        for seat, timing in zip(seats, event.timings, strict=True):
            self.chairs[seat].faults += timing.fault is not None
            self.chairs[seat].fallbacks += timing.fallback is not None
        for seat, chair in enumerate(self.chairs):
            chair.ask = chair.choice = chair.timing = None
            chair.account.bank = event.banks[seat]
            chair.faults_in_a_row = event.in_a_row[seat]
            chair.forfeit = chair.forfeit or event.forfeits[seat]

    def _finish(self) -> list[Command]:
        self.over = True
        match = match_of(self.opening, self.chairs, self.steps)
        record = write_record(match, self.steps, self.state)
        results = results_of(match, self.chairs, record["totals"], record["ranks"])
        return [Finish(record, results)]
