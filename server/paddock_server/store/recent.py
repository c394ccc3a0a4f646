"""The memory of whom bots met lately, for ratings: surprises by one owner say less each time.

It is a function of what is stored, and is read bot by bot as they play. It is kept with the book of
its ladder, see shelf.py, so that no match has to read the last ones of all its bots.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache, partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Connection, bindparam, func, literal_column, select

from paddock_ladder.doubt import REMEMBERED, TWO, Appearance, Repeats, Showing, surprise
from paddock_ladder.rating import Parameters, Rating
from paddock_server.store.prepared import Among, Prepared, pipelined
from paddock_server.store.schema import BOTS, MATCHES, RATINGS, SEATS

_THEIRS: Final = SEATS.alias("theirs")
_LATEST: Final = (
    select(
        SEATS.c.match,
        SEATS.c.seat,
        SEATS.c.rated,
        SEATS.c.rank,
        SEATS.c.mu_before,
        SEATS.c.sigma_before,
    )
    .where(
        SEATS.c.bot == bindparam("of_bot"),
        SEATS.c.format == bindparam("of_format"),
        SEATS.c.rated <= bindparam("last"),
    )
    .order_by(SEATS.c.rated.desc())
    .limit(REMEMBERED)
    .subquery()
)
_SITTINGS: Final = Prepared(
    select(
        _LATEST.c.match,
        MATCHES.c.ended,
        func.coalesce(BOTS.c.owner, _THEIRS.c.bot),
        _LATEST.c.rank,
        _LATEST.c.mu_before,
        _LATEST.c.sigma_before,
        _THEIRS.c.rank,
        _THEIRS.c.mu_before,
        _THEIRS.c.sigma_before,
    )
    .select_from(_LATEST)
    .join(MATCHES, MATCHES.c.number == _LATEST.c.match)
    .join(_THEIRS, (_THEIRS.c.match == _LATEST.c.match) & (_THEIRS.c.seat != _LATEST.c.seat))
    .outerjoin(BOTS, BOTS.c.name == _THEIRS.c.bot)
    .order_by(_LATEST.c.rated, _THEIRS.c.seat)
)

_OWNERS: Final = Among("SELECT name, owner FROM bots WHERE name = ANY(?)", BOTS.c.name.type)
_SOME_OWNERS: Final = Prepared(
    select(func.coalesce(BOTS.c.owner, RATINGS.c.bot))
    .select_from(RATINGS)
    .outerjoin(BOTS, BOTS.c.name == RATINGS.c.bot)
    .where(RATINGS.c.format == bindparam("of_format"), RATINGS.c.latest == literal_column("1"))
    .distinct()
    .limit(TWO + 1)
)


@lru_cache(maxsize=4096)
def seconds_of(stamp: str) -> float:
    """A moment as records write it, as seconds since 1970."""
    return datetime.fromisoformat(stamp).timestamp()


def owners_of(connection: Connection, bots: Sequence[str]) -> list[str]:
    """The owners of these bots; a bot that is not known owns itself."""
    known = dict(_OWNERS.rows(connection, bots))
    return [known.get(bot, bot) for bot in bots]


def no_repeats(connection: Connection, format_name: str) -> Repeats:
    """A memory that has no bots yet, but the owners of the format's bots, or a few of them."""
    rows = _SOME_OWNERS.rows(connection, {"of_format": format_name})
    return Repeats(owner for (owner,) in rows)


def remember(
    connection: Connection,
    format_name: str,
    bots: Sequence[str],
    *,
    parameters: Parameters,
    last: int,
    repeats: Repeats,
) -> None:
    """Add the matches of these bots, where they are not remembered, up to the last one before."""
    of = {"of_format": format_name, "last": last}
    with pipelined(connection):
        asked = {
            bot: _SITTINGS.asked(connection, {**of, "of_bot": bot})
            for bot in bots
            if bot not in repeats
        }
    for bot, rows in asked.items():
        repeats.remember(bot, _sittings(rows(), parameters))


def _sittings(rows: Iterable[Sequence[Any]], parameters: Parameters) -> Iterator[Appearance]:
    """The matches of a bot from rows of `_SITTINGS`, the earliest first."""
    for (_, ended), some in groupby(rows, key=itemgetter(0, 1)):
        owners, surprises = [], []
        for _, _, owner, rank, mu, sigma, their_rank, their_mu, their_sigma in some:
            mine = Showing(rank, Rating(mu, sigma))
            theirs = Showing(their_rank, Rating(their_mu, their_sigma))
            owners.append(owner)
            surprises.append(surprise(mine, theirs, parameters))
        yield Appearance(seconds_of(ended), owners, partial(tuple, surprises))
