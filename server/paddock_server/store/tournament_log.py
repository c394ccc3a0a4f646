"""The log of a tournament in the store: who did what, when and why."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select

from paddock_server.store.schema import TOURNAMENT_LOG


class LogRow(NamedTuple):
    """A line of a tournament's log."""

    tournament: str
    at: str
    who: str  # organiser, local operator, server
    event: str
    bot: str = ""  # that it is about
    match_id: str = ""
    why: str = ""
    number: int = 0  # from 1; 0: not stored yet


def add_log(connection: Connection, lines: Sequence[LogRow]) -> None:
    """Add lines to the logs of their tournaments, in order."""
    for line in lines:
        last = select(func.max(TOURNAMENT_LOG.c.number)).where(
            TOURNAMENT_LOG.c.tournament == line.tournament
        )
        number = (connection.execute(last).scalar_one() or 0) + 1
        connection.execute(insert(TOURNAMENT_LOG), {**line._asdict(), "number": number})


def list_log(
    connection: Connection, tournament: str, limit: int, before: int | None = None
) -> list[LogRow]:
    """The lines of a tournament's log before this number, the newest first."""
    log = TOURNAMENT_LOG.c
    query = select(
        log.tournament, log.at, log.who, log.event, log.bot, log.match_id, log.why, log.number
    ).where(log.tournament == tournament)
    if before is not None:
        query = query.where(log.number < before)
    rows = connection.execute(query.order_by(log.number.desc()).limit(limit))
    return [LogRow(*row) for row in rows]


def last_time(connection: Connection, tournament: str, event: str) -> str:
    """When this last happened to a tournament; empty: never."""
    log = TOURNAMENT_LOG.c
    query = select(func.max(log.at)).where(log.tournament == tournament, log.event == event)
    return connection.execute(query).scalar_one() or ""
