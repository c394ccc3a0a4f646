"""A deaf client: raw HTTP/2 that begins a call, answers pings, and lets no answer through.

Its window for each stream is 0 bytes: what the server writes to it waits for ever.
"""

import asyncio
import struct
from contextlib import suppress
from typing import Final, Self

_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _SETTINGS, _PING = 0, 1, 4, 6
_ACK, _END_STREAM, _END_HEADERS = 1, 1, 4
_INITIAL_WINDOW_SIZE: Final = 4
_STREAM: Final = 1
_EMPTY_MESSAGE: Final = bytes(5)  # not compressed, no bytes


class Deaf:
    """A connection with one call, as `async with Deaf(address, method)`."""

    def __init__(self, address: str, method: str) -> None:
        self._address = address
        self._method = method

    async def __aenter__(self) -> Self:
        host, _, port = self._address.rpartition(":")
        self._reader, self._writer = await asyncio.open_connection(host, int(port))
        self._writer.write(_PREFACE)
        self._frame(_SETTINGS, payload=struct.pack("!HI", _INITIAL_WINDOW_SIZE, 0))
        self._frame(_HEADERS, _END_HEADERS, self._headers(), _STREAM)
        self._frame(_DATA, _END_STREAM, _EMPTY_MESSAGE, _STREAM)
        self._answered = asyncio.Event()
        self._task = asyncio.create_task(self._attend())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    async def answered(self) -> None:
        """Wait until the server has begun to answer: the headers of an answer need no window."""
        await self._answered.wait()

    def _headers(self) -> bytes:
        fields = {
            ":method": "POST",
            ":scheme": "http",
            ":path": self._method,
            ":authority": "paddock",
            "content-type": "application/grpc",
            "te": "trailers",
        }
        return b"".join(_field(name) + _text(value) for name, value in fields.items())

    def _frame(self, kind: int, flags: int = 0, payload: bytes = b"", stream: int = 0) -> None:
        head = struct.pack("!IBBI", len(payload), kind, flags, stream)[1:]  # 24 bits of length
        self._writer.write(head + payload)

    async def _attend(self) -> None:
        """Answer what a server takes for a sign of life."""
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                head = await self._reader.readexactly(9)
                length, kind, flags, stream = struct.unpack("!IBBI", b"\0" + head)
                payload = await self._reader.readexactly(length)
                if kind in (_SETTINGS, _PING) and not flags & _ACK:
                    self._frame(kind, _ACK, payload if kind == _PING else b"")
                elif kind == _HEADERS and stream == _STREAM:
                    self._answered.set()


def _field(name: str) -> bytes:
    """The name of a header that is in no table of HPACK."""
    return b"\0" + _text(name)


def _text(text: str) -> bytes:
    assert len(text) < 127  # a longer one takes another form
    return bytes((len(text),)) + text.encode()
