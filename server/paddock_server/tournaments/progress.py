"""How far a tournament is, how long it will take, and what was decided without play."""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from paddock_server.identity import moment_of
from paddock_server.store import store, tournaments
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.report import planned_of

_RECENT: Final = 30  # matches that the pace is taken from
_DECLARATIONS: Final = 100


class Progress(NamedTuple):
    """How far a tournament is."""

    over: int  # matches
    declared: int  # of these
    planned: int  # in all; 0: there is no end
    left_seconds: float | None  # an estimate, from the pace of the last matches; None: unknown


class Declaration(NamedTuple):
    """A match that was decided without being played."""

    match: str
    format: str
    round: int
    winners: tuple[str, ...]  # they were there, and share the first place
    absent: tuple[str, ...]
    declared: str  # when


def progress(connection: Connection, row: TournamentRow, now: datetime) -> Progress:
    """How far this tournament is."""
    over, planned = tournaments.count_over(connection, row.name), planned_of(row)
    ends = tournaments.last_ends(connection, row.name, _RECENT)
    left = None
    if row.state == "running" and planned > over and len(ends) > 1:
        # Up to now, not to the last end: the longer nothing ends, the longer it will take.
        took = (now - moment_of(min(ends))).total_seconds()
        left = max(0.0, (planned - over) * took / (len(ends) - 1))
    return Progress(over, tournaments.count_declared(connection, row.name), planned, left)


def declarations(connection: Connection, name: str) -> list[Declaration]:
    """The matches of a tournament that were decided without being played, the newest first."""
    rows = store.list_matches(connection, None, _DECLARATIONS, "declared", "", "", name)
    found = []
    for row in rows:
        seats = list(zip(row.opening["bots"], row.results, strict=True))
        there = tuple(bot for bot, result in seats if not result["forfeit"])
        absent = tuple(bot for bot, result in seats if result["forfeit"])
        found.append(Declaration(row.id, row.format, row.round, there, absent, row.ended))
    return sorted(found, key=lambda each: each.declared, reverse=True)
