"""Header fields: names and values before and after the data of a stream (HPACK, RFC 7541).

What clients send is read by the package hpack. What we send needs no table: each field is written
out, and the few that come every time are bytes already.
"""

import logging
from collections.abc import Iterable
from typing import Final, TypeAlias

from hpack import Decoder, HPACKError

from paddock_server.http2.frames import BadConnection, ErrorCode

# The package logs every field that it reads, and tokens are fields.
logging.getLogger("hpack").setLevel(logging.WARNING)

Fields: TypeAlias = tuple[tuple[str, str], ...]

LIST_BYTES: Final = 16_384
"""The most that the fields of a stream may have, names and values and 32 bytes for each."""
_SHORT: Final = 127


class FieldReader:
    """A reader of the fields of one connection, which remembers what came before."""

    def __init__(self) -> None:
        self._decoder = Decoder(max_header_list_size=LIST_BYTES)

    def read(self, block: bytes) -> Fields:
        """The fields in a block of bytes."""
        try:
            return tuple((str(name), str(value)) for name, value in self._decoder.decode(block))
        except (HPACKError, IndexError, ValueError) as problem:  # the package lets some through
            raise BadConnection(ErrorCode.COMPRESSION_ERROR, f"bad fields: {problem}") from None


def field_block(fields: Iterable[tuple[str, str]]) -> bytes:
    """Fields as bytes; values are ASCII."""
    return b"".join(
        b"\x00" + _text(name.encode("ascii")) + _text(value.encode("ascii", "replace"))
        for name, value in fields
    )


def _text(data: bytes) -> bytes:
    """A string as it is, behind its length (RFC 7541, 5.1 and 5.2)."""
    size = len(data)
    if size < _SHORT:
        return bytes((size,)) + data
    head, size = bytearray((_SHORT,)), size - _SHORT
    while size > _SHORT:
        head.append(size & _SHORT | 0x80)
        size >>= 7
    head.append(size)
    return bytes(head) + data
