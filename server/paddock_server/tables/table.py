"""A table: one match under way, between its referee and the world."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from paddock_games import PlayedMatch
from paddock_games.game import State
from paddock_server.basics.identity import stamp
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.answers import Answer
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
from paddock_server.referee.events import Dealt, Event
from paddock_server.referee.house import House
from paddock_server.referee.plan import Deal
from paddock_server.referee.referee import Referee
from paddock_server.referee.result import SeatResult
from paddock_server.store.rows import JournalRow
from paddock_server.tables.lateness import Lateness
from paddock_server.tables.notices import Finished, MatchDealt
from paddock_server.tables.open_match import OpenMatch
from paddock_server.tables.opening import Seating, dice
from paddock_server.tables.player import Player
from paddock_server.tables.remarks import Remarks
from paddock_server.tables.scribe import Scribe
from paddock_server.tables.seated import Seated
from paddock_server.tables.timer import DeadlineTimer
from paddock_server.tables.watching import Watchers
from paddock_server.wire import items


class Surroundings(NamedTuple):
    """The objects that all tables of a server share."""

    scribe: Scribe
    lateness: Lateness
    metrics: Metrics
    dealt: Callable[[MatchDealt], None]  # hears of every deal
    finished: Callable[[Finished], None]  # hears of every end
    knows_absence: Callable[[], bool]  # whether a bot without a connection here has none


class Table:
    """A match under way: it tells the referee what happens, and carries out its commands."""

    def __init__(
        self, seating: Seating, players: Sequence[Player | None], around: Surroundings
    ) -> None:
        opening = seating.opening()
        self.seating = seating
        self.match = opening.match
        self.watchers = Watchers(opening.match, self.seen)
        self._referee = Referee(opening)
        self._results: tuple[SeatResult, ...] = ()
        self._players = Seated(players)
        self._house = House(opening.match)
        self._scribe = around.scribe
        self._lateness = around.lateness
        self._remarks = Remarks(around.metrics, opening.match)
        self._dealt = around.dealt
        self._finished = around.finished
        self._knows_absence = around.knows_absence
        self._loop = asyncio.get_running_loop()
        self._timer = DeadlineTimer(around.lateness, self._wake)
        self._shared: tuple[State | None, bytes] = (None, b"")
        self._dice = dice(seating.plan, opening.match)
        self._start = b""  # what all seats hear when the match starts
        self._written = 0
        self._open = False
        self._set_aside = False

    # --- what happens -----------------------------------------------------------------------

    def open(self) -> None:
        """Begin the match; its opening is durable now, and its seats may hear of it."""
        self._open = True
        self._carry_out(self._referee.open(self._lateness.now()))
        for seat, player in enumerate(self._players):
            if player is None and seat not in self._house.seats:
                self._referee.lost(seat)  # it went while the opening was written

    def resume(self, events: Sequence[Event]) -> None:
        """Resume a match that was open when the server died."""
        self._open = True
        self._written = len(events)
        self._carry_out(self._referee.resume(events, self._lateness.now()))
        for seat in sorted(self._house.seats):
            self._carry_out(self._referee.back(seat, self._lateness.now()))

    def back(self, seat: int, player: Player) -> None:
        """A seat's bot is connected (again)."""
        if self._players[seat] is player:
            return  # it was never away
        self._players.sit(seat, player)
        if self._open:
            now = self._lateness.now()
            if self._referee.chairs[seat].in_doubt:  # nobody knows now whether it was late
                self._referee.stranded(seat, now)
            self._carry_out(self._referee.back(seat, now))

    def lost(self, seat: int, player: Player) -> None:
        """A seat's bot has lost its connection."""
        if self._players.leave(seat, player) and self._open:
            self._referee.lost(seat)
            self._set_timer()

    def stranded(self, seat: int, player: Player) -> None:
        """A seat's bot was cut off without a fault of its own."""
        if self._players.leave(seat, player) and self._open:
            self._referee.stranded(seat, self._lateness.now())
            self._set_timer()

    def digest(self, seat: int, digest: bytes) -> None:
        """The digest of a seat's nonce arrived."""
        if not self._referee.dealing.wants_digest(seat):
            self._players.useless(seat)
        self._carry_out(self._referee.digest(seat, digest, self._lateness.arrival()))

    def nonce(self, seat: int, nonce: bytes) -> None:
        """A seat's part of the deal arrived."""
        if not self._referee.dealing.wants_nonce(seat):
            self._players.useless(seat)
        self._carry_out(self._referee.nonce(seat, nonce, self._lateness.arrival()))

    def choice(
        self,
        seat: int,
        ask_id: int,
        answer: Answer,
        lag: float,
        took: float | None = None,
        *,
        host_delay: float = 0.0,
    ) -> None:
        """An answer arrived; `took` is the time in seconds if it was measured elsewhere.

        `kept` are the seconds in which the bot's own host kept it waiting.
        """
        chair = self._referee.chairs[seat]
        if ask_id in chair.answered:
            self._players.useless(seat)
        moment = None if took is None else chair.moment_after(took)
        now = moment or self._lateness.arrival()
        self._carry_out(self._referee.choice(seat, ask_id, answer, now, lag, host_delay=host_delay))

    def resign(self, seat: int) -> None:
        """A seat resigns."""
        commands = self._referee.resign(seat, self._lateness.now())
        if not commands:
            self._players.useless(seat)
        self._carry_out(commands)

    def suspend(self) -> None:
        """Stop the match; the next server resumes it from the journal."""
        self._timer.stop()
        self.watchers.close()

    def set_aside(self, why: str) -> None:
        """End the match without a result that counts, and tell everybody why."""
        self.suspend()
        self._set_aside = True
        nothing = [
            SeatResult(bot, "", 0, 0, forfeit=False, faults=0) for bot in self.seating.plan.bots
        ]
        self._players.send_to_all(items.set_aside(self.match, self._results or nothing, why))

    def seen(self) -> OpenMatch:
        """The match as watchers see it."""
        seating = self.seating
        # Whoever plays the same deal later would learn from it.
        state = None if seating.plan.hides_deal else self._referee.state
        return OpenMatch(
            number=seating.number,
            id=seating.id,
            plan=seating.plan,
            entrants=seating.begun.entrants,
            started=seating.begun.started,
            steps=len(self._referee.steps),
            points=(0,) * len(self._players) if state is None else state.result().totals,
            table=None if state is None else state.table,
            results=self._results,
        )

    def shared(self) -> bytes | None:
        """The open table as bytes; None: it is not dealt yet."""
        state = self._referee.state
        return None if state is None else self._table_bytes(state)

    # --- what the referee wants -------------------------------------------------------------

    def _carry_out(self, commands: Sequence[Command]) -> None:
        if not commands or self._set_aside:
            return  # at most a deadline went away; the timer looks again when it wakes
        asked = 0
        for command in commands:
            match command:
                case Ask():
                    asked += self._ask(command)
                case Reveal():
                    self._reveal(command)
                case Write(event):
                    row = JournalRow(self.seating.number, self._written, event)
                    self._written += 1
                    then = self._on_dealt if isinstance(event, Dealt) else self._on_written
                    self._scribe.append(row, then)
                case Start(seat):
                    self._players.send(seat, self._started(seat))
                case TellDigests(seat, digests):
                    self._players.send(seat, items.nonce_commitments(self.seating.id, digests))
                case Refuse(seat):
                    self._players.send(seat, items.refused(command))
                    self._players.useless(seat)
                case Fault():
                    self._remarks.faulted(command)
                case Finish(played, results):
                    self._finish(played, results)
        if asked:
            self._remarks.asked(asked)
        self._set_timer()

    def _started(self, seat: int) -> bytes:
        if not self._start:
            clock, commits = self.seating.plan.clock, self._referee.dealing.commits
            self._start = items.start(self.match, clock, self._dice, commit_nonces=commits)
        return items.seat_started(self._start, seat)

    def _ask(self, command: Ask) -> bool:
        seat = command.seat
        if seat in self._house.seats:
            self._loop.call_soon(self._play_house, command)
            return False
        player = self._players[seat]
        if player is not None:
            item = items.ask(self.match, command, self._table_bytes(command.state))
            player.ask(item, command.ask_id)
        return player is not None

    def _play_house(self, command: Ask) -> None:
        self.choice(command.seat, command.ask_id, self._house.choice(command), 0.0)

    def _table_bytes(self, state: State) -> bytes:
        """The open table as bytes, which all seats share; it is encoded once per step."""
        known, shared = self._shared
        if known is not state:
            shared = items.table(self.match, state)
            self._shared = (state, shared)
        return shared

    def _on_written(self) -> None:
        self._carry_out(self._referee.written(self._lateness.now()))

    def _on_dealt(self) -> None:
        self._on_written()
        seating, parts = self.seating, self._referee.dealing.parts
        deal = Deal(seating.begun.seed, tuple(part.dealt.hex() for part in parts))
        # A bot that is not connected can't send anything.
        late = [seat for seat, part in enumerate(parts) if part.late and self._players[seat]]
        self._remarks.late(late)
        withheld = tuple(seating.plan.bots[seat] for seat in late)
        self._dealt(MatchDealt(seating.number, seating.id, seating.plan, deal, withheld))

    def _reveal(self, command: Reveal) -> None:
        number, step = command.number, command.step
        self._remarks.stepped(step)
        self._players.send_to_all(items.happened(self.match, number, step))
        self.watchers.step(number, step, command.after, self._table_bytes)

    def _finish(self, played: PlayedMatch, results: Sequence[SeatResult]) -> None:
        self._results = tuple(results)
        seating = self.seating
        whole = played._replace(match=played.match._replace(ended=stamp()))
        end = Finished(seating.number, seating.id, seating.plan, self._results, whole)
        self._scribe.finish(end, self._on_stored)

    def _on_stored(self, finished: Finished) -> None:
        """The record is durable: tell everybody the results and the rating changes."""
        ended = items.MatchEnd(
            finished.played, finished.results, finished.changes, finished.plan.hides_deal
        )
        self._players.send_to_all(items.ended(ended))
        self.watchers.end(ended)
        self._finished(finished)

    # --- time -------------------------------------------------------------------------------

    def _set_timer(self) -> None:
        """Set the timer to the referee's next deadline."""
        self._timer.set(self._referee.deadline, over=self._referee.over)

    def _wake(self) -> None:
        """Judge the seats whose time is over, unless the connection to a bot is in doubt."""
        now = self._lateness.now()
        for seat in self._referee.overdue(now):
            player = self._players[seat]
            if player is not None:
                self._referee.chairs[seat].allow(player.host_delay)
        for seat in self._referee.overdue(now):
            player, ask = self._players[seat], self._referee.chairs[seat].ask
            if player is None:
                if not self._knows_absence():
                    self._referee.stranded(seat, now)
            elif not player.vouches(partial(self._on_proof, seat, player, ask)):
                self._referee.chairs[seat].hold()
        self._carry_out(self._referee.wake(now))
        self._set_timer()

    def _on_proof(self, seat: int, player: Player, ask: object, works: bool) -> None:
        """The connection to an overdue bot was checked: the bot is late, or it is cut off."""
        if self._players[seat] is not player:
            return  # the bot has reconnected, or it is gone
        if self._referee.chairs[seat].ask is not ask:
            return  # it has answered; that says nothing about a later ask
        now = self._lateness.now()
        if works:
            self._referee.chairs[seat].release()
            self._referee.chairs[seat].allow(player.host_delay)
            self._carry_out(self._referee.wake(now))
        else:
            self._players.leave(seat, player)
            self._referee.stranded(seat, now)
        self._set_timer()
