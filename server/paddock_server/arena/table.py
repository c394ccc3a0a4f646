"""A table: one match under way, between its referee and the world."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from paddock_games.game import Brain, State, Step
from paddock_server.arena.lateness import Lateness
from paddock_server.arena.opening import Deal, Plan, dice
from paddock_server.arena.session import Session
from paddock_server.arena.watching import Watchers
from paddock_server.basics.identity import stamp
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
from paddock_server.referee.referee import Opening, Referee
from paddock_server.store.rows import RatingChange
from paddock_server.wire import items

_LOG = logging.getLogger("paddock.table")


class Scribe(Protocol):
    """Whoever makes things durable for a table."""

    def append(
        self, number: int, position: int, event: Mapping[str, Any], then: Callable[[], None]
    ) -> None:
        """Journal an event, then say so."""

    def finished(self, table: "Table", record: Mapping[str, Any]) -> None:
        """Store the record, then call the table's `stored`."""

    def dealt(self, table: "Table") -> None:
        """The deal of a match is durable."""

    def asked(self, count: int) -> None:
        """Count asks."""

    def answered(self, seconds: Sequence[float]) -> None:
        """Count answers."""

    def fault(self, kind: str) -> None:
        """Count a fault."""

    def fallback(self) -> None:
        """Count a fallback."""


