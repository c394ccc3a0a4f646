"""Protobuf put together from parts that are already bytes.

Concatenation is merge in protobuf, and what all seats share is the larger part of an ask. Building
nested messages for each seat would cost more than everything else the referee does; here the parts
are kept as bytes and joined. A test reads them back with the generated code.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

_VARINT: Final = 0
_LENGTH: Final = 2


def varint(number: int) -> bytes:
    """A number of at least 0 in protobuf's variable length."""
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


@cache
def _tag(field: int, kind: int) -> bytes:
    return varint(field << 3 | kind)


def number(field: int, value: int) -> bytes:
    """A field with a number in it; nothing where it is 0, which is what absence means."""
    return _tag(field, _VARINT) + varint(value) if value else b""


def part(field: int, payload: bytes) -> bytes:
    """A field with bytes or a message in it, also where it is empty."""
    return _tag(field, _LENGTH) + varint(len(payload)) + payload


def text(field: int, value: str) -> bytes:
    """A field with a string in it; nothing where it is empty."""
    return part(field, value.encode()) if value else b""


def packed(field: int, values: Iterable[int]) -> bytes:
    """A repeated field of numbers; nothing where there are none."""
    payload = b"".join(map(varint, values))
    return part(field, payload) if payload else b""
