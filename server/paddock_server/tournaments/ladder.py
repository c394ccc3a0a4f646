"""A running ladder: it pairs connected bots with room for a match, as long as it runs."""

import asyncio
import secrets
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from paddock_ladder.rating import Parameters
from paddock_ladder.schedules import Outcome
from paddock_ladder.schedules.changes import departed
from paddock_ladder.schedules.ladder import Lineup
from paddock_ladder.schedules.matchmaker import Matchmaker, Present, RatedFormat
from paddock_server.basics.identity import new_match_id
from paddock_server.lobby.lobby import Lobby
from paddock_server.referee.plan import Plan
from paddock_server.store import ratings, tournament_matches, tournaments
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.epochs import constants_of, parameters_of
from paddock_server.store.tournament_log import add_log
from paddock_server.tables.notices import Finished, MatchDealt, MatchStuck
from paddock_server.tournaments.definition import Definition
from paddock_server.tournaments.log import SERVER, line

_REMEMBERED: Final = 10_000  # tables whose bots are known to have met, after a restart


class LadderRunning:
    """A running ladder: a tournament without an end, or one that ends after a number of matches.

    The `Matchmaker` decides which bots are paired, and when. It is asked whenever a match ends and
    whenever the desk looks, once per second.
    """

    def __init__(
        self,
        lobby: Lobby,
        database: Database,
        definition: Definition,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.definition = definition
        self.done = asyncio.Event()
        self.stopped = False
        self.over = 0
        self._started = False
        self._lobby = lobby
        self._database = database
        self._clock = clock
        self._matchmaker = self._new_matchmaker(constants_of)
        self._ids: dict[str, Lineup] = {}  # of matches that are not over
        self.turn = asyncio.Lock()  # while it is held, nobody is paired

    def _new_matchmaker(self, parameters: Callable[[str], Parameters]) -> Matchmaker:
        formats = [RatedFormat(each, parameters(each.format)) for each in self.definition.formats]
        return Matchmaker(formats, owners_may_meet=self.definition.owners_may_meet)

    async def start(self) -> None:
        """Resume from the stored matches, and pair bots."""
        name = self.definition.name
        self._matchmaker = await self._database.read(
            lambda connection: self._new_matchmaker(partial(parameters_of, connection))
        )
        # Read by the writer: matches that ended before are counted, later ends are reported to us.
        rows, tables, self.over = await self._database.writer.write(
            lambda connection: (
                tournament_matches.pairings(connection, name),
                tournament_matches.last_tables(connection, name, _REMEMBERED),
                tournament_matches.count_over(connection, name),
            )
        )
        for bots in tables:
            self._matchmaker.remember(bots)
        for row in rows:
            table = self._ids[row.match_id] = Lineup(row.format, row.bots)
            self._matchmaker.begun(table)
        self._started = True
        for seating in self.definition.formats:
            await self.rated_again(seating.format)
        await self.advance()

    async def rated_again(self, format_name: str) -> None:
        """Take over the ratings of a format as they are stored now."""
        if format_name in [seating.format for seating in self.definition.formats]:
            # Read by the writer: later changes are reported to us later.
            rows = await self._database.writer.write(
                lambda connection: ratings.standings(connection, format_name)
            )
            self._matchmaker.rated_again(format_name, {row.bot: row.rating for row in rows})

    def change(self, definition: Definition, _history: Iterable[Outcome]) -> None:
        """Use this definition from now on; the caller holds the turn."""
        self.definition = definition

    def voided(self) -> None:
        """Note that a match that was over does not count any more."""
        self.over -= 1

    async def advance(self) -> None:
        """Withdraw the matches that wait for bots that left, and pair the others."""
        gone = departed(self.definition.changes)
        if gone and self._ids:
            await self._take_back({seating.format: gone for seating in self.definition.formats})
        await self.pair()

    async def pair(self) -> None:
        """Submit the matches that the matchmaker wants now."""
        async with self.turn:
            while not self.stopped and not self._full():
                tables = self._tables()
                if not tables:
                    break
                ids = await self._lobby.play([self._plan(table) for table in tables])
                self._ids.update(zip(ids, tables, strict=True))
            if self._full() and not self._ids and not self.done.is_set():
                await self._finish()

    async def _finish(self) -> None:
        name = self.definition.name
        done = line(name, SERVER, "done")

        def finish(connection: Connection) -> None:
            tournaments.change_tournament(connection, name, "done", done.at)
            add_log(connection, [done])

        await self._database.writer.write(finish)
        self.done.set()

    def _full(self) -> bool:
        most = self.definition.matches
        return bool(most) and self.over + len(self._ids) >= most

    def _tables(self) -> Sequence[Lineup]:
        most = self.definition.matches or sys.maxsize
        return self._matchmaker.tables(
            self._present(),
            most - self.over - len(self._ids),
            self._clock(),
            secrets.randbits(64),  # nobody can predict whom a bot will meet
        )

    def _present(self) -> Iterator[Present]:
        """The bots that take part: connected, entered, not withdrawn, not on probation."""
        names = {seating.format for seating in self.definition.formats}
        entered, gone = set(self.definition.names), departed(self.definition.changes)
        presence = self._lobby.presence
        for here in presence.players():
            plays = names.intersection(here.formats)
            entered_here = not self.definition.bots or here.bot in entered
            away = not entered_here or here.bot in gone or presence.probation(here.bot)
            if plays and not away:
                most = min(self.definition.at_once, here.max_matches)
                yield Present(here.bot, here.owner, plays, most)

    def _plan(self, table: Lineup) -> Plan:
        rules = self.definition.rules[table.format]
        return Plan(
            table.format, rules, table.bots, self.definition.clock,
            rated=self.definition.rated, tournament=self.definition.name,
            pairing=f"{table.format}/{new_match_id()}",  # no schedule gives it a key
        )  # fmt: skip

    # --- what happens -----------------------------------------------------------------------

    async def dealt(self, dealt: MatchDealt) -> None:
        """Do nothing: every match has its own deal."""

    async def finished(self, finished: Finished) -> None:
        """Note the end of a match, and pair its bots again."""
        if not self._started:
            return
        plan = finished.plan
        if self._ids.pop(finished.id, None) is not None:  # else it was stuck before
            self._matchmaker.ended(Lineup(plan.format, plan.bots), self._clock())
        self.over += 1
        for bot, change in zip(plan.bots, finished.changes, strict=False):
            self._matchmaker.rated(bot, plan.format, change.after)
        await self.pair()

    async def stuck(self, stuck: MatchStuck) -> None:
        """Pair the bots of a match that was set aside again."""
        if self._ids.pop(stuck.id, None) is not None:
            self._matchmaker.ended(Lineup(stuck.plan.format, stuck.plan.bots), self._clock())
            await self.pair()

    async def stop(self) -> None:
        """Stop: waiting matches are withdrawn, open matches finish."""
        self.stopped = True
        name = self.definition.name
        async with self.turn:  # matches being submitted have to be known before they are withdrawn
            for match_id in list(self._ids):
                if self._lobby.withdraw(match_id) is not None:
                    del self._ids[match_id]
            await self._database.writer.write(
                lambda connection: tournament_matches.remove_waiting(connection, name)
            )

    def pending(self) -> list[Lineup]:
        """The matches that have not begun."""
        return [table for match_id, table in self._ids.items() if self._lobby.waits(match_id)]

    async def look(self, away: Mapping[str, Collection[str]]) -> None:
        """Withdraw the matches that wait for absent bots (by format), and pair connected bots."""
        if any(away.values()) and self._ids:
            await self._take_back(away)
        await self.pair()

    async def _take_back(self, away: Mapping[str, Collection[str]]) -> None:
        name = self.definition.name
        numbers = []
        async with self.turn:
            for match_id, table in list(self._ids.items()):
                if set(table.bots).isdisjoint(away.get(table.format, ())):
                    continue
                number = self._lobby.withdraw(match_id)
                if number is not None:
                    numbers.append(number)
                    del self._ids[match_id]
                    self._matchmaker.ended(table)
            await self._database.writer.write(
                lambda connection: tournament_matches.remove_waiting(connection, name, numbers)
            )
