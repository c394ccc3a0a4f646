"""The memory of whom bots met lately, for ratings: surprises by one owner say less each time.

It is a function of what is stored. So that no match has to read the last ones of all its
bots, it is kept for all connections that write, with the last match that it knows of. Where that
is not the last one stored, as after a transaction that failed, it is read anew, bot by bot as they
play. In a cluster only one connection at a time uses it, the one that has the lock of ratings.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, bindparam, func, literal_column, select

from paddock_ladder.doubt import REMEMBERED, TWO, Appearance, Encounter, Repeats, Showing, surprise
from paddock_ladder.rating import Parameters, Rating
from paddock_server.store.prepared import Among, Prepared
from paddock_server.store.schema import BOTS, MATCHES, RATINGS, SEATS

_MEMORIES: Final[WeakKeyDictionary[Engine, dict[str, "_Recent"]]] = WeakKeyDictionary()
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

_OWNERS: Final = Among("SELECT name, owner FROM bots WHERE name = ANY(?)")
_SOME_OWNERS: Final = Prepared(
    select(func.coalesce(BOTS.c.owner, RATINGS.c.bot))
    .select_from(RATINGS)
    .outerjoin(BOTS, BOTS.c.name == RATINGS.c.bot)
    .where(RATINGS.c.format == bindparam("of_format"), RATINGS.c.latest == literal_column("1"))
    .distinct()
    .limit(TWO + 1)
)


class _Recent(NamedTuple):
    """A memory, and how far it goes."""

    last: int  # in the order in which matches were rated
    repeats: Repeats


def seconds_of(stamp: str) -> float:
    """A moment as records write it, as seconds since 1970."""
    return datetime.fromisoformat(stamp).timestamp()


def owners_of(connection: Connection, bots: Sequence[str]) -> list[str]:
    """The owners of these bots; a bot that is not known owns itself."""
    known = dict(_OWNERS.rows(connection, bots))
    return [known.get(bot, bot) for bot in bots]


def repeats_before(
    connection: Connection,
    format_name: str,
    parameters: Parameters,
    bots: Sequence[str],
    last: int,
) -> Repeats:
    """The memory of these bots at least, up to the last match that was rated before."""
    recent = _memories(connection).pop(format_name, None)
    if recent is not None and recent.last == last:
        repeats = recent.repeats
    else:
        rows = _SOME_OWNERS.rows(connection, {"of_format": format_name})
        repeats = Repeats(owner for (owner,) in rows)
    for bot in bots:
        if bot not in repeats:
            values = {"of_bot": bot, "of_format": format_name, "last": last}
            repeats.remember(bot, _sittings(_SITTINGS.rows(connection, values), parameters))
    return repeats


def keep(connection: Connection, format_name: str, last: int, repeats: Repeats) -> None:
    """Keep a memory that goes up to this match for the next."""
    _memories(connection)[format_name] = _Recent(last, repeats)


def forget(connection: Connection, format_name: str) -> None:
    """Drop the memory of a format whose matches are others than before."""
    _memories(connection).pop(format_name, None)


def _memories(connection: Connection) -> dict[str, _Recent]:
    """The memories of a database, by format."""
    return _MEMORIES.setdefault(connection.engine, {})


def _sittings(rows: Iterable[Sequence[Any]], parameters: Parameters) -> Iterator[Appearance]:
    """The matches of a bot from rows of `_SITTINGS`, the earliest first."""
    for (_, ended), some in groupby(rows, key=itemgetter(0, 1)):
        meetings = []
        for _, _, owner, rank, mu, sigma, their_rank, their_mu, their_sigma in some:
            mine = Showing(rank, Rating(mu, sigma))
            theirs = Showing(their_rank, Rating(their_mu, their_sigma))
            meetings.append(Encounter(owner, surprise(mine, theirs, parameters)))
        yield Appearance(seconds_of(ended), tuple(meetings))
