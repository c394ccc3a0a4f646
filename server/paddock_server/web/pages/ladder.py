"""The pages of the ladders: ranks, their intervals and trends."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from paddock_games import FORMATS
from paddock_ladder.overall import overall
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.row import LadderRow
from paddock_ladder.standing import LEVEL
from paddock_server.standings.ladders import Ladders
from paddock_server.standings.tables import OVERALL, Computed, Kind, Ranking, Superiority
from paddock_server.store import pages
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.epochs import Epoch
from paddock_server.store.pages import RatedStep
from paddock_server.visitors.cache import Cache
from paddock_server.web.page import Page, Sheet
from paddock_server.web.visit import Parameter, Visit

_SIZE: Final = 50  # lines per page by default
_BEST: Final = 10  # bots that are compared with each other
_TREND: Final = 20  # matches of a trend line
_TRENDS: Final = 50_000  # trend lines that are kept
COLUMNS: Final = tuple(name for name in LadderRow._fields if name != "trend")
"""The columns that a ladder can be sorted by."""
SHEET_COLUMNS: Final = (*COLUMNS, "table")
"""The columns of a ladder as CSV."""
_UPWARDS: Final = ("rank", "best", "worst")  # the other numbers are sorted with the most first


class Tab(NamedTuple):
    """A ladder that can be chosen."""

    format: str
    bots: int


class EpochValues(NamedTuple):
    """A rating epoch: the constants of a ladder, since when, and why."""

    number: int
    since: str
    why: str
    sigma: float
    beta: float
    tau: float
    draw_probability: float
    text: str  # for people


class LadderValues(NamedTuple):
    """A page of a ladder."""

    format: str
    table: str  # standing: by the whole history; live: match by match
    asked: str  # the table asked for; without a standing the live table is shown instead
    computed: Computed | None  # when the standing was computed, and from what
    epoch: EpochValues | None  # None for the overall ladder
    tabs: tuple[Tab, ...]
    level: float
    bots: int  # on this ladder
    found: int  # that fit the search
    page: int
    pages: int
    low: float  # the ends of the scale of all ratings
    high: float
    lines: tuple[LadderRow, ...]
    superiority: tuple[Superiority, ...]  # of the best against each other, on the standing


class _Last(NamedTuple):
    """The last match of a bot that was rated: when, and how many there were by then."""

    changed: str
    matches: int


class _Trend(NamedTuple):
    """A bot's live rating after each of its last matches, the oldest first."""

    last: _Last
    ratings: tuple[float, ...]


