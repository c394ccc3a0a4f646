"""The blocks of a tournament in the store: whether the deal that matches share may be shown."""

from sqlalchemy import Connection, func, select

from paddock_server.store.schema import MATCHES, TOURNAMENTS
from paddock_server.store.tournament_matches import COUNTS, OVER, STATE, of_tournament

_ALIVE = ("waiting", "open", "stuck")  # a match that is stuck can be tried again


def is_over(connection: Connection, tournament: str, block: str, size: int) -> bool:
    """Whether all matches of a block are over, so that its deal may be shown."""
    query = select(func.count()).where(
        of_tournament(tournament), MATCHES.c.block == block, STATE.in_(OVER), COUNTS
    )
    return int(connection.execute(query).scalar_one()) >= size


def rests(connection: Connection, tournament: str, block: str) -> bool:
    """Whether nothing of a block waits or is open, and its tournament does not go on.

    If the tournament is resumed, the rest of the block gets another deal.
    """
    state = select(TOURNAMENTS.c.state).where(TOURNAMENTS.c.name == tournament)
    if connection.execute(state).scalar_one_or_none() not in ("stopped", "done"):
        return False
    alive = select(MATCHES.c.number).where(
        of_tournament(tournament), MATCHES.c.block == block, STATE.in_(_ALIVE)
    )
    return connection.execute(alive.limit(1)).first() is None


def first_match(connection: Connection, tournament: str, block: str, since: str = "") -> str | None:
    """The id of the match of a block that was dealt first, if it was finished.

    Matches that began before `since` are left out.
    """
    query = (
        select(MATCHES.c.id)
        .where(
            of_tournament(tournament),
            MATCHES.c.block == block,
            STATE == "finished",
            MATCHES.c.started >= since,
        )
        .order_by(MATCHES.c.number)
        .limit(1)
    )
    return connection.execute(query).scalar_one_or_none()
