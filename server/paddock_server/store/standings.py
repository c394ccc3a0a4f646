"""Standings in the store: the strengths of a format's bots, computed from its whole history.

The strengths and the calibration of the ladder share one column of compressed JSON. In standings
from before there was a calibration, that column has only a list of strengths.
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
    """The strength of a bot's latest version by the whole history."""

    bot: str
    version: str
    matches: int  # of this version
    rating: Rating  # its sigma is relative to the mean of all bots, which no match can tell
    place: Place | None  # None: it has not played enough matches
    points: Rating  # points per match above the mean of all bots, and their uncertainty
    points_place: Place | None  # on the table by points


class Standing(NamedTuple):
    """A standing of a format, computed from its whole history at once."""

    format: str
    epoch: int  # whose constants it was computed with
    computed: str  # when
    seconds: float  # that this took
    covered: int  # the last of its matches, in the order in which matches were rated
    matches: int  # that it was computed from
    strengths: tuple[Strength, ...]  # those with a place first, the best first
    covariance: bytes  # of the strengths, packed
    # None: no pair was predicted, or an older Paddock computed the standing.
    calibration: Calibration | None = None


def save(connection: Connection, standing: Standing) -> None:
    """Store a standing; it replaces the last one of its format."""
    connection.execute(delete(STANDINGS).where(STANDINGS.c.format == standing.format))
    connection.execute(insert(STANDINGS).values(_columns(standing)))


def find(connection: Connection, format_name: str, *, covariance: bool = False) -> Standing | None:
    """The standing of a format; the covariance is empty unless asked for, because it is large."""
    columns = [column for column in STANDINGS.c if covariance or column.name != "covariance"]
    row = connection.execute(select(*columns).where(STANDINGS.c.format == format_name)).first()
    return None if row is None else _standing({"covariance": b"", **row._mapping})


def _columns(standing: Standing) -> dict[str, Any]:
    """The columns of a standing, as stored."""
    columns = standing._asdict()
    calibration = columns.pop("calibration")
    columns["strengths"] = _pack(standing.strengths, calibration)
    return columns


def _standing(columns: Mapping[str, Any]) -> Standing:
    """The standing in these columns."""
    strengths, calibration = _unpack(columns["strengths"])
    return Standing(**{**columns, "strengths": strengths, "calibration": calibration})


def stale(connection: Connection) -> list[str]:
    """The formats whose matches changed since their standing, the oldest standing first."""
    rated = (
        select(MATCHES.c.format, func.max(MATCHES.c.rated), func.count())
        .where(MATCHES.c.rated.is_not(None))
        .group_by(MATCHES.c.format)
    )
    now = {name: (last, count) for name, last, count in connection.execute(rated)}
    columns = (STANDINGS.c.computed, STANDINGS.c.covered, STANDINGS.c.matches)
    stored = {row[0]: row[1:] for row in connection.execute(select(STANDINGS.c.format, *columns))}
    formats = [
        name
        for name in now.keys() | stored.keys()
        if name not in stored or tuple(stored[name][1:]) != now.get(name, (0, 0))
    ]
    return sorted(formats, key=lambda name: (stored[name][0] if name in stored else "", name))


def newer(connection: Connection, standing: Standing) -> int:
    """How many matches were rated since a standing was computed."""
    query = select(func.count()).where(
        MATCHES.c.format == standing.format, MATCHES.c.rated > standing.covered
    )
    return int(connection.execute(query).scalar_one())


def dumps(standing: Standing) -> bytes:
    """A standing as bytes for another process."""
    columns = _columns(standing)
    for name in _BYTES:
        columns[name] = b64encode(columns[name]).decode()
    return as_json(columns).encode()


def loads(text: bytes) -> Standing:
    """The standing that another process wrote with `dumps`."""
    columns = json.loads(text)
    for name in _BYTES:
        columns[name] = b64decode(columns[name])
    return _standing(columns)


def _pack(strengths: Sequence[Strength], calibration: Calibration | None) -> bytes:
    rows = [
        (
            strength.bot,
            strength.version,
            strength.matches,
            strength.rating,
            strength.place and strength.place[1:],
            strength.points,
            strength.points_place and strength.points_place[1:],
        )
        for strength in strengths
    ]
    contents = {"strengths": rows, "calibration": calibration and calibration._asdict()}
    return zlib.compress(as_json(contents).encode(), 1)


def _unpack(packed: bytes) -> tuple[tuple[Strength, ...], Calibration | None]:
    contents = json.loads(zlib.decompress(packed))
    if isinstance(contents, list):  # from before there was a calibration
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
    bands = tuple(Band(*band) for band in stored["bands"])
    coverage = stored["coverage"] and Coverage(*stored["coverage"])
    return Calibration(**{**stored, "bands": bands, "coverage": coverage})


def pack_covariance(rows: Sequence[Sequence[float]]) -> bytes:
    """A symmetric matrix as it is stored: 32-bit floats, lowest byte first, each row up to the
    diagonal."""
    packed = array(_FLOAT, (value for last, row in enumerate(rows) for value in row[: last + 1]))
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
