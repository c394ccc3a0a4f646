"""How a tournament stands, as values: for the command line, the wire and the page alike."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from paddock_ladder.blocks import Estimate
from paddock_ladder.schedules import Outcome
from paddock_ladder.schedules.standings import BotStanding, cross_table, standings
from paddock_server.store import tournaments
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import LADDER, Definition, read_kept


class Report(NamedTuple):
    """A tournament and how everybody did in it."""

    row: TournamentRow
    definition: Definition
    over: int
    planned: int | None  # None: there is no end
    standings: tuple[BotStanding, ...]  # the best placed first
    cross: Mapping[tuple[str, str], Estimate]


def report(row: TournamentRow, history: list[Outcome]) -> Report:
    """How a tournament stands after these matches."""
    definition = read_kept(row.definition, f"tournament {row.name}")
    if definition.schedule == LADDER:
        bots = tuple(sorted({bot for outcome in history for bot in outcome.bots}))
        planned: int | None = definition.matches or None
        lines = standings(bots, history)
    else:
        schedule = definition.made()
        bots = schedule.places(history)
        planned = schedule.planned()
        by_bot = {line.bot: line for line in standings(bots, history)}
        lines = tuple(by_bot[bot] for bot in bots)  # by the schedule's own rule
    return Report(row, definition, len(history), planned, lines, cross_table(bots, history))


def stored_report(connection: Connection, name: str) -> Report | None:
    """How a stored tournament stands; None where there is none of this name."""
    row = tournaments.find_tournament(connection, name)
    return None if row is None else report(row, tournaments.outcomes(connection, name))


def planned_of(row: TournamentRow) -> int:
    """How many matches a tournament has in all; 0: it has no end."""
    definition = read_kept(row.definition, f"tournament {row.name}")
    if definition.schedule == LADDER:
        return definition.matches
    return definition.made().planned() or 0
