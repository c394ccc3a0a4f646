"""The tables of a tournament: places, the numbers that decide them, and the cross table."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from paddock_ladder.schedules.placing import CRITERIA, SCORE
from paddock_server.basics.wording import digits
from paddock_server.tournaments.report import Report, StandingLine, Standings


class StandingsColumn(NamedTuple):
    """A number that decides places."""

    name: str
    title: str
    meaning: str
    least_first: bool  # the least is best; else the greatest
    digits: int  # behind the point: enough to tell all lines apart


class FormatPlace(NamedTuple):
    """A bot's place in one format."""

    format: str
    place: int | None  # null: it never played the format on a ladder
    shared: bool


class TournamentStanding(NamedTuple):
    """A line of a table; errors are standard errors by blocks."""

    place: int
    shared: bool  # with bots that have equal numbers
    bot: str
    played: int
    declared: int
    score: float  # mean rank score: 1 is first, 0 last
    score_error: float | None
    points: float | None  # per match; null in a table of several formats: they don't compare
    points_error: float | None
    fallbacks: int  # decisions that its client made
    deciding: Mapping[str, float | None]  # by column; null: not known yet
    formats: tuple[FormatPlace, ...]  # in a table of several formats


class PairDifference(NamedTuple):
    """The difference of two bots in points per match at the same tables."""

    bot: str
    other: str
    difference: float
    error: float | None
    matches: int


class StandingsTable(NamedTuple):
    """The standings of one format, or of the whole tournament."""

    format: str  # empty: in all of them together
    columns: tuple[StandingsColumn, ...]  # what decides places, the first before the second
    rule: str  # the same in a sentence
    lines: tuple[TournamentStanding, ...]  # the best placed first
    cross: tuple[PairDifference, ...]  # empty in a table of several formats


_OTHERS: Final = tuple(each.name for each in CRITERIA if each is not SCORE)
SHEET_COLUMNS: Final = (
    "format", "place", "shared", "bot", "played", "declared", "score", "score_error", "points",
    "points_error", "fallbacks", *_OTHERS,
)  # fmt: skip
"""The columns of the tables as CSV; those that a schedule does not use are empty."""


def tables_of(report: Report) -> tuple[StandingsTable, tuple[StandingsTable, ...]]:
    """The table of the whole tournament, and that of every format."""
    tables = tuple(_table(each) for each in report.formats)
    if report.overall.format:
        return tables[0], tables
    placed = {table.format: {line.bot: line for line in table.lines} for table in tables}
    overall = _table(report.overall)
    lines = tuple(
        line._replace(
            formats=tuple(
                FormatPlace(name, own.place, own.shared)
                if (own := lines.get(line.bot))
                else FormatPlace(name, None, shared=False)
                for name, lines in placed.items()
            )
        )
        for line in overall.lines
    )
    return overall._replace(lines=lines), tables


def sheet_rows(overall: StandingsTable, tables: tuple[StandingsTable, ...]) -> Iterator[list[Any]]:
    """The lines of all tables for CSV; with several formats those of the whole come first."""
    for table in (overall, *(tables if len(tables) > 1 else ())):
        for line in table.lines:
            yield [
                table.format or "all", line.place, line.shared, line.bot, line.played,
                line.declared, line.score, line.score_error, line.points, line.points_error,
                line.fallbacks, *(line.deciding.get(name) for name in _OTHERS),
            ]  # fmt: skip


def _table(table: Standings) -> StandingsTable:
    names = [criterion.name for criterion in table.criteria]
    lines = tuple(_line(line, names) for line in table.lines)
    columns = tuple(
        StandingsColumn(
            each.name, each.title, each.meaning, each.least_first,
            digits((line.deciding[each.name] for line in lines), each.digits),
        )
        for each in table.criteria
    )  # fmt: skip
    cross = tuple(
        PairDifference(bot, other, met.mean, met.error, met.matches)
        for (bot, other), met in table.cross.items()
    )
    return StandingsTable(table.format, columns, table.rule, lines, cross)


def _line(line: StandingLine, names: list[str]) -> TournamentStanding:
    bot, place, shared, numbers = line.placed
    known = [None if number is None else float(number) for number in numbers]
    return TournamentStanding(
        place=place,
        shared=shared,
        bot=bot,
        played=line.played,
        declared=line.declared,
        score=line.score.mean,
        score_error=line.score.error,
        points=line.points.mean if line.points else None,
        points_error=line.points.error if line.points else None,
        fallbacks=line.fallbacks,
        deciding=dict(zip(names, known, strict=True)),
        formats=(),
    )
