"""The list of matches: who played, and the results."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from paddock_games import FORMATS
from paddock_server.referee.plan import Entrant
from paddock_server.referee.result import SeatResult
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchFilter, MatchRow
from paddock_server.web.page import Page, Sheet
from paddock_server.web.visit import Parameter, Visit

SIZE: Final = 50
STATES: Final = ("waiting", "open", "finished", "declared", "stuck")
NAME: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}"


class SeatLine(NamedTuple):
    """A seat of a match: who sat there, and how it ended."""

    bot: str
    version: str
    owner: str
    total: int | None  # null before the end
    rank: int | None
    faults: int
    fallbacks: int
    forfeit: bool


class MatchLine(NamedTuple):
    """A match in a list."""

    match: str
    format: str
    state: str
    seats: tuple[SeatLine, ...]
    started: str
    ended: str
    tournament: str
    block: str
    round: int
    rated: bool
    void: str  # why it does not count; empty: it does


class MatchesValues(NamedTuple):
    """A page of matches, the newest first."""

    matches: tuple[MatchLine, ...]
    next: int  # `before` of the next page; 0: this was the last


class Matches:
    """The list of matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def values(self, visit: Visit) -> MatchesValues:
        """A page of matches."""
        wanted = visit.query
        rows = await self._database.read(
            store.list_matches,
            wanted["before"] or None,
            SIZE + 1,
            MatchFilter(wanted["state"], wanted["bot"], wanted["format"], wanted["tournament"]),
        )
        following = rows[SIZE - 1].number if len(rows) > SIZE else 0
        return MatchesValues(tuple(map(match_line, rows[:SIZE])), following)

    def pages(self) -> list[Page]:
        """The list of matches."""
        query = (
            Parameter("state", "Only matches in this state.", among=("", *STATES)),
            Parameter("format", "Only matches of this format.", among=("", *FORMATS)),
            Parameter("bot", "Only matches of this bot.", pattern=f"({NAME})?"),
            Parameter("tournament", "Only matches of this tournament.", pattern=f"({NAME})?"),
            Parameter(
                "before", "Only matches before this number: `next` of the page before.", default=0
            ),
        )
        columns = ("match", "format", "state", "seat", "bot", "owner", "total", "rank", "faults",
                   "fallbacks", "forfeit", "started", "ended", "tournament", "block")  # fmt: skip
        sheet = Sheet("list.csv", columns, _rows)
        summary = "Matches, the newest first, 50 at a time."
        return [
            Page(
                address="/matches",
                summary=summary,
                kind=MatchesValues,
                values=self.values,
                template="matches.html",
                in_path=(),
                in_query=query,
                sheet=sheet,
            )
        ]


def _rows(values: MatchesValues) -> list[tuple[object, ...]]:
    return [
        (line.match, line.format, line.state, number, seat.bot, seat.owner, seat.total, seat.rank,
         seat.faults, seat.fallbacks, seat.forfeit, line.started, line.ended, line.tournament,
         line.block)
        for line in values.matches
        for number, seat in enumerate(line.seats)
    ]  # fmt: skip


def match_line(row: MatchRow) -> MatchLine:
    """A match for a list, without anything secret."""
    return MatchLine(
        match=row.id,
        format=row.format,
        state=row.state,
        seats=seat_lines(row.entrants, row.results),
        started=row.started,
        ended=row.ended,
        tournament=row.tournament,
        block=row.block,
        round=row.round,
        rated=row.rated is not None,
        void=row.void,
    )


def seat_lines(entrants: Sequence[Entrant], results: Sequence[SeatResult]) -> tuple[SeatLine, ...]:
    """The seats of a match; before its end there are no results."""
    return tuple(
        SeatLine(
            bot=entrant.bot,
            version=entrant.version,
            owner=entrant.owner,
            total=result.total if result else None,
            rank=result.rank if result else None,
            faults=result.faults if result else 0,
            fallbacks=result.fallbacks if result else 0,
            forfeit=result.forfeit if result else False,
        )
        for entrant, result in zip_longest(entrants, results)
    )
