"""Who met whom within the last day, for ratings: meetings again and again say less each time.

It is a function of what is stored. So that a match does not have to read a day's matches, it is
kept beside the connection that writes, with the last match that it knows of; where that is not the
last one stored, as after a transaction that failed, it is read anew.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, select

from paddock_ladder.doubt import DAY, Repeats
from paddock_server.store.prepared import Prepared
from paddock_server.store.schema import BOTS, MATCHES, SEATS

_CHUNK: Final = 1000
_KEPT: Final = "recent"


class _Recent(NamedTuple):
    last: int  # in the order in which matches were rated
    repeats: Repeats


class _Meeting(NamedTuple):
    when: float
    owners: Sequence[str]


def seconds_of(stamp: str) -> float:
    """A moment as records write it, as seconds since 1970."""
    return datetime.fromisoformat(stamp).timestamp()


def owners_of(connection: Connection, bots: Sequence[str]) -> list[str]:
    """The owners of these bots; a bot that is not known owns itself."""
    known: dict[str, str] = {}
    if bots:
        values = {f"bot_{at}": bot for at, bot in enumerate(bots)}
        known = dict(_owners(len(bots)).rows(connection, values))
    return [known.get(bot, bot) for bot in bots]


@cache
def _owners(bots: int) -> Prepared:
    names = [bindparam(f"bot_{at}", type_=BOTS.c.name.type) for at in range(bots)]
    return Prepared(select(BOTS.c.name, BOTS.c.owner).where(BOTS.c.name.in_(names)))


def repeats_before(connection: Connection, format_name: str, last: int, now: str) -> Repeats:
    """The meetings within a day, of matches up to the last one that was rated before."""
    kept: dict[str, _Recent] = connection.info.setdefault(_KEPT, {})
    recent = kept.pop(format_name, None)
    if recent is not None and recent.last == last:
        return recent.repeats
    repeats = Repeats()
    for meeting in reversed(_read(connection, format_name, last, seconds_of(now) - DAY)):
        repeats.add(meeting.owners, meeting.when)
    return repeats


def keep(connection: Connection, format_name: str, last: int, repeats: Repeats) -> None:
    """Keep the meetings up to this match for the next."""
    connection.info.setdefault(_KEPT, {})[format_name] = _Recent(last, repeats)


def forget(connection: Connection, format_name: str) -> None:
    """The matches of a format are others than before."""
    connection.info.get(_KEPT, {}).pop(format_name, None)


def _read(connection: Connection, format_name: str, last: int, since: float) -> list[_Meeting]:
    """The meetings since then, the newest first, a page at a time."""
    meetings: list[_Meeting] = []
    owners: dict[str, str] = {}
    while True:
        matches = connection.execute(
            select(MATCHES.c.rated, MATCHES.c.number, MATCHES.c.ended)
            .where(MATCHES.c.format == format_name, MATCHES.c.rated <= last)
            .order_by(MATCHES.c.rated.desc())
            .limit(_CHUNK)
        ).all()
        fresh = [row for row in matches if seconds_of(row.ended) > since]
        bots: dict[int, list[str]] = {}
        for number, bot in connection.execute(
            select(SEATS.c.match, SEATS.c.bot)
            .where(SEATS.c.match.in_([row.number for row in fresh]))
            .order_by(SEATS.c.match, SEATS.c.seat)
        ):
            bots.setdefault(number, []).append(bot)
        new = sorted({bot for some in bots.values() for bot in some} - owners.keys())
        for bot in new:
            (owners[bot],) = owners_of(connection, [bot])
        meetings += [
            _Meeting(seconds_of(row.ended), [owners[bot] for bot in bots.get(row.number, ())])
            for row in fresh
        ]
        if len(fresh) < _CHUNK:
            return meetings
        last = fresh[-1].rated - 1