class Table:
    """One match: carries out what its referee wants, and tells it what happens."""

    def __init__(
        self,
        opening: Opening,
        sessions: Sequence[Session | None],
        house: Mapping[int, Brain],
        scribe: Scribe,
        lateness: Lateness,
        plan: Plan,
    ) -> None:
        self.opening = opening
        self.plan = plan
        self.match = opening.match
        self.referee = Referee(opening)
        self.watchers = Watchers(self.match)
        self.results: list[dict[str, Any]] = []
        self._sessions = list(sessions)
        self._house = house
        self._scribe = scribe
        self._lateness = lateness
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_deadline = 0.0  # the fair moment that it was set for
        self._shared: tuple[State | None, bytes] = (None, b"")
        self._dice = dice(plan, opening.match)
        self._rng = Random(opening.match.seed)  # a secret, so that nobody foretells house bots
        self._written = 0
        self._open = False
        self._record: Mapping[str, Any] = {}

    # --- what happens -----------------------------------------------------------------------

    def open(self) -> None:
        """Begin the match: its opening is durable, so that its seats may hear of it."""
        self._open = True
        self._carry_out(self.referee.open(self._lateness.now()))
        for seat, session in enumerate(self._sessions):
            if session is None and seat not in self._house:
                self.referee.lost(seat)  # it went while the opening was written

    def resume(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Go on with a match that the server's death interrupted."""
        self._open = True
        self._written = len(events)
        self._carry_out(self.referee.resume(events, self._lateness.now()))
        for seat in self._house:
            self._carry_out(self.referee.back(seat, self._lateness.now()))

    def join(self, seat: int, session: Session) -> None:
        """A seat's bot is connected (again)."""
        self._sessions[seat] = session
        if not self._open:
            return
        self._carry_out(self.referee.back(seat, self._lateness.now()))

    def lost(self, seat: int, session: Session) -> None:
        """A seat's bot is gone."""
        if self._sessions[seat] is session:
            self._sessions[seat] = None
            if self._open:
                self.referee.lost(seat)

    def nonce(self, seat: int, nonce: bytes) -> None:
        """A seat's part of the deal arrived."""
        if self.referee.state is not None or self.referee.chairs[seat].nonce is not None:
            self._useless(seat)
        self._carry_out(self.referee.nonce(seat, nonce, self._lateness.now()))

    def choice(self, seat: int, ask_id: int, answer: Any, lag: float) -> None:
        """An answer arrived."""
        if ask_id in self.referee.chairs[seat].answered:
            self._useless(seat)
        self._carry_out(self.referee.choice(seat, ask_id, answer, self._lateness.now(), lag))

    def resign(self, seat: int) -> None:
        """A seat gives up."""
        if self.referee.over or self.referee.chairs[seat].forfeit:
            self._useless(seat)
        self._carry_out(self.referee.resign(seat, self._lateness.now()))

    def suspend(self) -> None:
        """Stop driving the match: it goes on from its journal when the server is back."""
        if self._timer is not None:
            self._timer.cancel()
        self.watchers.close()

    # --- what the referee wants -------------------------------------------------------------

    def _carry_out(self, commands: Sequence[Command]) -> None:
        if not commands:
            return  # deadlines only went away; the timer looks again when it wakes
        asked = 0
        for command in commands:
            match command:
                case Ask():
                    asked += self._ask(command)
                case Reveal(number, step, after):
                    self._scribe.answered([timing.ms / 1000 for timing in step.timings.values()])
                    self._on_fallbacks(step)
                    item = items.happened(self.match, number, step)
                    self._say_to_all(item)
                    self.watchers.step(number, step, after, self.table_bytes)
                case Write(event):
                    position, self._written = self._written, self._written + 1
                    then = self._on_dealt if event["event"] == "dealt" else self._on_written
                    self._scribe.append(self.opening.number, position, event, then)
                case Start(seat):
                    self._say(seat, items.started(self.match, seat, self.opening.clock, self._dice))
                case Refuse(seat):
                    self._say(seat, items.refused(command))
                    self._useless(seat)
                case Fault(seat, kind, forfeits):
                    self._on_fault(seat, kind, forfeits)
                case Finish(record):
                    self._finish(record)
        if asked:
            self._scribe.asked(asked)
        self._set_timer()

    def _say(self, seat: int, item: bytes) -> None:
        session = self._sessions[seat]
        if session is not None:
            session.send(item)

    def _useless(self, seat: int) -> None:
        session = self._sessions[seat]
        if session is not None:
            session.useless()

    def _say_to_all(self, item: bytes) -> None:
        for session in {s for s in self._sessions if s is not None}:
            session.send(item)

    def _ask(self, command: Ask) -> bool:
        seat = command.seat
        if seat in self._house:
            self._loop.call_soon(self._play_house, command)
            return False
        session = self._sessions[seat]
        if session is not None:
            session.send(items.ask(self.match, command, self.table_bytes(command.state)))
        return session is not None

    def _play_house(self, command: Ask) -> None:
        view = command.state.view(command.seat)
        self.choice(command.seat, command.ask_id, self._house[command.seat](view, self._rng), 0.0)

    def table_bytes(self, state: State) -> bytes:
        """What all seats share, made once a step."""
        known, shared = self._shared
        if known is not state:
            shared = items.table(self.match, state)
            self._shared = (state, shared)
        return shared

    def _on_written(self) -> None:
        self._carry_out(self.referee.written(self._lateness.now()))

    def _on_dealt(self) -> None:
        self._on_written()
        self._scribe.dealt(self)

    def _on_fault(self, seat: int, kind: str, forfeits: bool) -> None:
        _LOG.warning(
            "fault %s%s", kind, ", the seat forfeits" if forfeits else "", extra=self._who(seat)
        )
        self._scribe.fault(kind)

    def _on_fallbacks(self, step: Step) -> None:
        for seat, timing in step.timings.items():
            if timing.fallback is not None:
                if self.referee.chairs[seat].fallbacks == 1:  # a broken bot has one a decision
                    _LOG.warning("fallback: %s", timing.fallback, extra=self._who(seat))
                self._scribe.fallback()

    def _who(self, seat: int) -> dict[str, Any]:
        """What a log says of a seat."""
        return {"match": self.match.id, "bot": self.match.seats[seat].bot, "seat": seat}

    def _finish(self, record: Mapping[str, Any]) -> None:
        self._record = {**record, "ended": stamp()}
        chairs, seats = self.referee.chairs, record["seats"]
        self.results = [
            {
                "total": total,
                "rank": rank,
                "forfeit": seat["forfeit"],
                "faults": chair.faults,
                "fallbacks": chair.fallbacks,
            }
            for total, rank, seat, chair in zip(
                record["totals"], record["ranks"], seats, chairs, strict=True
            )
        ]
        self._scribe.finished(self, self._record)

    @property
    def deal(self) -> Deal | None:
        """What the deal came from, once there is one."""
        if self.referee.state is None:
            return None
        nonces = tuple((chair.nonce or b"").hex() for chair in self.referee.chairs)
        return Deal(self.match.seed.hex(), nonces)

    def stored(self, changes: Sequence[RatingChange]) -> None:
        """The record is durable: everybody is told how it ended, and what that did to ratings."""
        ended = items.Ended(
            self._record, self.results, self.referee.end, changes, self.plan.hides_deal
        )
        self._say_to_all(items.ended(ended))
        self.watchers.end(ended)

    # --- time -------------------------------------------------------------------------------

    def _set_timer(self) -> None:
        """One timer a table, at the referee's next deadline."""
        deadline = self.referee.deadline
        if self._timer is not None:
            if deadline is not None and deadline >= self._timer_deadline:
                return  # it looks again when it wakes
            if deadline is None and not self.referee.over:
                return  # there will be a later one soon
            self._timer.cancel()
            self._timer = None
        if deadline is not None:
            now = self._lateness.now()
            self._timer_deadline = deadline
            self._timer = self._loop.call_later(max(0.001, deadline - now.fair), self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._carry_out(self.referee.wake(self._lateness.now()))
        self._set_timer()
