"""The report of a tournament: its tables as values, for the command line, gRPC and the pages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from paddock_ladder.blocks import Estimate
from paddock_ladder.schedules import Outcome
from paddock_ladder.schedules.changes import departed, without
from paddock_ladder.schedules.placing import BY_SCORE, Criterion, Placed, by_score
from paddock_ladder.schedules.standings import cross_table, standings
from paddock_ladder.schedules.together import Placing
from paddock_server.basics.wording import listed
from paddock_server.store import tournament_matches, tournaments
from paddock_server.store.connection import Connection
from paddock_server.store.tournament_matches import FallbacksRow
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import Definition, definition_of


class StandingLine(NamedTuple):
    """The line of a bot in a table."""

    placed: Placed
    played: int
    declared: int
    score: Estimate  # mean rank score of all matches: 1 for the first, 0 for the last
    points: Estimate | None  # None in a table of several formats: their points don't compare
    fallbacks: int  # default choices that its client sent instead of the bot


class Standings(NamedTuple):
    """A table: of one format, or of the whole tournament."""

    format: str  # empty: of the whole tournament
    criteria: tuple[Criterion, ...]  # what decides places, the first before the second
    lines: tuple[StandingLine, ...]  # the best placed first
    cross: Mapping[tuple[str, str], Estimate]  # of points; empty in a table of several formats
    disqualified: tuple[str, ...] = ()  # they are last, independent of their results

    @property
    def rule(self) -> str:
        """A sentence that says what decides places."""
        by = ", then ".join(criterion.meaning for criterion in self.criteria)
        rule = f"Places go by {by}; bots with equal numbers share a place (=)."
        if self.disqualified:
            rule += f" Disqualified and therefore last: {listed(self.disqualified)}."
        return rule


class Report(NamedTuple):
    """A tournament and the tables of its results."""

    row: TournamentRow
    definition: Definition
    over: int
    planned: int | None  # None: there is no end
    overall: Standings
    formats: tuple[Standings, ...]  # one table per format


def report(
    row: TournamentRow, history: Sequence[Outcome], fallbacks: Sequence[FallbacksRow] = ()
) -> Report:
    """The report of a tournament after these matches, with these fallbacks in them."""
    definition = definition_of(row)
    out = departed(definition.changes, disqualified=True)
    contest = definition.contest
    formats = tuple(
        _table(
            seating.format,
            contest.by_format[seating.format] if contest else None,
            [outcome for outcome in history if outcome.format == seating.format],
            [row for row in fallbacks if row.format == seating.format],
            out,
        )
        for seating in definition.formats
    )
    return Report(
        row=row,
        definition=definition,
        over=len(history),
        planned=planned_of(row, len(history)) or None,
        overall=formats[0] if len(formats) == 1 else _table("", contest, history, fallbacks, out),
        formats=formats,
    )


def _table(
    format_name: str,
    contest: Placing | None,  # None: a ladder, where whoever played is placed by score
    history: Sequence[Outcome],
    fallbacks: Sequence[FallbacksRow],
    disqualified: frozenset[str],
) -> Standings:
    counted = [without(outcome, disqualified) for outcome in history]
    if contest is not None:
        criteria, places = contest.criteria, contest.places(history)
    else:
        who = sorted({bot for outcome in history for bot in outcome.bots})
        criteria, places = BY_SCORE, by_score(who, counted, disqualified)
    bots = [placed.bot for placed in places]
    chosen = Counter[str]()
    for row in fallbacks:
        chosen[row.bot] += row.fallbacks
    lines = tuple(
        StandingLine(
            placed=placed,
            played=own.played,
            declared=own.declared,
            score=own.score,
            points=own.points if format_name else None,
            fallbacks=chosen[placed.bot],
        )
        for placed, own in zip(places, standings(bots, counted), strict=True)
    )
    return Standings(
        format_name,
        criteria,
        lines,
        cross_table(bots, history) if format_name else {},
        tuple(bot for bot in bots if bot in disqualified),
    )


def stored_report(connection: Connection, name: str) -> Report | None:
    """The report of a stored tournament; None if there is no tournament of this name."""
    row = tournaments.find_tournament(connection, name)
    if row is None:
        return None
    history = tournament_matches.outcomes(connection, name)
    return report(row, history, tournament_matches.fallbacks(connection, name))


def planned_of(row: TournamentRow, over: int) -> int:
    """How many matches a tournament has in all; 0: it has no end.

    If bots left a knockout, the number is known only at its end.
    """
    if row.state == "done":
        return over
    definition = definition_of(row)
    if definition.contest is None:
        return definition.matches
    return definition.contest.planned() or 0
