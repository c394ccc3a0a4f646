"""Standings in the store: what the whole history of a format says of its bots."""

import json
import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select

from paddock_ladder.rating import Rating
from paddock_ladder.standing import Place
from paddock_server.store.schema import MATCHES, STANDINGS
from paddock_server.store.text import dumps as as_json

_FLOAT: Final = "f"  # 32 bits: the errors of strengths are known to two digits


class Strength(NamedTuple):
    """What the whole history says of a bot's latest version."""

    bot: str
    version: str
    matches: int  # of this version
    rating: Rating  # its sigma: beside the mean of all, which no match can tell
    place: Place | None  # none where it has not played enough for one
    points: Rating  # a match, beside the mean of all bots, and how sure that is
    points_place: Place | None  # on the table by points


class Standing(NamedTuple):
    """A format's whole history at once, as it was computed."""

    format: str
    epoch: int  # whose constants it was computed with
    computed: str  # when
    seconds: float  # that this took
    covered: int  # the last of its matches, in the order in which matches were rated
    matches: int  # that it was computed from
    strengths: tuple[Strength, ...]  # those with a place first, the best first
    covariance: bytes  # of the strengths, packed


def save(connection: Connection, standing: Standing) -> None:
    """Keep a standing instead of the last one of its format."""
    connection.execute(delete(STANDINGS).where(STANDINGS.c.format == standing.format))
    packed = {**standing._asdict(), "strengths": pack_strengths(standing.strengths)}
    connection.execute(insert(STANDINGS).values(packed))


def find(connection: Connection, format_name: str, *, covariance: bool = False) -> Standing | None:
    """The standing of a format; the covariance is empty unless asked for, because it is large."""
    columns = [STANDINGS.c[name] for name in Standing._fields[: None if covariance else -1]]
    row = connection.execute(select(*columns).where(STANDINGS.c.format == format_name)).first()
    if row is None:
        return None
    found = {"covariance": b"", **row._mapping}
    return Standing(**{**found, "strengths": unpack_strengths(row.strengths)})


def stale(connection: Connection) -> list[str]:
    """The formats whose matches are others than those of their standing, the oldest first."""
    rated = (
        select(MATCHES.c.format, func.max(MATCHES.c.rated), func.count())
        .where(MATCHES.c.rated.is_not(None))
        .group_by(MATCHES.c.format)
    )
    now = {name: (last, count) for name, last, count in connection.execute(rated)}
    columns = (STANDINGS.c.computed, STANDINGS.c.covered, STANDINGS.c.matches)
    there = {row[0]: row[1:] for row in connection.execute(select(STANDINGS.c.format, *columns))}
    formats = [
        name
        for name in now.keys() | there.keys()
        if name not in there or tuple(there[name][1:]) != now.get(name, (0, 0))
    ]
    return sorted(formats, key=lambda name: (there[name][0] if name in there else "", name))


def newer(connection: Connection, standing: Standing) -> int:
    """How many matches were rated since a standing was computed."""
    query = select(func.count()).where(
        MATCHES.c.format == standing.format, MATCHES.c.rated > standing.covered
    )
    return int(connection.execute(query).scalar_one())


def dumps(standing: Standing) -> bytes:
    """A standing as one process hands it to another."""
    values = standing._asdict()
    for name, packed in (
        ("strengths", pack_strengths(standing.strengths)),
        ("covariance", standing.covariance),
    ):
        values[name] = b64encode(packed).decode()
    return as_json(values).encode()


def loads(given: bytes) -> Standing:
    """A standing that was handed over."""
    values = json.loads(given)
    values["strengths"] = unpack_strengths(b64decode(values["strengths"]))
    values["covariance"] = b64decode(values["covariance"])
    return Standing(**values)


def pack_strengths(strengths: Sequence[Strength]) -> bytes:
    """As they are stored."""
    rows = [
        (
            each.bot,
            each.version,
            each.matches,
            each.rating,
            each.place and each.place[1:],
            each.points,
            each.points_place and each.points_place[1:],
        )
        for each in strengths
    ]
    return zlib.compress(as_json(rows).encode(), 1)


def unpack_strengths(packed: bytes) -> tuple[Strength, ...]:
    """As they were before they were stored."""
    return tuple(
        Strength(
            bot,
            version,
            matches,
            Rating(*rating),
            place and Place(bot, *place),
            Rating(*points),
            points_place and Place(bot, *points_place),
        )
        for bot, version, matches, rating, place, points, points_place in json.loads(
            zlib.decompress(packed)
        )
    )


def pack_covariance(rows: Sequence[Sequence[float]]) -> bytes:
    """A symmetric matrix as it is stored: 32-bit floats, lowest byte first, each row up to the
    diagonal."""
    packed = array(_FLOAT, (each for at, row in enumerate(rows) for each in row[: at + 1]))
    return _in_order(packed).tobytes()


def unpack_covariance(packed: bytes, rows: int) -> list[list[float]]:
    """The first rows of a symmetric matrix, each up to its diagonal."""
    values = array(_FLOAT)
    values.frombytes(packed[: values.itemsize * rows * (rows + 1) // 2])
    values = _in_order(values)
    return [values[at * (at + 1) // 2 : (at + 1) * (at + 2) // 2].tolist() for at in range(rows)]


def _in_order(values: "array[float]") -> "array[float]":
    if sys.byteorder == "big":
        values.byteswap()
    return values
