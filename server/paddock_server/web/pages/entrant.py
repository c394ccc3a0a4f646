"""The page of a bot in one tournament: its results, head to head and matches."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from paddock_server.store import pages, store
from paddock_server.store.database import Database
from paddock_server.store.pages import SeatRow
from paddock_server.store.rows import MatchFilter
from paddock_server.web.page import Page
from paddock_server.web.pages.bot import Bots
from paddock_server.web.pages.bot_results import Results
from paddock_server.web.pages.matches import NAME, MatchLine, match_line
from paddock_server.web.pages.standings import (
    PairDifference,
    StandingsTable,
    TournamentStanding,
    tables_of,
)
from paddock_server.web.pages.tournament import Tournaments
from paddock_server.web.visit import Missing, Parameter, Visit

_SEATS: Final = 2000  # matches that results are computed from
_LISTED: Final = 100


class EntrantFormat(NamedTuple):
    """A bot's matches of one format in a tournament."""

    format: str
    place: int  # in the format's table; 0: it has no place
    shared: bool  # with bots that have equal numbers
    first: int  # how often it was first, shared ones included
    points: float  # per match
    faults: int
    forfeits: int
    results: Results
    meetings: tuple[PairDifference, ...]  # with each of the others; points of formats don't compare


class EntrantValues(NamedTuple):
    """A bot in a tournament."""

    tournament: str
    bot: str
    place: int  # in the standings; 0: it has no place
    shared: bool  # with bots that have equal numbers
    bots: int  # in the standings
    formats: tuple[EntrantFormat, ...]
    matches: tuple[MatchLine, ...]  # the newest first, at most 100


class Entrants:
    """The pages of bots in tournaments."""

    def __init__(self, database: Database, tournaments: Tournaments, bots: Bots) -> None:
        self._database = database
        self._tournaments = tournaments
        self._bots = bots

    async def values(self, visit: Visit) -> EntrantValues:
        """A bot in a tournament."""
        tournament, bot = visit.path["tournament"], visit.path["bot"]
        read = self._database.read
        report = await self._tournaments.report(tournament)
        seats = await read(pages.last_seats, bot, _SEATS, tournament)
        matches = await read(
            store.list_matches, None, _LISTED, MatchFilter(bot=bot, tournament=tournament)
        )
        overall, tables = tables_of(report)
        mine = _line(overall, bot)
        played = [table for table in tables if any(seat.format == table.format for seat in seats)]
        if mine is None and not matches:
            raise Missing(f"{bot} is not in {tournament}; look at the tournament's page")
        return EntrantValues(
            tournament=tournament,
            bot=bot,
            place=mine.place if mine else 0,
            shared=mine.shared if mine else False,
            bots=len(overall.lines),
            formats=tuple([await self._format(table, bot, seats) for table in played]),
            matches=tuple(map(match_line, matches)),
        )

    async def _format(
        self, table: StandingsTable, bot: str, seats: Sequence[SeatRow]
    ) -> EntrantFormat:
        mine = [seat for seat in seats if seat.format == table.format]
        line = _line(table, bot)
        return EntrantFormat(
            format=table.format,
            place=line.place if line else 0,
            shared=line.shared if line else False,
            first=sum(seat.rank == 1 for seat in mine),
            points=sum(seat.total for seat in mine) / len(mine),
            faults=sum(seat.faults for seat in mine),
            forfeits=sum(seat.forfeit for seat in mine),
            results=await self._bots.results(mine, table.format),
            meetings=tuple(each for each in table.cross if each.bot == bot),
        )

    def pages(self) -> list[Page]:
        """A bot in a tournament."""
        names = (
            Parameter("tournament", "The tournament's name.", pattern=NAME),
            Parameter("bot", "The bot's name.", pattern=NAME),
        )
        summary = "A bot in a tournament: place, results by format, head to head, its matches."
        address = "/tournaments/{tournament}/bots/{bot}"
        return [
            Page(
                address=address,
                summary=summary,
                kind=EntrantValues,
                values=self.values,
                template="entrant.html",
                in_path=names,
            )
        ]


def _line(table: StandingsTable, bot: str) -> TournamentStanding | None:
    return next((line for line in table.lines if line.bot == bot), None)
