"""Header fields: names and values before and after the data of a stream (HPACK, RFC 7541).

What clients send is read by the package hpack. What we send needs no table: each field is written
out, and the few that come every time are bytes already.
"""

import logging
from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from hpack import Decoder, HPACKError

from paddock_server.http2.frames import (
    CONTINUATION,
    END_HEADERS,
    END_STREAM,
    WITH_PRIORITY,
    BadConnection,
    ErrorCode,
    unpadded,
)

# The package logs every field that it reads, and tokens are fields.
logging.getLogger("hpack").setLevel(logging.WARNING)

Fields: TypeAlias = tuple[tuple[str, str], ...]

LIST_BYTES: Final = 16_384
"""The most that the fields of a stream may have, names and values and 32 bytes for each."""
_SHORT: Final = 127
_NEEDED: Final = frozenset((":method", ":path", ":scheme"))
_OF_REQUESTS: Final = _NEEDED | {":authority"}
_OF_HTTP_1: Final = frozenset(
    ("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade")
)


class Opening(NamedTuple):
    """The fields of a client at the beginning or the end of a stream."""

    stream: int
    fields: Fields
    last: bool  # whether it says no more on this stream


class FieldReader:
    """A reader of the fields of one connection, which remembers what came before.

    Fields may need several frames; nothing else may come between these.
    """

    def __init__(self) -> None:
        self._decoder = Decoder(max_header_list_size=LIST_BYTES)
        self._block: bytearray | None = None  # that is not complete
        self._stream = 0
        self._last = False

    @property
    def waits(self) -> bool:
        """Whether fields are not complete."""
        return self._block is not None

    def read(self, kind: int, flags: int, stream: int, payload: bytes) -> Opening | None:
        """The fields that a frame completes; raises BadConnection."""
        if self._block is not None:
            if kind != CONTINUATION or stream != self._stream:
                raise BadConnection(ErrorCode.PROTOCOL_ERROR, "header fields were not completed")
        elif kind == CONTINUATION:
            raise BadConnection(ErrorCode.PROTOCOL_ERROR, "header fields go on that did not begin")
        else:
            payload = unpadded(flags, payload)[5 if flags & WITH_PRIORITY else 0 :]
            self._block, self._stream = bytearray(), stream
            self._last = bool(flags & END_STREAM)
        self._block += payload
        if len(self._block) > LIST_BYTES:
            raise BadConnection(ErrorCode.ENHANCE_YOUR_CALM, "the header fields are too long")
        if not flags & END_HEADERS:
            return None
        block, self._block = bytes(self._block), None
        return Opening(stream, self._decoded(block), self._last)

    def _decoded(self, block: bytes) -> Fields:
        try:
            return tuple((str(name), str(value)) for name, value in self._decoder.decode(block))
        except (HPACKError, IndexError, ValueError) as problem:  # the package lets some through
            raise BadConnection(ErrorCode.COMPRESSION_ERROR, f"bad fields: {problem}") from None


def well_formed(fields: Fields) -> bool:
    """Whether these can be the fields of a request (RFC 9113, 8.2 and 8.3)."""
    of_request: set[str] = set()
    others = False
    for name, value in fields:
        if name.startswith(":"):
            if others or name in of_request or name not in _OF_REQUESTS:
                return False
            of_request.add(name)
        elif name != name.lower() or name in _OF_HTTP_1 or (name == "te" and value != "trailers"):
            return False
        else:
            others = True
    return of_request >= _NEEDED and dict(fields)[":path"] != ""


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
