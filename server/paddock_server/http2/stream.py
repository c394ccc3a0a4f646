"""A stream of HTTP/2: what a client and a server say to each other about one thing."""

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Protocol

from paddock_server.http2.frames import (
    DATA,
    HEAD,
    LARGEST_WINDOW,
    WINDOW_UPDATE,
    BadConnection,
    ErrorCode,
    frame,
)

if TYPE_CHECKING:
    from paddock_server.http2.connection import Connection

STREAM_BYTES = 262_144
"""What a client may send on a stream before somebody takes it."""


class Receiver(Protocol):
    """The receiver of what a client sends on a stream."""

    def received(self, data: bytes) -> None:
        """Take some data; `Stream.take` says that there is room for as much again."""

    def finished(self) -> None:
        """Note that the client sends no more."""

    def writable(self) -> None:
        """Note that all data has left that had to wait."""

    def broken(self) -> None:
        """Note that the stream is over, before it was finished from here."""


class _Nobody:
    """The receiver of a stream that nobody wants."""

    def received(self, data: bytes) -> None:
        """Drop it."""

    def finished(self) -> None:
        """Say nothing."""

    def writable(self) -> None:
        """Say nothing."""

    def broken(self) -> None:
        """Say nothing."""


NOBODY: Receiver = _Nobody()


class _Last(NamedTuple):
    """The fields that end a stream."""

    block: bytes


class Stream:
    """A stream of a connection."""

    __slots__ = (
        "_connection",
        "_finished",
        "_owed",
        "_queue",
        "_room",
        "_window",
        "closed",
        "id",
        "receiver",
    )

    def __init__(self, connection: "Connection", stream_id: int, window: int) -> None:
        self.id = stream_id
        self.closed = False  # whether nothing more can be sent on it
        self.receiver = NOBODY
        self._connection = connection
        self._window = window  # what the client still takes
        self._room = STREAM_BYTES  # what we still take
        self._owed = 0  # what was taken and the client does not know yet
        self._queue: deque[memoryview | _Last] = deque()  # what has to wait
        self._finished = False  # whether the client is

    @property
    def peer(self) -> str:
        """The address of the client, in the words of gRPC."""
        return self._connection.peer

    @property
    def ready(self) -> bool:
        """Whether nothing waits to be sent."""
        return not self._queue

    # --- from the client --------------------------------------------------------------------

    def got(self, size: int, data: bytes) -> None:
        """Hand over data that came in a frame of this size."""
        self._room -= size
        if self._room < 0:
            raise BadConnection(ErrorCode.FLOW_CONTROL_ERROR, "more data than the stream takes")
        if self._finished:
            raise BadConnection(ErrorCode.STREAM_CLOSED, "data after the end of a stream")
        if size != len(data):
            self.take(size - len(data))  # padding
        if data:
            self.receiver.received(data)

    def charge(self, cost: float) -> None:
        """Count what costs much and says nothing; the connection ends when it is too much."""
        self._connection.charge(cost)

    def got_end(self) -> None:
        """Note that the client has sent all."""
        if not self._finished:
            self._finished = True
            self.receiver.finished()

    def take(self, size: int) -> None:
        """Let the client send as much again; it hears of it when that is worth a frame."""
        self._connection.take(size)
        self._owed += size
        if self._owed > STREAM_BYTES // 2 and not self._finished and not self.closed:
            self._room += self._owed
            self._connection.write(frame(WINDOW_UPDATE, 0, self.id, self._owed.to_bytes(4, "big")))
            self._owed = 0

    def widen(self, more: int) -> None:
        """The client takes so much more, or less."""
        self._window += more
        if self._window > LARGEST_WINDOW:
            raise BadConnection(ErrorCode.FLOW_CONTROL_ERROR, "the window of a stream is too large")

    # --- to the client ----------------------------------------------------------------------

    def begin(self, block: bytes) -> None:
        """Send the first fields."""
        self._connection.write_fields(self.id, block, last=False)

    def send(self, data: bytes) -> None:
        """Send data, at once if it may leave at once."""
        connection, size = self._connection, len(data)
        if self._queue or size > self._window or not connection.lets_through(size):
            self._queue.append(memoryview(data))
            self.flush()
            return
        self._window -= size
        connection.window -= size
        connection.noise.earn()
        connection.write(HEAD.pack(size >> 16, size & 0xFFFF, DATA, 0, self.id) + data)

    def finish(self, block: bytes) -> None:
        """Send the last fields, after all that waits; the stream is over then."""
        self._queue.append(_Last(block))
        self.flush()

    def reset(self, code: ErrorCode) -> None:
        """End the stream at once."""
        self._queue.clear()
        self._connection.reset(self, code)

    def flush(self) -> None:
        """Send what waits, as far as it may leave; the rest waits on."""
        connection = self._connection
        while self._queue and not self.closed:
            part = self._queue[0]
            if isinstance(part, _Last):
                self._queue.popleft()
                connection.finish(self, part.block, reset=not self._finished)
                return
            room = min(self._window, connection.room)
            if room <= 0:
                connection.wait(self)
                return
            now, rest = part[:room], part[room:]
            if rest:
                self._queue[0] = rest
            else:
                self._queue.popleft()
            size = len(now)
            self._window -= size
            connection.window -= size
            connection.noise.earn()
            connection.write(HEAD.pack(size >> 16, size & 0xFFFF, DATA, 0, self.id) + now)
