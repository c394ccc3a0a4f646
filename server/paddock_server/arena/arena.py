"""The arena: begins matches when their bots are there, and sees them through."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from paddock_games import BadRules, format_named
from paddock_server.arena.hall import Hall
from paddock_server.arena.journal import Journal
from paddock_server.arena.lateness import Lateness
from paddock_server.arena.limits import Limits, Policy
from paddock_server.arena.opening import (
    HOUSE,
    Plan,
    house_brains,
    opened,
    read_opening,
    read_plan,
)
from paddock_server.arena.planning import seated_in_turn
from paddock_server.arena.presence import Hindrance, Presence
from paddock_server.arena.probation import Probation
from paddock_server.arena.queue import MatchQueue, Waiting
from paddock_server.arena.session import Session
from paddock_server.arena.table import Table
from paddock_server.arena.telling import Telling
from paddock_server.basics.identity import new_match_id, stamp
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Refuse
from paddock_server.referee.referee import SEAT_BITS, STEP_BITS
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import NewMatch, RatingChange
from paddock_server.wire import items

_LOG = logging.getLogger("paddock.arena")


class Arena:
    """All matches of a server."""

    def __init__(
        self,
        database: Database,
        clock: Clock | None = None,
        limits: Limits | None = None,
        policy: Policy | None = None,
    ) -> None:
        self.database = database
        self.clock = clock or Clock()
        self.limits = limits or Limits()
        self.policy = policy or Policy()
        self.metrics = Metrics()
        self.hall = Hall(self.limits)
        self.lateness = Lateness()
        self.telling = Telling(database)
        self.watching = 0  # streams of those who watch, over gRPC and HTTP together
        self.tables: dict[int, Table] = {}  # by match number
        self.numbers: dict[str, int] = {}  # of open matches, by id
        self.draining = False
        self.on_deal: list[Callable[[Table], None]] = []
        self.on_finish: list[Callable[[Table, Mapping[str, Any], Sequence[RatingChange]], None]]
        self.on_finish = []
        self.probation = Probation(self.policy, self._on_probation, self._try_again)
        self.presence = Presence(self.hall, self.probation)
        self._queue = MatchQueue(self._present)
        self._playing: dict[str, set[int]] = {}  # numbers of open matches, by bot
        self._waiting: dict[str, int] = {}  # numbers of waiting matches, by id
        self._pinging: asyncio.TimerHandle | None = None
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def start(self) -> None:
        """Take up what an earlier process left: waiting matches wait, open ones go on."""
        self._ping_players()
        self.journal = Journal(self.database.writer)
        left = await self.database.read(store.unfinished)
        bots = await self.database.read(store.list_bots, "", 1_000_000)
        self.probation.why = {bot.name: bot.probation for bot in bots if bot.probation}
        for row, events in left:
            if row.state == "waiting":
                self._wait(row.number, row.id, read_plan(row.opening))
            else:
                self._sit_down(row.number, row.id, row.opening, [None] * len(row.opening["bots"]))
                self.tables[row.number].resume(events)
        if left:
            _LOG.info("took up %d matches, %d of them open", len(left), len(self.tables))

    def stop(self) -> None:
        """Let go of everything; what is open is in the journal."""
        self.draining = True
        self.lateness.stop()
        if self._pinging is not None:
            self._pinging.cancel()
        for table in self.tables.values():
            table.suspend()

    async def drained(self) -> None:
        """Begin no more matches, and wait until the open ones are over."""
        self.draining = True
        await self._quiet.wait()

    # --- bots -------------------------------------------------------------------------------

    def entered(self, session: Session, resume_token: str = "") -> bool:
        """A bot is connected: its open matches go on, new ones can begin; True if it came back."""
        resumed = self.hall.enter(session, resume_token)
        self.metrics.sessions.set(len(self.hall.sessions))
        for table in self._tables_of(session.bot):
            for seat in _seats_of(table, session.bot):
                table.join(seat, session)
        session.ping()
        self._queue.look_again(session.bot)
        if session.bot in self.probation.why:
            asyncio.get_running_loop().create_task(self._try_out(session))
        self.begin_matches([session.bot])
        return resumed

    def left(self, session: Session) -> None:
        """A bot's session is over; its matches wait for it within their time."""
        for table in self._tables_of(session.bot):
            for seat in _seats_of(table, session.bot):
                table.lost(seat, session)
        if self.hall.leave(session):
            self._queue.look_again(session.bot)
        self.metrics.sessions.set(len(self.hall.sessions))

    def _ping_players(self) -> None:
        """Whoever plays is pinged now and then; whoever does not costs nothing."""
        for bot in self._playing:
            session = self.hall.sessions.get(bot)
            if session is not None:
                session.ping()
        again = self.policy.ping_seconds
        self._pinging = asyncio.get_running_loop().call_later(again, self._ping_players)

    def matches_of(self, bot: str) -> list[str]:
        """The ids of the matches that a bot is playing."""
        return [table.match.id for table in self._tables_of(bot)]

    def open_matches_of(self, bot: str) -> int:
        """How many matches a bot is playing."""
        return len(self._playing.get(bot, ()))

    # --- what bots say ----------------------------------------------------------------------

    def choice(self, session: Session, ask_id: int, answer: Any) -> None:
        """An answer to an ask."""
        seat = ask_id & ((1 << SEAT_BITS) - 1)
        table = self.tables.get(ask_id >> (SEAT_BITS + STEP_BITS))
        if table is None:
            self._refuse(session, ask_id, "choice/stale", "this ask is over; nothing was charged")
        elif seat >= len(table.match.seats) or table.match.seats[seat].bot != session.bot:
            self._refuse(session, ask_id, "choice/not_yours", "answer only what you were asked")
        else:
            table.choice(seat, ask_id, answer, session.lag)

    def nonce(self, session: Session, match_id: str, nonce: bytes) -> None:
        """A bot's part of a deal."""
        for table, seat in self._seat_in(session, match_id):
            table.nonce(seat, nonce)

    def resign(self, session: Session, match_id: str) -> None:
        """A bot gives a match up."""
        for table, seat in self._seat_in(session, match_id):
            table.resign(seat)

    def _seat_in(self, session: Session, match_id: str) -> list[tuple[Table, int]]:
        table = self.tables.get(self.numbers.get(match_id, 0))
        seats = _seats_of(table, session.bot) if table else []
        if table is None or not seats:
            self._refuse(session, 0, "match/unknown", f"you play no open match {match_id[:40]!r}")
            return []
        return [(table, seat) for seat in seats]

    def _refuse(self, session: Session, ask_id: int, reason: str, sentence: str) -> None:
        session.send(items.refused(Refuse(0, ask_id, reason, sentence)))
        session.useless()

    # --- matches ----------------------------------------------------------------------------

    async def add_matches(
        self,
        format_name: str,
        bots: Sequence[str],
        count: int = 1,
        seats: int | None = None,
        rules: object = None,
        *,
        rated: bool = True,
        trial: bool = False,
    ) -> list[str]:
        """Have matches played; the bots fill the seats in turn and change seats each match."""
        if len(self._queue) + count > self.limits.waiting_matches:
            most = self.limits.waiting_matches
            raise BadRules("count", f"at most {most} matches may wait; start fewer")
        plans = seated_in_turn(format_name, bots, count, seats, rules, self.clock)
        if not rated or trial:
            plans = [plan._replace(rated=False, trial=trial) for plan in plans]
        return await self.play(plans)

    async def play(self, plans: Sequence[Plan]) -> list[str]:
        """Have planned matches played as soon as their bots are there; their ids."""
        matches = [new_match(plan) for plan in plans]
        numbers = await self.database.writer.write(
            lambda connection: store.add_matches(connection, matches)
        )
        for number, match, plan in zip(numbers, matches, plans, strict=True):
            self._wait(number, match.id, plan)
        self.begin_matches({bot for plan in plans for bot in plan.waited_for})
        return [match.id for match in matches]

    def withdraw(self, match_id: str) -> int | None:
        """Have a match wait no longer; its number, or None where it does not wait."""
        number = self._waiting.pop(match_id, None)
        if number is not None:
            self._queue.withdraw(number)
        return number

    def waits(self, match_id: str) -> bool:
        """Whether a match has not begun."""
        return match_id in self._waiting

    def is_busy(self, bot: str, tournament: str) -> bool:
        """Whether matches of a tournament wait because a bot has no room for more."""
        return self._free(bot) <= 0 and any(
            waiting.plan.tournament == tournament and bot not in waiting.missing
            for waiting in self._queue.of(bot)
        )

    def begin_matches(self, bots: Iterable[str]) -> None:
        """Begin whatever can begin, now that these bots have room."""
        if not self.draining:
            for waiting in self._queue.take(self._free, bots):
                self._begin(waiting)
        self.metrics.waiting_matches.set(len(self._queue))

    def _wait(self, number: int, match_id: str, plan: Plan) -> None:
        self._waiting[match_id] = number
        self._queue.add(Waiting(number, match_id, plan.format, plan.waited_for, plan, plan.trial))

    def _present(self, bot: str, waiting: Waiting) -> bool:
        hindrance = self.presence.hindrance(bot, waiting.format)
        return hindrance is None or (waiting.trial and hindrance is Hindrance.PROBATION)

    def _free(self, bot: str) -> int:
        session = self.hall.sessions.get(bot)
        if session is None:
            return 0
        most = min(session.max_matches, self.limits.matches_per_bot)
        return most - self.open_matches_of(bot)

    def _begin(self, waiting: Waiting) -> None:
        """A match's opening is kept before anybody hears of it, and then it begins."""
        sessions = [self.hall.sessions.get(bot) for bot in waiting.plan.bots]
        for session in sessions:
            if session is not None and session.bot not in self._playing:
                session.ping()  # it was idle: how far away it is may have changed
        seats = [
            (s.version, s.owner, s.sends_nonces) if s else ("", "paddock", False) for s in sessions
        ]
        kept = opened(waiting.plan, seats, stamp())
        del self._waiting[waiting.id]
        table = self._sit_down(waiting.number, waiting.id, kept, sessions)
        self.journal.open(waiting.number, kept["started"], kept, table.open)

    def _sit_down(
        self,
        number: int,
        match_id: str,
        kept: Mapping[str, Any],
        sessions: Sequence[Session | None],
    ) -> Table:
        plan = read_plan(kept)
        table = Table(
            read_opening(number, match_id, kept),
            sessions,
            house_brains(plan.format, plan.bots),
            self,
            self.lateness,
            plan,
        )
        self.tables[number] = table
        self.lateness.start()  # it is watched while somebody's time is counted
        self.numbers[match_id] = number
        for bot in plan.bots:
            self._playing.setdefault(bot, set()).add(number)
        self._quiet.clear()
        self.metrics.open_matches.set(len(self.tables))
        return table

    def _tables_of(self, bot: str) -> list[Table]:
        return [self.tables[number] for number in self._playing.get(bot, ())]

    def _stand_up(self, table: Table) -> None:
        number = table.opening.number
        del self.tables[number]
        del self.numbers[table.match.id]
        for bot in {seated.bot for seated in table.match.seats}:
            self._playing[bot].discard(number)
            if not self._playing[bot]:
                del self._playing[bot]

    # --- what tables want (Scribe) ----------------------------------------------------------

    def append(
        self, number: int, position: int, event: Mapping[str, Any], then: Callable[[], None]
    ) -> None:
        """Journal an event of a table."""
        self.journal.append(number, position, event, then)

    def fault(self, kind: str) -> None:
        """Count a fault."""
        self.metrics.faults.labels(kind).inc()

    def fallback(self) -> None:
        """Count a fallback."""
        self.metrics.fallbacks.inc()

    def asked(self, count: int) -> None:
        """Count asks."""
        self.metrics.asks.inc(count)

    def answered(self, seconds: Sequence[float]) -> None:
        """Count answers."""
        self.metrics.answer_seconds.observe(seconds)

    def dealt(self, table: Table) -> None:
        """A match was dealt: others of its block can be."""
        for tell in self.on_deal:
            tell(table)

    def finished(self, table: Table, record: Mapping[str, Any]) -> None:
        """Store a record; then the table is cleared and its bots are free."""

        def stored(changes: Sequence[RatingChange]) -> None:
            table.stored(changes)
            self._stand_up(table)
            self.metrics.matches.inc()
            self.metrics.open_matches.set(len(self.tables))
            self.probation.judge(table)
            for tell in self.on_finish:
                try:
                    tell(table, record, changes)
                except Exception:  # noqa: BLE001 -- the other matches have to go on
                    _LOG.exception("while telling of an end", extra={"match": table.match.id})
            if not self.tables:
                self._quiet.set()
                self.lateness.stop()
            self.begin_matches({seated.bot for seated in table.match.seats})

        rated = table.plan.rated
        self.journal.finish(table.opening.number, record, table.results, stored, rated=rated)

    # --- probation --------------------------------------------------------------------------

    def _on_probation(self, bot: str, why: str) -> None:
        """A bot's standing changed: keep it, and look at what it may play."""
        self.database.writer.submit(
            lambda connection: store.change_bot(connection, bot, probation=why),
            lambda _result, _problem: None,
            sync=True,
        )
        self._queue.look_again(bot)
        session = self.hall.sessions.get(bot)
        if why and session is not None:
            asyncio.get_running_loop().create_task(self._try_out(session))
        if not why:
            self.begin_matches([bot])

    def _try_again(self, bot: str) -> None:
        """After a failed trial there is another, though not at once."""

        def again() -> None:
            session = self.hall.sessions.get(bot)
            if session is not None and not self.draining:
                asyncio.get_running_loop().create_task(self._try_out(session))

        asyncio.get_running_loop().call_later(self.policy.trial_seconds, again)

    async def _try_out(self, session: Session) -> None:
        """A trial match against house bots, unless one waits already."""
        if any(waiting.trial for waiting in self._queue.of(session.bot)) or not session.formats:
            return
        size = format_named(session.formats[0]).usual_seats
        bots = [session.bot, *[f"{HOUSE}random"] * (size - 1)]
        await self.add_matches(session.formats[0], bots, trial=True)


def new_match(plan: Plan) -> NewMatch:
    """A planned match as it is stored, with an id of its own."""
    return NewMatch(
        new_match_id(), plan.format, plan.bots, plan.kept(), plan.tournament, plan.pairing,
        plan.block, plan.round,
    )  # fmt: skip


def _seats_of(table: Table, bot: str) -> list[int]:
    return [seat for seat, seated in enumerate(table.match.seats) if seated.bot == bot]
