"""A connection of the server with a transport that only keeps what is written."""

import asyncio
from collections.abc import Callable
from typing import Any

from paddock_server.http2.connection import USUAL, Connection, ConnectionLimits
from paddock_server.http2.fields import Fields
from paddock_server.http2.frames import GOAWAY, HEAD, HEAD_BYTES, SETTINGS, frame
from paddock_server.http2.stream import Receiver, Stream

POST = b"\x83\x84\x86"  # from the static table: :method POST, :path /, :scheme http
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0)


class Wire:
    """The transport of a connection."""

    def __init__(self) -> None:
        self.written = bytearray()
        self.closed = False
        self.aborted = False
        self.unread = 0

    def get_extra_info(self, name: str) -> Any:
        """An address, and no encryption."""
        return ("127.0.0.1", 5000) if name == "peername" else None

    def write(self, data: bytes) -> None:
        """Keep it."""
        assert not self.closed
        self.written += data

    def get_write_buffer_size(self) -> int:
        """What the other end has not read, as told."""
        return self.unread

    def close(self) -> None:
        """Note that it ends."""
        self.closed = True

    def abort(self) -> None:
        """Note that it ends at once."""
        self.aborted = True

    def take(self) -> bytes:
        """What was written since the last look."""
        data = bytes(self.written)
        self.written.clear()
        return data

    def frames(self) -> list[tuple[int, int, int, bytes]]:
        """The frames that were written since the last look: kind, flags, stream, payload."""
        data, found, at = self.take(), [], 0
        while at < len(data):
            high, low, kind, flags, stream = HEAD.unpack_from(data, at)
            begin = at + HEAD_BYTES
            at = begin + (high << 16 | low)
            found.append((kind, flags, stream, data[begin:at]))
        return found

    def ending(self) -> tuple[int, str] | None:
        """The code and the sentence of the last GOAWAY."""
        said = [payload for kind, _, _, payload in self.frames() if kind == GOAWAY]
        return (int.from_bytes(said[-1][4:8], "big"), said[-1][8:].decode()) if said else None


class Keeper:
    """A receiver that keeps what it gets, and takes it at once."""

    def __init__(self, stream: Stream, fields: Fields) -> None:
        self.stream = stream
        self.fields = fields
        self.data = bytearray()
        self.ends: list[str] = []
        self.times_writable = 0

    def received(self, data: bytes) -> None:
        """Keep it."""
        self.data += data
        self.stream.take(len(data))

    def finished(self) -> None:
        """Note it."""
        self.ends.append("finished")

    def writable(self) -> None:
        """Note it."""
        self.times_writable += 1

    def broken(self) -> None:
        """Note it."""
        self.ends.append("broken")


class Talk:
    """A connection, its transport, and the streams that were opened, by number."""

    def __init__(
        self,
        receiver: Callable[[Stream, Fields], Receiver] = Keeper,
        limits: ConnectionLimits = USUAL,
    ) -> None:
        self.wire = Wire()
        self.keepers: dict[int, Any] = {}
        self.open: set[Connection] = set()
        self._receiver = receiver
        self.connection = Connection(self._accept, self.open, limits)
        transport: Any = self.wire
        self.connection.connection_made(transport)

    def _accept(self, stream: Stream, fields: Fields) -> Receiver:
        keeper = self.keepers[stream.id] = self._receiver(stream, fields)
        return keeper

    def say(self, *data: bytes) -> None:
        """Say this as a client."""
        self.connection.data_received(b"".join(data))

    def leave(self) -> None:
        """End the connection, which has timers."""
        self.connection.connection_lost(None)


def in_loop(test: Callable[[], None]) -> None:
    """Run a test with an event loop that turns once after it."""

    async def main() -> None:
        test()
        await asyncio.sleep(0)

    asyncio.run(main())
