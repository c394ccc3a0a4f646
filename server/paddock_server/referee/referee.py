"""The referee of one match: a state machine that asks seats, judges answers and ends the match.

It never waits and never reads a clock. Its driver passes the moment with every event, carries out
the returned commands in order, calls `wake` at `deadline`, and calls `written` when the event of a
Write is durable. Until then nobody hears what the event decides.
"""

from collections.abc import Iterable

from paddock_games import PlayedMatch, Step
from paddock_games.game import State
from paddock_server.referee.answers import MALFORMED, Answer, Wrong, judge
from paddock_server.referee.asks import Trail, ask_id
from paddock_server.referee.clock import Account, Moment
from paddock_server.referee.commands import (
    Ask,
    Command,
    Fault,
    Finish,
    Refuse,
    Reveal,
    Start,
    TellDigests,
    Write,
)
from paddock_server.referee.dealing import Dealing
from paddock_server.referee.ending import match_of
from paddock_server.referee.events import Committed, Dealt, Event, Stepped
from paddock_server.referee.opening import Opening
from paddock_server.referee.result import results_of
from paddock_server.referee.seat import Chair, Open
from paddock_server.referee.stepping import closed, settle, step_of


class Referee:
    """The referee of one match, from its opening to its record."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.chairs = [
            Chair(Account(opening.clock, opening.clock.bank)) for _ in opening.match.seats
        ]
        self.dealing = Dealing(opening)
        self.state: State | None = None  # None: not dealt yet
        self.steps: list[Step] = []
        self.over = False
        self._trail = Trail(opening.match)
        self._writing: Event | None = None

    # --- events -----------------------------------------------------------------------------

    def open(self, now: Moment) -> list[Command]:
        """Begin: tell the seats, and wait for their part of the deal."""
        self.dealing.until = now.fair + self.opening.clock.nonce_wait
        starts: list[Command] = [Start(seat) for seat in range(len(self.chairs))]
        return starts + self._deal_if_ready(now)

    def resume(self, events: Iterable[Event], now: Moment) -> list[Command]:
        """Resume the match from its stored events after a restart; no seat is charged for it."""
        for event in events:
            self._apply(event)
        for chair in self.chairs:
            chair.connected = False
            chair.awaited = True
        self.dealing.until = now.fair + self.opening.clock.return_wait
        return self._ask_all(now) if self.state is not None else self._deal_if_ready(now)

    def digest(self, seat: int, digest: bytes, now: Moment) -> list[Command]:
        """The digest of a seat's nonce."""
        self.dealing.digest(seat, digest)
        return self._deal_if_ready(now)

    def nonce(self, seat: int, nonce: bytes, now: Moment) -> list[Command]:
        """A seat's nonce."""
        self.dealing.nonce(seat, nonce)
        return self._deal_if_ready(now)

    def choice(
        self,
        seat: int,
        asked: int,
        answer: Answer,
        now: Moment,
        lag: float,
        *,
        host_delay: float = 0.0,
    ) -> list[Command]:
        """An answer to an ask arrived."""
        chair = self.chairs[seat]
        ask = chair.ask
        if ask is None or ask.ask_id != asked:
            if asked in chair.answered:
                return []  # the answer is repeated
            return [Refuse(seat, asked, "choice/stale", "this ask is over; nothing was charged")]
        if host_delay:
            chair.allow(host_delay)
        if ask.deadline <= now.fair:  # the deadline decides, even if the answer is handled first
            late = Refuse(seat, asked, "choice/stale", "this ask was over; the referee has chosen")
            return [*self._default(seat, now), *self._close_if_complete(), late]
        if isinstance(answer, int) and 0 <= answer < len(ask.legal):  # nearly every answer
            chair.take(answer, now, lag, host_delay=host_delay)
            return self._close_if_complete()
        assert self.state is not None
        judged = judge(answer, ask.legal, self.state, seat)
        if isinstance(judged, Wrong):
            # An answer that can't be read says less than one against the rules.
            ask.wrong = judged.fault if answer is not MALFORMED else ask.wrong or judged.fault
            return [Refuse(seat, asked, judged.reason, judged.sentence)]
        chair.take(judged.number, now, lag, judged.fallback, host_delay=host_delay)
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
        self.chairs[seat].release()

    def back(self, seat: int, now: Moment) -> list[Command]:
        """A seat is connected (again): it hears of its match and its open ask."""
        chair = self.chairs[seat]
        chair.connected = True
        chair.release()
        if self.over:
            return []
        commands: list[Command] = [Start(seat)]
        if digests := self.dealing.public_digests:
            commands.append(TellDigests(seat, digests))
        awaited, chair.awaited = chair.awaited, False
        if chair.ask is not None:
            if awaited:  # its time begins now
                chair.ask = Open(chair.ask.ask_id, now, self._deadline(chair, now), chair.ask.legal)
            chair.ask.again = now
            commands.append(self._ask_again(seat, now))
        return commands

    def stranded(self, seat: int, now: Moment) -> None:
        """A seat is cut off without a fault of its bot: wait for it, as after a restart."""
        chair = self.chairs[seat]
        chair.connected = False
        chair.awaited = True
        if chair.ask is not None:
            chair.ask = Open(chair.ask.ask_id, now, self._deadline(chair, now), chair.ask.legal)

    def wake(self, now: Moment) -> list[Command]:
        """Choose for the seats whose time is over, or deal without what is missing."""
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
        if isinstance(event, Committed):
            self.dealing.until = now.fair + self.opening.clock.nonce_wait
            digests = self.dealing.public_digests
            commands += [TellDigests(seat, digests) for seat in range(len(self.chairs))]
            return commands + self._deal_if_ready(now)
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
            return self.dealing.until
        asks = [chair.ask for chair in self.chairs if chair.ask is not None]
        return min((ask.deadline for ask in asks if not ask.held), default=None)

    def overdue(self, now: Moment) -> list[int]:
        """The seats whose time is over, without those that are held."""
        return [
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.ask is not None and chair.ask.deadline <= now.fair and not chair.ask.held
        ]

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
        if self._writing is not None:
            return []
        event = self.dealing.next_event(now.fair)
        return [] if event is None else self._write(event)

    # --- asking -----------------------------------------------------------------------------

    def _ask_all(self, now: Moment) -> list[Command]:
        """Ask every seat to move; the referee chooses for seats that forfeited."""
        state = self.state
        assert state is not None
        seats = state.to_move
        if not seats:
            return self._finish()
        first = ask_id(self.opening.number, len(self.steps), 0, self._trail.mark)
        base, forfeits = self.opening.clock.base, False
        commands: list[Command] = []
        for seat in seats:
            chair, legal = self.chairs[seat], state.legal(seat)
            if chair.forfeit:
                chair.play_out(state.default(seat), legal)
                forfeits = True
                continue
            chair.ask = Open(first | seat, now, self._deadline(chair, now), legal)
            if chair.connected:
                ask = Ask(seat, first | seat, state, legal, base, bank=chair.account.bank)
                commands.append(ask)
        return commands + self._close_if_complete() if forfeits else commands

    def _deadline(self, chair: Chair, now: Moment) -> float:
        """The fair moment at which the time of a seat that is asked now is over."""
        clock = self.opening.clock
        wait = clock.return_wait if chair.awaited else 0.0
        return wait + chair.account.deadline(now, clock.lag_allowance)

    def _ask_again(self, seat: int, now: Moment) -> Ask:
        """The open ask of a seat, with the time that it has left."""
        ask, left = self.chairs[seat].ask, self.chairs[seat].time_left(now)
        assert self.state is not None
        assert ask is not None
        return Ask(seat, ask.ask_id, self.state, ask.legal, left.base, bank=left.bank)

    # --- answers ----------------------------------------------------------------------------

    def _default(self, seat: int, now: Moment) -> list[Command]:
        """The referee chooses for a seat, and notes why."""
        chair = self.chairs[seat]
        assert self.state is not None
        assert chair.ask is not None
        resigned = chair.forfeit
        fault = resigned or chair.ask.wrong or ("TIMEOUT" if chair.connected else "DISCONNECTED")
        chair.awaited = False
        chair.take_default(self.state.default(seat), now, fault)
        if resigned:
            return []
        if chair.faults_in_a_row >= self.opening.clock.max_faults:
            chair.forfeit = fault
        return [Fault(seat, fault, forfeits=chair.forfeit is not None)]

    # --- steps ------------------------------------------------------------------------------

    def _close_if_complete(self) -> list[Command]:
        if self.state is None or self.over or self._writing is not None:
            return []
        event = closed(self.chairs, self.state.to_move, len(self.steps))
        return [] if event is None else self._write(event)

    def _write(self, event: Event) -> list[Command]:
        self._writing = event
        return [Write(event)]

    def _apply(self, event: Event) -> None:
        """Apply a durable event; after a restart the same events restore the state."""
        self._trail.add(event)
        if not isinstance(event, Stepped):
            self.dealing.apply(event)
            if isinstance(event, Dealt):
                self.state = match_of(self.opening, self.dealing.parts, ()).start()
            return
        assert self.state is not None
        step = step_of(self.chairs, self.state, event)
        self.steps.append(step)
        self.state = self.state.step(step.choices)
        settle(self.chairs, event)

    def _finish(self) -> list[Command]:
        self.over = True
        match = match_of(self.opening, self.dealing.parts, self.steps)
        played = PlayedMatch(match, tuple(self.steps), self.end)
        return [Finish(played, results_of(played))]
