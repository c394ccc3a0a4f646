"""Protobuf put together from parts that are already bytes.

Concatenation is merge in protobuf, and what all seats share is the larger part of an ask. Building
nested messages for each seat would cost more than everything else the referee does; here the parts
are kept as bytes and joined. A test reads them back with the generated code.
"""

from collections.abc import Iterable
from typing import Final

_VARINT: Final = 0
_LENGTH: Final = 2


def _varint(number: int) -> bytes:
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


_MANY: Final = 1 << 14
_SMALL: Final = tuple(map(_varint, range(_MANY)))  # sizes and times are nearly always small


class _Tags(dict[int, bytes]):
    """What a field of one kind begins with, made once."""

    def __init__(self, kind: int) -> None:
        super().__init__()
        self._kind = kind

    def __missing__(self, field: int) -> bytes:
        self[field] = _varint(field << 3 | self._kind)
        return self[field]


_NUMBERS: Final = _Tags(_VARINT)
_PARTS: Final = _Tags(_LENGTH)


def varint(number: int) -> bytes:
    """A number of at least 0 in protobuf's variable length."""
    return _SMALL[number] if number < _MANY else _varint(number)


def number(field: int, value: int) -> bytes:
    """A field with a number in it; nothing where it is 0, which is what absence means."""
    if not value:
        return b""
    return _NUMBERS[field] + (_SMALL[value] if value < _MANY else _varint(value))


def part(field: int, payload: bytes) -> bytes:
    """A field with bytes or a message in it, also where it is empty."""
    size = len(payload)
    return _PARTS[field] + (_SMALL[size] if size < _MANY else _varint(size)) + payload


def text(field: int, value: str) -> bytes:
    """A field with a string in it; nothing where it is empty."""
    return part(field, value.encode()) if value else b""


def packed(field: int, values: Iterable[int]) -> bytes:
    """A repeated field of numbers; nothing where there are none."""
    payload = b"".join(map(varint, values))
    return part(field, payload) if payload else b""
