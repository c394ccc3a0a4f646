"""The ladder: everybody's place, how sure it is, and where it is heading."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from paddock_games import FORMATS
from paddock_ladder.overall import overall
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.standing import LEVEL
from paddock_server.standings import tables as standings
from paddock_server.standings.tables import OVERALL, Computed, Kind, Line, Ranking, Superiority
from paddock_server.store import pages
from paddock_server.store.database import Database
from paddock_server.store.epochs import Epoch
from paddock_server.store.pages import RatedStep
from paddock_server.web.answer import Kept
from paddock_server.web.page import Page, Sheet
from paddock_server.web.visit import Parameter, Visit

_SIZE: Final = 50  # lines of a page, unless somebody wants more
_BEST: Final = 10  # bots that are compared with each other
_TREND: Final = 20  # matches of a trend line
_TRENDS: Final = 50_000  # trend lines that are kept
_SORTS: Final[Mapping[str, Callable[[Line], Any]]] = {
    "rank": lambda line: line.place.rank if line.place else math.inf,
    "bot": lambda line: line.row.bot.lower(),
    "owner": lambda line: line.row.owner.lower(),
    "language": lambda line: line.row.language.lower(),
    "rating": lambda line: -line.row.rating.mu,
    "matches": lambda line: -line.row.matches,
    "points": lambda line: -line.row.points_a_match,
    "faults": lambda line: -line.row.faults,
    "fallbacks": lambda line: -line.row.fallbacks,
    "change": lambda line: -line.row.change,
}


class Tab(NamedTuple):
    """A ladder that can be chosen."""

    format: str
    bots: int


class LadderLine(NamedTuple):
    """A bot on a ladder; its true rank is from best to worst, at the table's level."""

    rank: int | None  # none where it has not played enough for a place, and so for the next two
    best: int | None
    worst: int | None
    bot: str
    owner: str
    language: str  # as the bot says itself
    version: str
    rating: float  # what the strength is at least: mu less three sigma
    mu: float
    sigma: float
    matches: int
    points: float  # a match
    wins: float
    faults: int
    fallbacks: int
    forfeits: int
    change: float  # of the live rating, by the last match
    changed: str
    provisional: bool
    idle: bool
    trend: tuple[float, ...]  # the live rating after each of its last matches, the oldest first


class EpochValues(NamedTuple):
    """The constants that a ladder goes by, since when, and why."""

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
    asked: str  # for; where no standing was computed yet, the live table is shown instead
    computed: Computed | None  # when the whole history was computed, and what from
    epoch: EpochValues | None  # none over all formats
    tabs: tuple[Tab, ...]
    level: float
    bots: int  # on this ladder
    found: int  # that fit the search
    page: int
    pages: int
    low: float  # the ends of the scale of all ratings
    high: float
    lines: tuple[LadderLine, ...]
    superiority: tuple[Superiority, ...]  # of the best against each other, on the standing


