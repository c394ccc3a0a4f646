"""How a tournament stands, as values: for the command line, the wire and the page alike."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from paddock_ladder.blocks import Estimate
from paddock_ladder.schedules import Outcome
from paddock_ladder.schedules.changes import departed, last, without
from paddock_ladder.schedules.standings import BotStanding, cross_table, standings
from paddock_server.store import tournaments
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import LADDER, Definition, definition_of


class Report(NamedTuple):
    """A tournament and how everybody did in it."""

    row: TournamentRow
    definition: Definition
    over: int
    planned: int | None  # None: there is no end
    standings: tuple[BotStanding, ...]  # the best placed first
    cross: Mapping[tuple[str, str], Estimate]
    fallbacks: Mapping[str, int]  # by bot


def report(row: TournamentRow, history: list[Outcome], fallbacks: Mapping[str, int]) -> Report:
    """How a tournament stands after these matches, with these fallbacks in them."""
    definition = definition_of(row)
    out = departed(definition.changes, disqualified=True)
    counted = [without(outcome, out) for outcome in history]
    if definition.schedule == LADDER:
        bots = tuple(sorted({bot for outcome in history for bot in outcome.bots}))
        lines = standings(bots, counted)
        placed = last([line.bot for line in lines], out)
    else:
        bots = placed = definition.made().places(history)
        lines = standings(bots, counted)
    by_bot = {line.bot: line for line in lines}
    return Report(
        row,
        definition,
        len(history),
        planned_of(row, len(history)) or None,
        tuple(by_bot[bot] for bot in placed),  # by the schedule's own rule
        cross_table(bots, history),
        fallbacks,
    )


def stored_report(connection: Connection, name: str) -> Report | None:
    """How a stored tournament stands; None where there is none of this name."""
    row = tournaments.find_tournament(connection, name)
    if row is None:
        return None
    history = tournaments.outcomes(connection, name)
    return report(row, history, tournaments.fallbacks(connection, name))


def planned_of(row: TournamentRow, over: int) -> int:
    """How many matches a tournament has in all; 0: it has no end.

    Where bots left a knockout that can only be known at its end.
    """
    if row.state == "done":
        return over
    definition = definition_of(row)
    if definition.schedule == LADDER:
        return definition.matches
    return definition.made().planned() or 0
