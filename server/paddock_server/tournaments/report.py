"""How a tournament stands, as values: for the command line, the wire and the page alike."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from paddock_ladder.blocks import Estimate
from paddock_ladder.schedules import Outcome
from paddock_ladder.schedules.placing import BY_SCORE, Criterion, Placed, by_score
from paddock_ladder.schedules.standings import cross_table, standings
from paddock_server.store import tournaments
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import LADDER, Definition, read_given


class Line(NamedTuple):
    """A bot in a table."""

    placed: Placed
    played: int
    declared: int
    score: Estimate  # mean rank score of all matches: 1 for the first, 0 for the last
    points: Estimate | None  # None in a table of several formats: their points don't compare


class Standings(NamedTuple):
    """A table: of one format, or of the whole tournament."""

    format: str  # empty: of the whole tournament
    criteria: tuple[Criterion, ...]  # what decides places, the first before the second
    lines: tuple[Line, ...]  # the best placed first
    cross: Mapping[tuple[str, str], Estimate]  # of points; empty in a table of several formats

    @property
    def rule(self) -> str:
        """What decides places, in a sentence for those who read the table."""
        by = ", then ".join(each.meaning for each in self.criteria)
        return f"Places go by {by}; bots with equal numbers share a place (=)."


class Report(NamedTuple):
    """A tournament and how everybody did in it."""

    row: TournamentRow
    definition: Definition
    over: int
    planned: int | None  # None: there is no end
    overall: Standings
    formats: tuple[Standings, ...]  # as many as the tournament has


def report(row: TournamentRow, history: list[Outcome]) -> Report:
    """How a tournament stands after these matches."""
    definition = read_given(dict(row.definition), f"tournament {row.name}")
    by_format = {
        seating.format: [outcome for outcome in history if outcome.format == seating.format]
        for seating in definition.formats
    }
    if definition.schedule == LADDER:
        planned: int | None = definition.matches or None
        formats = tuple(
            _table(name, BY_SCORE, by_score(_who_played(some), some), some)
            for name, some in by_format.items()
        )
        criteria, places = BY_SCORE, by_score(_who_played(history), history)
    else:
        schedule = definition.made()
        planned = schedule.planned()
        formats = tuple(
            _table(name, contest.criteria, contest.places(by_format[name]), by_format[name])
            for name, contest in schedule.by_format.items()
        )
        criteria, places = schedule.criteria, schedule.places(history)
    overall = formats[0] if len(formats) == 1 else _table("", criteria, places, history)
    return Report(row, definition, len(history), planned, overall, formats)


def _who_played(history: Sequence[Outcome]) -> list[str]:
    return sorted({bot for outcome in history for bot in outcome.bots})


def _table(
    format_name: str,
    criteria: tuple[Criterion, ...],
    places: Sequence[Placed],
    history: Sequence[Outcome],
) -> Standings:
    bots = [placed.bot for placed in places]
    lines = tuple(
        Line(placed, own.played, own.declared, own.score, own.points if format_name else None)
        for placed, own in zip(places, standings(bots, history), strict=True)
    )
    return Standings(
        format_name, criteria, lines, cross_table(bots, history) if format_name else {}
    )


def stored_report(connection: Connection, name: str) -> Report | None:
    """How a stored tournament stands; None where there is none of this name."""
    row = tournaments.find_tournament(connection, name)
    return None if row is None else report(row, tournaments.outcomes(connection, name))


def planned_of(row: TournamentRow) -> int:
    """How many matches a tournament has in all; 0: it has no end."""
    definition = read_given(dict(row.definition), f"tournament {row.name}")
    if definition.schedule == LADDER:
        return definition.matches
    return definition.made().planned() or 0
