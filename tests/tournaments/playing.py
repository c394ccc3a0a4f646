"""A desk and a server without a network, killed and taken up again as often as a test wants."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from paddock_games import FORMATS
from paddock_ladder.schedules import Outcome
from paddock_server.store import store, tournament_log, tournament_matches
from paddock_server.store.rows import MatchFilter, MatchRow
from paddock_server.store.tournament_log import LogRow
from paddock_server.tournaments.changes import Changes
from paddock_server.tournaments.definition import LADDER, Definition, define
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.reading import read_file
from tests.lobby.playing import PATIENT, Bot, Finished, Rooms, running

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")


class Life(NamedTuple):
    """One life of a server."""

    rooms: Rooms
    desk: Desk
    bots: dict[str, Bot]
    finished: Finished

    @property
    def changes(self) -> Changes:
        """What an organiser does."""
        return Changes(self.desk, self.rooms.database)

    async def outcomes(self) -> list[Outcome]:
        """What is over of the cup, and counts."""
        return await self.rooms.database.read(tournament_matches.outcomes, "cup")

    async def log(self) -> list[LogRow]:
        """The log of the cup, the oldest line first."""
        rows = await self.rooms.database.read(tournament_log.list_log, "cup", 1000)
        return rows[::-1]

    async def rows(self, state: str = "") -> list[MatchRow]:
        """The matches of the cup, the oldest first."""
        list_matches = store.list_matches
        found = await self.rooms.database.read(
            list_matches, None, 1000, MatchFilter(state, tournament="cup")
        )
        return found[::-1]

    async def until_over(self, name: str) -> None:
        """Until the tournament is done."""
        if name in self.desk.running:
            await self.desk.running[name].done.wait()


@asynccontextmanager
async def life(
    path: Path,
    bots: Sequence[str] = NAMES,
    clock: Callable[[], datetime] = lambda: NOON,
    **how: Any,
) -> AsyncIterator[Life]:
    """A server with these bots connected; it dies at the end, whatever is under way."""
    async with running(path, PATIENT) as rooms:
        desk = Desk(rooms.lobby, rooms.database, clock)
        rooms.tables.listeners.append(desk)
        finished = Finished(rooms.tables)
        here = {name: Bot(rooms, name, formats=tuple(FORMATS), **how) for name in bots}
        await desk.start()
        try:
            yield Life(rooms, desk, here, finished)
        finally:
            desk.close()
            for bot in here.values():
                bot.leave()


def defined(**given: Any) -> Definition:
    """A tournament of these settings."""
    usual: dict[str, Any] = {"name": "cup", "formats": ["two-player"], "bots": list(NAMES)}
    if given["schedule"] != LADDER:
        usual["rotations"] = True
    return define(read_file({**usual, **given}, "the tournament"))