class Ladder:
    """The ladders of a database, cached for a moment."""

    def __init__(self, database: Database, ladders: Ladders) -> None:
        self._database = database
        self._ladders = ladders
        self._formats: Cache[Mapping[str, int]] = Cache()
        self._trends: dict[tuple[str, str], _Trend] = {}  # by format and bot

    async def table(self, format_name: str, kind: Kind = Kind.STANDING) -> Ranking:
        """A table of a format, or of all together."""
        return await self._ladders.table(format_name, kind)

    async def tabs(self) -> tuple[Tab, ...]:
        """The ladders with matches, the overall one first."""
        bots = await self._formats.get("", lambda: self._database.read(pages.count_rated))
        everybody = len((await self.table(OVERALL)).rows)
        return (Tab(OVERALL, everybody), *(Tab(f, bots[f]) for f in FORMATS if f in bots))

    async def values(self, visit: Visit) -> LadderValues:
        """A page of a ladder."""
        format_name = visit.path.get("format", OVERALL)
        asked = Kind(visit.query["table"] or Kind.STANDING)
        ranking = await self.table(format_name, asked)
        live = ranking.kind is Kind.LIVE
        wanted = visit.query["q"].lower()
        rows = [
            row for row in ranking.rows if wanted in row.bot.lower() or wanted in row.owner.lower()
        ]
        if visit.query["sort"]:
            rows.sort(key=partial(_sort_key, visit.query["sort"]))
        if visit.query["order"] == "reversed":
            rows.reverse()
        size = visit.query["size"]
        pages_there = max(1, -(-len(rows) // size))
        page = min(visit.query["page"], pages_there)
        shown = rows[size * (page - 1) : size * page]
        if live:
            shown = await self._with_trends(shown, format_name)
        best: Sequence[Superiority] = ()
        if not live and format_name != OVERALL:
            best = await self._ladders.superiority(format_name, _BEST)
        return LadderValues(
            format=format_name,
            table=ranking.kind.value,
            asked=asked.value,
            computed=ranking.computed,
            epoch=_epoch(ranking.epoch) if ranking.epoch else None,
            tabs=await self.tabs(),
            level=LEVEL,
            bots=len(ranking.rows),
            found=len(rows),
            page=page,
            pages=pages_there,
            low=min((row.mu - 3 * row.sigma for row in ranking.rows), default=0.0),
            high=max((row.mu + 3 * row.sigma for row in ranking.rows), default=50.0),
            lines=tuple(shown),
            superiority=tuple(best),
        )

    async def _with_trends(self, rows: Sequence[LadderRow], format_name: str) -> list[LadderRow]:
        """These rows with their trends, read again only for bots that have played since."""
        last = {row.bot: _Last(row.changed, row.matches) for row in rows}
        trends = {
            bot: trend
            for bot in last
            if (trend := self._trends.get((format_name, bot))) and trend.last == last[bot]
        }
        missing = [bot for bot in last if bot not in trends]
        if missing:
            ratings = await self._database.read(_trends, missing, format_name)
            for bot in missing:
                trends[bot] = _Trend(last[bot], tuple(ratings[bot]))
                self._trends[format_name, bot] = trends[bot]
            while len(self._trends) > _TRENDS:
                del self._trends[next(iter(self._trends))]
        return [row._replace(trend=trends[row.bot].ratings) for row in rows]

    def pages(self) -> list[Page]:
        """The ladder over all formats, and that of each."""
        kinds = tuple(kind.value for kind in Kind)
        query = (
            Parameter("table", "The table; empty: the standing.", among=("", *kinds)),
            Parameter("q", "Only bots whose name or owner contains this."),
            Parameter("sort", "The column to sort by; empty: the rank.", among=("", *COLUMNS)),
            Parameter("order", "`reversed` sorts the other way round.", among=("", "reversed")),
            Parameter("page", "The page, from 1.", default=1, least=1, most=1_000_000),
            Parameter("size", "Lines per page.", default=_SIZE, least=1, most=1000),
        )
        name = Parameter("format", "The ladder.", among=(OVERALL, *FORMATS))
        summary = "The standings of a format, or overall, page by page."
        sheet = Sheet(
            "table.csv",
            SHEET_COLUMNS,
            lambda values: (csv_values(line, values.table) for line in values.lines),
        )
        return [
            Page("/ladder", "The standings over all formats.", LadderValues, self.values,
                 "ladder.html", in_query=query, sheet=sheet),
            Page("/ladder/{format}", summary, LadderValues, self.values, "ladder.html",
                 in_path=(name,), in_query=query, sheet=sheet),
        ]  # fmt: skip


def csv_values(row: LadderRow, table: str) -> list[Any]:
    """A row of this table of a ladder as CSV, by SHEET_COLUMNS."""
    return [*(getattr(row, name) for name in COLUMNS), table]


def _sort_key(column: str, row: LadderRow) -> tuple[bool, Any]:
    """Names from A to Z, ranks from the best, other numbers from the most; what is missing last."""
    value = getattr(row, "mu" if column == "rating" else column)
    if isinstance(value, str):
        return False, value.lower()
    if value is None:
        return True, 0
    return False, value if column in _UPWARDS else -value


def _epoch(epoch: Epoch) -> EpochValues:
    constants = epoch.parameters
    return EpochValues(
        number=epoch.number,
        since=epoch.since,
        why=epoch.why,
        sigma=constants.sigma,
        beta=constants.beta,
        tau=constants.tau,
        draw_probability=constants.draw_probability,
        text=epoch.text,
    )


def _trends(connection: Connection, bots: list[str], format_name: str) -> dict[str, list[float]]:
    one = "" if format_name == OVERALL else format_name
    steps = pages.last_rated(connection, bots, one, _TREND)
    if one:
        return {bot: [s.after.conservative for s in reversed(last)] for bot, last in steps.items()}
    now = pages.ratings_of(connection, bots)
    return {bot: _overall_trend(now[bot], steps[bot]) for bot in bots}


def _overall_trend(now: dict[str, Rating], steps: Sequence[RatedStep]) -> list[float]:
    """The overall rating after each match, computed backwards from the newest."""
    ratings = dict(now)
    trend = []
    for step in steps:
        trend.append(overall(ratings, Parameters(0.0)).conservative)
        ratings[step.format] = step.before
    return trend[::-1]
