"""The first page: what this is, how to enter a bot, what is going on now."""

from typing import Final, NamedTuple

from paddock_server.arena.arena import Arena
from paddock_server.standings import OVERALL
from paddock_server.store import pages, store, tournaments
from paddock_server.store.pages import Counts
from paddock_server.web.answer import Kept
from paddock_server.web.ladder import Ladder, LadderLine, ladder_line
from paddock_server.web.matches import MatchLine, match_line
from paddock_server.web.page import Page
from paddock_server.web.visit import Visit

_COUNT_SECONDS: Final = 10.0  # counting a million matches takes a moment
_LEADERS: Final = 5
_RECENT: Final = 8
_OPEN: Final = 8


class Going(NamedTuple):
    """A tournament that runs."""

    name: str
    schedule: str
    formats: tuple[str, ...]


class HomeValues(NamedTuple):
    """What is going on."""

    bots: int
    connected: int
    finished: int
    open: int
    waiting: int
    leaders: tuple[LadderLine, ...]
    running: tuple[Going, ...]
    live: tuple[MatchLine, ...]
    recent: tuple[MatchLine, ...]


class Home:
    """The first page of an arena."""

    def __init__(self, arena: Arena, ladder: Ladder) -> None:
        self._arena = arena
        self._ladder = ladder
        self._counts: Kept[Counts] = Kept(_COUNT_SECONDS)

    async def values(self, _visit: Visit) -> HomeValues:
        """What is going on."""
        read = self._arena.database.read
        counted = await self._counts.get("", lambda: read(pages.counts))
        running = await read(tournaments.list_tournaments, _OPEN, None, "running")
        recent = await read(store.list_matches, None, _RECENT, "finished")
        live = await read(store.list_matches, None, _OPEN, "open")
        ranking = await self._ladder.table(OVERALL)
        return HomeValues(
            counted.bots,
            len(self._arena.hall.sessions),
            counted.finished,
            len(self._arena.tables),
            counted.waiting,
            tuple(ladder_line(line) for line in ranking.lines[:_LEADERS]),
            tuple(
                Going(row.name, row.definition["schedule"], tuple(row.definition["formats"]))
                for row in running
            ),
            tuple(map(match_line, live)),
            tuple(map(match_line, recent)),
        )

    def pages(self) -> list[Page]:
        """Home."""
        told = "What is going on: how many play, who leads, what runs, what was just played."
        return [Page("/", told, HomeValues, self.values, "home.html", api_address="/api/home")]
