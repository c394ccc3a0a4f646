"""A ladder under way: whoever is connected and has room is paired, for as long as it runs."""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from paddock_games import game_of
from paddock_ladder.quality import quality
from paddock_ladder.rating import Rating
from paddock_ladder.schedules.ladder import Candidate, Table, pair
from paddock_server.arena.arena import Arena
from paddock_server.arena.opening import Plan
from paddock_server.arena.table import Table as ArenaTable
from paddock_server.identity import new_match_id, stamp
from paddock_server.store import ratings, tournaments
from paddock_server.store.results import parameters_of
from paddock_server.store.rows import RatingChange
from paddock_server.tournaments.definition import Definition


class LadderRunning:
    """One tournament without an end, or with a number of matches as its end."""

    def __init__(self, arena: Arena, definition: Definition) -> None:
        self.definition = definition
        self.done = asyncio.Event()
        self.stopped = False
        self.over = 0
        self._started = False
        self._arena = arena
        self._open: Counter[str] = Counter()  # matches of this ladder under way, by bot
        self._waited: Counter[str] = Counter()
        self._played: Counter[str] = Counter()
        self._ids: dict[str, Table] = {}  # of matches that are not over
        self._ratings: dict[str, dict[str, Rating]] = {}  # by bot and format
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """Take up what is stored, and go on from there."""
        name = self.definition.name
        # The writer's own view: what ended before it is counted, what ends later we will hear of.
        rows, self.over = await self._arena.database.writer.write(
            lambda connection: (
                tournaments.pairings(connection, name),
                tournaments.count_over(connection, name),
            )
        )
        for row in rows:
            self._ids[row.match_id] = Table(row.format, row.bots)
            self._open.update(row.bots)
        self._started = True
        names = [seating.format for seating in self.definition.formats]
        for rated in await self._arena.database.read(ratings.standings):
            if rated.format in names:
                self._ratings.setdefault(rated.bot, {})[rated.format] = rated.rating
        await self.pair()

    async def pair(self) -> None:
        """Have played whatever makes a good match now."""
        async with self._turn:
            while not self.stopped and not self._full():
                tables = self._tables()
                if not tables:
                    break
                ids = await self._arena.play([self._plan(table) for table in tables])
                self._ids.update(zip(ids, tables, strict=True))
        if self._full() and not self._ids and not self.done.is_set():
            name, ended = self.definition.name, stamp()
            await self._arena.database.writer.write(
                lambda connection: tournaments.change_tournament(connection, name, "done", ended)
            )
            self.done.set()

    def _full(self) -> bool:
        most = self.definition.matches
        return bool(most) and self.over + len(self._ids) >= most

    def _tables(self) -> Sequence[Table]:
        pool = self._pool()
        wanted = len(pool)
        if self.definition.matches:
            wanted = min(wanted, self.definition.matches - self.over - len(self._ids))
        tables = pair(
            pool,
            self.definition.formats,
            lambda some: quality(some, parameters_of(self._format)),
            wanted,
            self.over + len(self._ids),
            owners_may_meet=self.definition.owners_may_meet,
        )
        seated = {bot for table in tables for bot in table.bots}
        for candidate in pool:
            self._waited[candidate.bot] = 0 if candidate.bot in seated else candidate.waited + 1
        for bot in seated:
            self._open[bot] += 1
            self._played[bot] += 1
        return tables

    @property
    def _format(self) -> str:
        """The format whose parameters quality is measured with; they hardly differ."""
        return self.definition.formats[0].format

    def _pool(self) -> list[Candidate]:
        names = [seating.format for seating in self.definition.formats]
        entered = set(self.definition.names)
        first = parameters_of(self._format).first
        pool = []
        for bot, session in self._arena.hall.sessions.items():
            if (entered and bot not in entered) or bot in self._arena.probation.why:
                continue
            plays = {name for name in names if name in session.formats}
            most = min(self.definition.at_once, session.max_matches)
            if plays and self._open[bot] < most:
                known = self._ratings.get(bot, {})
                mine = {name: known.get(name, first) for name in plays}
                pool.append(
                    Candidate(bot, session.owner, mine, self._waited[bot], self._played[bot])
                )
        return pool

    def _plan(self, table: Table) -> Plan:
        rules = game_of(table.format).rules(self.definition.rules)._asdict()
        return Plan(
            table.format, rules, table.bots, self.definition.clock,
            rated=self.definition.rated, tournament=self.definition.name,
            pairing=f"{table.format}/{new_match_id()}",  # a ladder has no plan that could name it
        )  # fmt: skip

    # --- what happens -----------------------------------------------------------------------

    async def dealt(self, table: ArenaTable) -> None:
        """Nothing: every match has a deal of its own."""

    async def finished(self, table: ArenaTable, changes: Sequence[RatingChange]) -> None:
        """A match is over: its bots have room again."""
        if not self._started:
            return
        self._ids.pop(table.match.id, None)
        self.over += 1
        self._open.subtract(set(table.plan.bots))
        for bot, change in zip(table.plan.bots, changes, strict=False):
            self._ratings.setdefault(bot, {})[table.plan.format] = change.after
        await self.pair()

    async def stop(self) -> None:
        """Begin nothing more; what waits is taken back, what is open is played to its end."""
        self.stopped = True
        name = self.definition.name
        async with self._turn:  # what is being submitted has to be known before it is taken back
            for match_id in list(self._ids):
                if self._arena.withdraw(match_id) is not None:
                    del self._ids[match_id]
            await self._arena.database.writer.write(
                lambda connection: tournaments.remove_waiting(connection, name)
            )

    def pending(self) -> list[Table]:
        """The matches that have not begun."""
        return [table for each, table in self._ids.items() if self._arena.waits(each)]

    async def look(self, away: Mapping[str, Collection[str]]) -> None:
        """Pair whoever has come, and take back what waits for bots that are away, by format."""
        if any(away.values()) and self._ids:
            await self._take_back(away)
        await self.pair()

    async def _take_back(self, away: Mapping[str, Collection[str]]) -> None:
        name = self.definition.name
        numbers = []
        async with self._turn:
            for match_id, table in list(self._ids.items()):
                if set(table.bots).isdisjoint(away.get(table.format, ())):
                    continue
                number = self._arena.withdraw(match_id)
                if number is not None:
                    numbers.append(number)
                    del self._ids[match_id]
                    self._open.subtract(set(table.bots))
            await self._arena.database.writer.write(
                lambda connection: tournaments.remove_waiting(connection, name, numbers)
            )
