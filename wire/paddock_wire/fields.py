"""Protobuf fields, joined from parts that are already bytes.

In protobuf, joining the bytes of two messages merges them, and most of an ask is the same for all
seats. Building nested messages for each seat would cost more than everything else the referee does.
A test reads the joined bytes with the generated code.
"""

from collections.abc import Iterable
from typing import Final

_VARINT: Final = 0
_LENGTH: Final = 2


_MANY: Final = 1 << 14
# Sizes and times are nearly always small; larger numbers are made of two bytes at a time.
_SMALL: Final = tuple(
    bytes((number,)) if number < 128 else bytes((number & 127 | 128, number >> 7))
    for number in range(_MANY)
)
_CONTINUED: Final = tuple(bytes((n & 127 | 128, n >> 7 | 128)) for n in range(_MANY))


def _varint(number: int) -> bytes:
    front = b""
    while number >= _MANY:
        front += _CONTINUED[number & _MANY - 1]
        number >>= 14
    return front + _SMALL[number]


def varint(number: int) -> bytes:
    """A number of at least 0 in protobuf's variable length."""
    return _SMALL[number] if number < _MANY else _varint(number)


class Field:
    """A field of a message; its number is one of the generated constants."""

    __slots__ = ("_number_tag", "_part_tag")

    def __init__(self, field_number: int) -> None:
        self._number_tag = _varint(field_number << 3 | _VARINT)
        self._part_tag = _varint(field_number << 3 | _LENGTH)

    def number(self, value: int) -> bytes:
        """The field with a number; empty for 0, which protobuf does not send."""
        if not value:
            return b""
        return self._number_tag + (_SMALL[value] if value < _MANY else _varint(value))

    def part(self, payload: bytes) -> bytes:
        """The field with bytes or a message, even if they are empty."""
        size = len(payload)
        return self._part_tag + (_SMALL[size] if size < _MANY else _varint(size)) + payload

    def text(self, value: str) -> bytes:
        """The field with a string; empty for an empty one."""
        return self.part(value.encode()) if value else b""

    def packed(self, values: Iterable[int]) -> bytes:
        """The repeated field of numbers; empty without numbers."""
        payload = b"".join(map(varint, values))
        return self.part(payload) if payload else b""
