"""Standings in the store: what the whole history of a format says of its bots.

The strengths and the calibration of the ladder are one column: compressed JSON. Standings that were
stored before there was a calibration have a list of strengths there.
"""

import json
import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select

from paddock_ladder.calibration import Band, Calibration, Coverage
from paddock_ladder.rating import Rating
from paddock_ladder.standing import Place
from paddock_server.store.schema import MATCHES, STANDINGS
from paddock_server.store.text import dumps as as_json

_FLOAT: Final = "f"  # 32 bits: the errors of strengths are known to two digits
_BYTES: Final = ("strengths", "covariance")  # columns that are not text


class Strength(NamedTuple):
    """What the whole history says of a bot's latest version."""

    bot: str
    version: str
    matches: int  # of this version
    rating: Rating  # its sigma: beside the mean of all, which no match can tell
    place: Place | None  # None where it has not played enough for one
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
    # None where no pair was predicted, or where an older Paddock computed the standing.
    calibration: Calibration | None = None


def save(connection: Connection, standing: Standing) -> None:
    """Keep a standing instead of the last one of its format."""
    connection.execute(delete(STANDINGS).where(STANDINGS.c.format == standing.format))
    connection.execute(insert(STANDINGS).values(_columns(standing)))


def find(connection: Connection, format_name: str, *, covariance: bool = False) -> Standing | None:
    """The standing of a format; the covariance is empty unless asked for, because it is large."""
    columns = [each for each in STANDINGS.c if covariance or each.name != "covariance"]
    row = connection.execute(select(*columns).where(STANDINGS.c.format == format_name)).first()
    return None if row is None else _standing({"covariance": b"", **row._mapping})


def _columns(standing: Standing) -> dict[str, Any]:
    """A standing as it is stored."""
    columns = standing._asdict()
    calibration = columns.pop("calibration")
    columns["strengths"] = _pack(standing.strengths, calibration)
    return columns


def _standing(columns: Mapping[str, Any]) -> Standing:
    """A standing as it was before it was stored."""
    strengths, calibration = _unpack(columns["strengths"])
    return Standing(**{**columns, "strengths": strengths, "calibration": calibration})


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
    columns = _columns(standing)
    for name in _BYTES:
        columns[name] = b64encode(columns[name]).decode()
    return as_json(columns).encode()


def loads(text: bytes) -> Standing:
    """A standing that another process handed over."""
    columns = json.loads(text)
    for name in _BYTES:
        columns[name] = b64decode(columns[name])
    return _standing(columns)


def _pack(strengths: Sequence[Strength], calibration: Calibration | None) -> bytes:
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
    contents = {"strengths": rows, "calibration": calibration and calibration._asdict()}
    return zlib.compress(as_json(contents).encode(), 1)


def _unpack(packed: bytes) -> tuple[tuple[Strength, ...], Calibration | None]:
    contents = json.loads(zlib.decompress(packed))
    if isinstance(contents, list):  # by a Paddock that knew no calibration
        contents = {"strengths": contents, "calibration": None}
    strengths = tuple(
        Strength(
            bot,
            version,
            matches,
            Rating(*rating),
            place and Place(bot, *place),
            points=Rating(*points),
            points_place=points_place and Place(bot, *points_place),
        )
        for bot, version, matches, rating, place, points, points_place in contents["strengths"]
    )
    return strengths, contents["calibration"] and _calibration(contents["calibration"])


def _calibration(stored: Mapping[str, Any]) -> Calibration:
    bands = tuple(Band(*each) for each in stored["bands"])
    coverage = stored["coverage"] and Coverage(*stored["coverage"])
    return Calibration(**{**stored, "bands": bands, "coverage": coverage})


def pack_covariance(rows: Sequence[Sequence[float]]) -> bytes:
    """A symmetric matrix as it is stored: 32-bit floats, lowest byte first, each row up to the
    diagonal."""
    packed = array(_FLOAT, (each for last, row in enumerate(rows) for each in row[: last + 1]))
    return _in_order(packed).tobytes()


def unpack_covariance(packed: bytes, rows: int) -> list[list[float]]:
    """The first rows of a symmetric matrix, each up to its diagonal."""
    values = array(_FLOAT)
    values.frombytes(packed[: values.itemsize * rows * (rows + 1) // 2])
    values = _in_order(values)
    starts = [row * (row + 1) // 2 for row in range(rows + 1)]
    return [values[start:end].tolist() for start, end in pairwise(starts)]


def _in_order(values: "array[float]") -> "array[float]":
    if sys.byteorder == "big":
        values.byteswap()
    return values