class Ladder:
    """The ladders of a database, kept for a moment."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tables: Kept[Ranking] = Kept()
        self._superiority: Kept[list[Superiority]] = Kept()
        self._formats: Kept[Mapping[str, int]] = Kept()
        self._trends: dict[tuple[str, str], tuple[tuple[str, int], list[float]]] = {}

    async def table(self, format_name: str, kind: Kind = Kind.STANDING) -> Ranking:
        """A table of a format, or of all together."""
        return await self._tables.get(
            f"{format_name} {kind}", lambda: self._database.read(standings.table, format_name, kind)
        )

    async def _best(self, format_name: str) -> list[Superiority]:
        return await self._superiority.get(
            format_name, lambda: self._database.read(standings.superiority, format_name, _BEST)
        )

    async def tabs(self) -> tuple[Tab, ...]:
        """The ladders there are, the overall one first."""
        found = await self._formats.get("", lambda: self._database.read(pages.count_rated))
        everybody = len((await self.table(OVERALL)).lines)
        return (Tab(OVERALL, everybody), *(Tab(f, found[f]) for f in FORMATS if f in found))

    async def values(self, visit: Visit) -> LadderValues:
        """A page of a ladder."""
        format_name = visit.path.get("format", OVERALL)
        asked = Kind(visit.query["table"] or Kind.STANDING)
        ranking = await self.table(format_name, asked)
        live = ranking.kind is Kind.LIVE
        wanted = visit.query["q"].lower()
        lines = [
            line for line in ranking.lines
            if wanted in line.row.bot.lower() or wanted in line.row.owner.lower()
        ]  # fmt: skip
        if visit.query["sort"]:
            lines.sort(key=_SORTS[visit.query["sort"]])
        if visit.query["order"] == "reversed":
            lines.reverse()
        size = visit.query["size"]
        pages_there = max(1, -(-len(lines) // size))
        page = min(visit.query["page"], pages_there)
        shown = lines[size * (page - 1) : size * page]
        trends = await self._trends_of(shown, format_name) if live else {}
        ratings = [line.row.rating for line in ranking.lines]
        compared = not live and format_name != OVERALL
        return LadderValues(
            format_name,
            ranking.kind.value,
            asked.value,
            ranking.computed,
            _epoch(ranking.epoch) if ranking.epoch else None,
            await self.tabs(),
            LEVEL,
            len(ranking.lines),
            len(lines),
            page,
            pages_there,
            min((mu - 3 * sigma for mu, sigma in ratings), default=0.0),
            max((mu + 3 * sigma for mu, sigma in ratings), default=50.0),
            tuple(ladder_line(line, trends.get(line.row.bot, ())) for line in shown),
            tuple(await self._best(format_name)) if compared else (),
        )

    async def _trends_of(self, lines: Sequence[Line], format_name: str) -> dict[str, list[float]]:
        """The trends of these bots; looked up again only where something was played since."""
        wanted = {line.row.bot: (line.row.changed, line.row.matches) for line in lines}
        none: tuple[tuple[str, int], list[float]] = (("", 0), [])
        missing = [
            bot for bot, at in wanted.items()
            if self._trends.get((format_name, bot), none)[0] != at
        ]  # fmt: skip
        if missing:
            found = await self._database.read(_trends, missing, format_name)
            for bot, trend in found.items():
                self._trends[format_name, bot] = (wanted[bot], trend)
            while len(self._trends) > _TRENDS:
                del self._trends[next(iter(self._trends))]
        return {bot: self._trends.get((format_name, bot), none)[1] for bot in wanted}

    def pages(self) -> list[Page]:
        """The ladder over all formats, and that of each."""
        kinds = tuple(kind.value for kind in Kind)
        query = (
            Parameter("table", "Which table; empty: the standing.", among=("", *kinds)),
            Parameter("q", "Only bots whose name or owner contains this."),
            Parameter("sort", "Sorted by this; empty: by rank.", among=("", *_SORTS)),
            Parameter("order", "The other way round.", among=("", "reversed")),
            Parameter("page", "Which page, from 1.", default=1, least=1, most=1_000_000),
            Parameter("size", "Lines of a page.", default=_SIZE, least=1, most=1000),
        )
        name = Parameter("format", "The ladder.", among=(OVERALL, *FORMATS))
        told = "The standings of a format, or overall, a page at a time."
        columns = [field for field in LadderLine._fields if field != "trend"]
        sheet = Sheet("table.csv", columns, lambda values: (line[:-1] for line in values.lines))
        return [
            Page("/ladder", "The standings over all formats.", LadderValues, self.values,
                 "ladder.html", (), query, sheet),
            Page("/ladder/{format}", told, LadderValues, self.values, "ladder.html",
                 (name,), query, sheet),
        ]  # fmt: skip


def ladder_line(line: Line, trend: Sequence[float] = ()) -> LadderLine:
    """A line for the page."""
    place, row = line.place, line.row
    return LadderLine(
        place.rank if place else None, place.best if place else None,
        place.worst if place else None, row.bot, row.owner, row.language, row.version,
        row.rating.conservative, row.rating.mu, row.rating.sigma, row.matches, row.points_a_match,
        row.wins, row.faults, row.fallbacks, row.forfeits, row.change, row.changed,
        line.provisional, line.idle, tuple(trend),
    )  # fmt: skip


def _epoch(epoch: Epoch) -> EpochValues:
    of = epoch.parameters
    return EpochValues(
        epoch.number, epoch.since, epoch.why, of.sigma, of.beta, of.tau, of.draw_probability,
        epoch.text,
    )  # fmt: skip


def _trends(connection: Any, bots: list[str], format_name: str) -> dict[str, list[float]]:
    one = "" if format_name == OVERALL else format_name
    steps = pages.last_rated(connection, bots, one, _TREND)
    if one:
        return {bot: [s.after.conservative for s in reversed(some)] for bot, some in steps.items()}
    now = pages.ratings_of(connection, bots)
    return {bot: _overall_trend(now[bot], steps[bot]) for bot in bots}


def _overall_trend(now: dict[str, Rating], steps: Sequence[RatedStep]) -> list[float]:
    """The overall rating after each match, found by undoing them, the newest first."""
    ratings = dict(now)
    made = []
    for step in steps:
        made.append(overall(ratings, Parameters(0.0)).conservative)
        ratings[step.format] = step.before
    return made[::-1]
