"""Stuck matches: those that the database could not take are kept, count for nothing, and wait."""

from sqlalchemy import Connection, func, select, update

from paddock_server.store.rows import Unfinished
from paddock_server.store.schema import MATCHES
from paddock_server.store.store import unfinished

STUCK = "stuck"


def mark_stuck(connection: Connection, number: int, why: str, ended: str) -> None:
    """Set a match aside: it is void, a restart leaves it alone, and its journal is kept."""
    alive = MATCHES.c.state.in_(("waiting", "open"))
    values = {"state": STUCK, "void": why, "ended": ended}
    connection.execute(update(MATCHES).where(MATCHES.c.number == number, alive), values)


def take_up(connection: Connection, match_id: str) -> Unfinished | None:
    """Make a stuck match what it was before; None where it is not stuck."""
    query = select(MATCHES.c.number, MATCHES.c.started)
    row = connection.execute(
        query.where(MATCHES.c.id == match_id, MATCHES.c.state == STUCK)
    ).one_or_none()
    if row is None:
        return None
    values = {"state": "open" if row.started else "waiting", "void": "", "ended": ""}
    connection.execute(update(MATCHES).where(MATCHES.c.number == row.number), values)
    (left,) = unfinished(connection, row.number)
    return left


def count_stuck(connection: Connection) -> int:
    """How many matches are stuck."""
    query = select(func.count()).where(MATCHES.c.state == STUCK)
    return int(connection.execute(query).scalar_one())
