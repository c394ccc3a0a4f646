"""A bot in one tournament: how it did there, against whom, and in which matches."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from paddock_games import FORMATS
from paddock_server.arena.arena import Arena
from paddock_server.store import pages, store
from paddock_server.store.pages import SeatRow
from paddock_server.web.bot import Bots, Results
from paddock_server.web.matches import NAME, MatchLine, match_line
from paddock_server.web.page import Page
from paddock_server.web.tournament import Meeting, Tournaments
from paddock_server.web.visit import Parameter, Visit, Wrong

_SEATS: Final = 2000  # matches that results are told of
_LISTED: Final = 100


class EntrantFormat(NamedTuple):
    """A bot's matches of one format in a tournament."""

    format: str
    first: int  # how often it was first, shared ones included
    points: float  # a match
    faults: int
    forfeits: int
    results: Results


class EntrantValues(NamedTuple):
    """A bot in a tournament."""

    tournament: str
    bot: str
    place: int  # in the standings; 0: it has none
    bots: int  # in the standings
    formats: tuple[EntrantFormat, ...]
    meetings: tuple[Meeting, ...]  # with each of the others
    matches: tuple[MatchLine, ...]  # the newest first, at most 100


class Entrants:
    """The pages of bots in tournaments."""

    def __init__(self, arena: Arena, tournaments: Tournaments, bots: Bots) -> None:
        self._arena = arena
        self._tournaments = tournaments
        self._bots = bots

    async def values(self, visit: Visit) -> EntrantValues:
        """A bot in a tournament."""
        tournament, bot = visit.path["tournament"], visit.path["bot"]
        read = self._arena.database.read
        report = await self._tournaments.report(tournament)
        seats = await read(pages.last_seats, bot, _SEATS, tournament)
        matches = await read(store.list_matches, None, _LISTED, "", bot, "", tournament)
        placed = [line.bot for line in report.standings]
        if bot not in placed and not matches:
            raise Wrong(404, f"{bot} is not in {tournament}; look at the tournament's page")
        return EntrantValues(
            tournament,
            bot,
            placed.index(bot) + 1 if bot in placed else 0,
            len(placed),
            tuple([await self._format(each, seats) for each in _formats(seats)]),
            tuple(
                Meeting(bot, other, met.mean, met.error, met.matches)
                for (one, other), met in report.cross.items()
                if one == bot
            ),
            tuple(map(match_line, matches)),
        )

    async def _format(self, format_name: str, seats: Sequence[SeatRow]) -> EntrantFormat:
        mine = [seat for seat in seats if seat.format == format_name]
        return EntrantFormat(
            format_name,
            sum(seat.rank == 1 for seat in mine),
            sum(seat.total for seat in mine) / len(mine),
            sum(seat.faults for seat in mine),
            sum(seat.forfeit for seat in mine),
            await self._bots.results(mine, format_name),
        )

    def pages(self) -> list[Page]:
        """A bot in a tournament."""
        names = (
            Parameter("tournament", "The tournament's name.", pattern=NAME),
            Parameter("bot", "The bot's name.", pattern=NAME),
        )
        told = "A bot in a tournament: place, results by format, head to head, its matches."
        address = "/tournaments/{tournament}/bots/{bot}"
        return [Page(address, told, EntrantValues, self.values, "entrant.html", names)]


def _formats(seats: Sequence[SeatRow]) -> list[str]:
    """The formats that were played, in the order of the registry."""
    played = {seat.format for seat in seats}
    return [name for name in FORMATS if name in played]
