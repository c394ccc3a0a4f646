"""Matches in lists: who played whom, and how it ended."""

from typing import Final, NamedTuple

from paddock_games import FORMATS
from paddock_server.arena.arena import Arena
from paddock_server.store import store
from paddock_server.store.rows import MatchRow
from paddock_server.web.page import Page, Sheet
from paddock_server.web.visit import Parameter, Visit

SIZE: Final = 50
STATES: Final = ("waiting", "open", "finished", "declared")
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
    """The matches of an arena."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena

    async def values(self, visit: Visit) -> MatchesValues:
        """A page of matches."""
        wanted = visit.query
        rows = await self._arena.database.read(
            store.list_matches, wanted["before"] or None, SIZE + 1, wanted["state"],
            wanted["bot"], wanted["format"], wanted["tournament"],
        )  # fmt: skip
        following = rows[SIZE - 1].number if len(rows) > SIZE else 0
        return MatchesValues(tuple(map(match_line, rows[:SIZE])), following)

    def pages(self) -> list[Page]:
        """The list of matches."""
        query = (
            Parameter("state", "Only matches in this state.", among=("", *STATES)),
            Parameter("format", "Only matches of this format.", among=("", *FORMATS)),
            Parameter("bot", "Only matches of this bot.", pattern=f"({NAME})?"),
            Parameter("tournament", "Only matches of this tournament.", pattern=f"({NAME})?"),
            Parameter("before", "From behind the last page on.", default=0),
        )
        columns = ("match", "format", "state", "seat", "bot", "owner", "total", "rank", "faults",
                   "fallbacks", "forfeit", "started", "ended", "tournament", "block")  # fmt: skip
        sheet = Sheet("list.csv", columns, _rows)
        told = "Matches, the newest first, 50 at a time."
        return [
            Page("/matches", told, MatchesValues, self.values, "matches.html", (), query, sheet)
        ]


NOT_OVER: Final = {"total": None, "rank": None, "faults": 0, "fallbacks": 0, "forfeit": False}


def _rows(values: MatchesValues) -> list[tuple[object, ...]]:
    return [
        (line.match, line.format, line.state, number, seat.bot, seat.owner, seat.total, seat.rank,
         seat.faults, seat.fallbacks, seat.forfeit, line.started, line.ended, line.tournament,
         line.block)
        for line in values.matches
        for number, seat in enumerate(line.seats)
    ]  # fmt: skip


def match_line(row: MatchRow) -> MatchLine:
    """A match for a list; nothing of its opening that is secret is in it."""
    bots = row.opening["bots"]
    seats = row.opening.get("seats") or [("", "", False)] * len(bots)
    results = row.results or [NOT_OVER] * len(bots)
    made = [
        SeatLine(
            bot, version, owner, result["total"], result["rank"], result["faults"],
            result["fallbacks"], bool(result["forfeit"]),
        )
        for bot, (version, owner, _), result in zip(bots, seats, results, strict=True)
    ]  # fmt: skip
    return MatchLine(
        row.id, row.format, row.state, tuple(made), row.started, row.ended, row.tournament,
        row.block, row.round, row.rated is not None, row.void,
    )  # fmt: skip
