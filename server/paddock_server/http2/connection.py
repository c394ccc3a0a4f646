"""A connection of HTTP/2, as the server of gRPC calls needs it (RFC 9113).

It is written by hand because it is on the way of every decision: it takes under a third of the
processor time of gRPC's own server, with no thread besides the event loop's. It knows no push and
no priorities, and it says no more than it must.
"""

import asyncio
from collections.abc import Callable, MutableSet
from math import inf
from typing import Any, Final, NamedTuple

from paddock_server.http2.fields import LIST_BYTES, FieldReader, Fields, Opening, well_formed
from paddock_server.http2.frame_reader import FrameReader
from paddock_server.http2.frames import (
    ACK,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    FRAME_BYTES,
    GOAWAY,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    LARGEST_WINDOW,
    MAX_CONCURRENT_STREAMS,
    MAX_FRAME_SIZE,
    MAX_HEADER_LIST_SIZE,
    NUMBER,
    PING,
    PRIORITY,
    PUSH_PROMISE,
    RST_STREAM,
    SETTING,
    SETTINGS,
    WINDOW,
    WINDOW_UPDATE,
    BadConnection,
    ErrorCode,
    frame,
    number_in,
    settings_in,
    unpadded,
)
from paddock_server.http2.heartbeat import Heartbeat
from paddock_server.http2.noise import Noise
from paddock_server.http2.peer import peer_name
from paddock_server.http2.stream import STREAM_BYTES, Receiver, Stream

_CONNECTION_BYTES: Final = 4 * STREAM_BYTES  # that may be on the way, on all streams together
_CLOSE_SECONDS: Final = 2.0  # for the last frames to leave
_UNREAD: Final = 1 << 20  # bytes of answers that a client leaves unread while it asks for more
_ROOM: Final = frame(WINDOW_UPDATE, 0, 0, (_CONNECTION_BYTES - WINDOW).to_bytes(4, "big"))
_OF_CONNECTIONS: Final = (SETTINGS, PING, GOAWAY)
_OF_STREAMS: Final = (RST_STREAM, PRIORITY)
_STILL_THERE: Final = b"paddock?"

Accept = Callable[[Stream, Fields], Receiver]


class ConnectionLimits(NamedTuple):
    """The limits of a connection: its streams at once, and how long it may have none."""

    streams: int = 1_000
    idle_seconds: float = inf


USUAL: Final = ConnectionLimits()


class Connection(asyncio.Protocol):
    """The connection of one client, with its streams."""

    def __init__(
        self, accept: Accept, all_open: MutableSet["Connection"], limits: ConnectionLimits
    ) -> None:
        """It is among those that are open once its client is there, which TLS may prevent."""
        self.peer = ""
        self.window = WINDOW  # what the client still takes, on all streams together
        self._accept = accept
        self._all_open = all_open
        self._transport: Any = None
        self._loop = asyncio.get_running_loop()
        self._limits = limits
        self._streams: dict[int, Stream] = {}
        self._last = 0  # the number of the newest stream
        self._frames = FrameReader(self._take)
        self._fields = FieldReader()
        self._stream_window = WINDOW  # of a new stream
        self._frame_bytes = FRAME_BYTES  # that the client takes
        self._room = _CONNECTION_BYTES  # what we still take
        self._owed = 0
        self._paused = False  # whether the system takes nothing more for this client
        self._waiting: dict[Stream, None] = {}  # streams with data that can't leave
        self._draining = False
        self._closing = False
        self.noise = Noise()
        self._heartbeat: Heartbeat

    # --- the transport ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet a client."""
        self._transport = transport
        self._all_open.add(self)
        self._heartbeat = Heartbeat(self._ping_client, self._abort)
        self._heartbeat.rest(self._limits.idle_seconds, self.drain)
        self.peer = peer_name(transport)
        encrypted = transport.get_extra_info("ssl_object")
        if encrypted is not None and encrypted.selected_alpn_protocol() != "h2":
            self._shut()
            return
        settings = (
            (MAX_CONCURRENT_STREAMS, self._limits.streams),
            (INITIAL_WINDOW_SIZE, STREAM_BYTES),
            (MAX_HEADER_LIST_SIZE, LIST_BYTES),
        )
        said = b"".join(SETTING.pack(name, value) for name, value in settings)
        self.write(frame(SETTINGS, 0, 0, said) + _ROOM)

    def data_received(self, data: bytes) -> None:
        """Take what a client sent."""
        if self._closing:
            return
        heartbeat = self._heartbeat
        heartbeat.heard = self._loop.time()
        try:
            self._frames.read(data)
        except BadConnection as problem:
            self.close(problem.code, str(problem))

    def pause_writing(self) -> None:
        """The system takes nothing more; data waits."""
        self._paused = True

    def resume_writing(self) -> None:
        """It does again."""
        self._paused = False
        self._flush()

    def eof_received(self) -> bool:
        """A client that has said all is gone."""
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """End all streams."""
        self._closing = True
        self._heartbeat.stop()
        streams = list(self._streams.values())
        self._streams.clear()
        self._waiting.clear()
        for stream in streams:
            stream.closed = True
            stream.receiver.broken()
        self._all_open.discard(self)

    def write(self, data: bytes) -> None:
        """Send bytes, unless the connection is about to end."""
        if not self._closing:
            self._transport.write(data)

    # --- frames of the client ---------------------------------------------------------------

    def _take(self, kind: int, flags: int, stream_id: int, payload: bytes) -> bool:
        if kind == DATA and not self._fields.waits:
            self._data(flags, stream_id, payload)
        else:
            self._other(kind, flags, stream_id, payload)
        return not self._closing

    def _data(self, flags: int, stream_id: int, payload: bytes) -> None:
        size = len(payload)
        self._room -= size
        if self._room < 0:
            raise BadConnection(ErrorCode.FLOW_CONTROL_ERROR, "more data than the connection takes")
        if size or flags & END_STREAM:
            self.noise.earn()
        else:
            self.noise.spend()
        stream = self._streams.get(stream_id)
        if stream is None:
            if stream_id > self._last or not stream_id:
                raise BadConnection(ErrorCode.PROTOCOL_ERROR, "data for a stream that is not there")
            self.take(size)  # of a stream that is over
            return
        stream.got(size, unpadded(flags, payload) if flags else payload)
        if flags & END_STREAM:
            stream.got_end()

    def _other(self, kind: int, flags: int, stream_id: int, payload: bytes) -> None:
        if kind in (HEADERS, CONTINUATION) or self._fields.waits:
            opening = self._fields.read(kind, flags, stream_id, payload)
            if opening is None:
                self.noise.spend()
            else:
                self._open(opening)
            return
        self.noise.spend()
        if self._transport.get_write_buffer_size() > _UNREAD:
            raise BadConnection(ErrorCode.ENHANCE_YOUR_CALM, "the answers are not read")
        if (kind in _OF_CONNECTIONS and stream_id) or (kind in _OF_STREAMS and not stream_id):
            raise BadConnection(ErrorCode.PROTOCOL_ERROR, "a frame is on the wrong stream")
        if kind in (RST_STREAM, WINDOW_UPDATE) and stream_id > self._last:
            raise BadConnection(ErrorCode.PROTOCOL_ERROR, "a frame is for no stream that there was")
        if kind == WINDOW_UPDATE:
            self._widen(stream_id, number_in(payload))
        elif kind == PING:
            self._ping(flags, payload)
        elif kind == SETTINGS:
            self._set(flags, payload)
        elif kind == RST_STREAM:
            self._reset_by_client(stream_id, number_in(payload))
        elif kind == PUSH_PROMISE:
            raise BadConnection(ErrorCode.PROTOCOL_ERROR, "a client can't push")
        # All others say nothing that matters here.

    def _open(self, opening: Opening) -> None:
        stream_id, fields, last = opening
        if not stream_id % 2:
            raise BadConnection(ErrorCode.PROTOCOL_ERROR, "a client's streams have odd numbers")
        stream = self._streams.get(stream_id)
        if stream is not None:  # what a client may add at the end
            if not last:
                raise BadConnection(ErrorCode.PROTOCOL_ERROR, "header fields amid a stream")
            stream.got_end()
            return
        if stream_id <= self._last:
            self.noise.spend()  # of a stream that is over
            return
        self._last = stream_id
        if self._draining or len(self._streams) >= self._limits.streams:
            self.noise.spend()
            self._write_reset(stream_id, ErrorCode.REFUSED_STREAM)
            return
        if not well_formed(fields):
            self.noise.spend()
            self._write_reset(stream_id, ErrorCode.PROTOCOL_ERROR)
            return
        stream = self._streams[stream_id] = Stream(self, stream_id, self._stream_window)
        self._heartbeat.busy()
        stream.receiver = self._accept(stream, fields)
        if last and not stream.closed:
            stream.got_end()

    def _widen(self, stream_id: int, more: int) -> None:
        if not stream_id:
            self.window += more
            if not more or self.window > LARGEST_WINDOW:
                raise BadConnection(ErrorCode.FLOW_CONTROL_ERROR, "the window has no such size")
        elif stream_id in self._streams:
            if not more:
                raise BadConnection(ErrorCode.PROTOCOL_ERROR, "a window grows by nothing")
            self._streams[stream_id].widen(more)
        self._flush()

    def _ping(self, flags: int, payload: bytes) -> None:
        if len(payload) != 8:
            raise BadConnection(ErrorCode.FRAME_SIZE_ERROR, "a ping has eight bytes")
        if not flags & ACK:
            self.write(frame(PING, ACK, 0, payload))

    def _set(self, flags: int, payload: bytes) -> None:
        if flags & ACK:
            if payload:
                raise BadConnection(ErrorCode.FRAME_SIZE_ERROR, "an answer to settings has some")
            return
        for name, value in settings_in(payload):
            if name == INITIAL_WINDOW_SIZE:
                more, self._stream_window = value - self._stream_window, value
                for stream in list(self._streams.values()):
                    stream.widen(more)
            elif name == MAX_FRAME_SIZE:
                self._frame_bytes = min(value, FRAME_BYTES)
        self._heartbeat.look()  # it is a client of HTTP/2
        self.write(frame(SETTINGS, ACK, 0))  # before data that only the new window takes
        self._flush()

    def _reset_by_client(self, stream_id: int, _code: int) -> None:
        stream = self._streams.get(stream_id)
        if stream is not None:
            self._forget(stream)
            stream.receiver.broken()
            self._close_if_drained()

    # --- frames of the server ---------------------------------------------------------------

    @property
    def room(self) -> int:
        """What may be sent in one frame now."""
        return 0 if self._paused else min(self.window, self._frame_bytes)

    def lets_through(self, size: int) -> bool:
        """Whether so much data may be sent in one frame now."""
        return not self._paused and size <= self.window and size <= self._frame_bytes

    def take(self, size: int) -> None:
        """Let the client send as much again."""
        self._owed += size
        if self._owed > _CONNECTION_BYTES // 2:
            self._room += self._owed
            self.write(frame(WINDOW_UPDATE, 0, 0, self._owed.to_bytes(4, "big")))
            self._owed = 0

    def charge(self, cost: float) -> None:
        """Count what costs much and says nothing; the connection ends when it is too much."""
        try:
            self.noise.spend(cost)
        except BadConnection as problem:
            self.close(problem.code, str(problem))

    def wait(self, stream: Stream) -> None:
        """Have a stream flushed as soon as more may be sent."""
        self._waiting[stream] = None

    def write_fields(self, stream_id: int, block: bytes, *, last: bool) -> None:
        """Send header fields, in as many frames as they need."""
        first, rest = block[:FRAME_BYTES], block[FRAME_BYTES:]
        flags = END_STREAM if last else 0
        kind = HEADERS
        while rest:
            self.write(frame(kind, flags, stream_id, first))
            first, rest = rest[:FRAME_BYTES], rest[FRAME_BYTES:]
            kind, flags = CONTINUATION, 0
        self.write(frame(kind, flags | END_HEADERS, stream_id, first))

    def finish(self, stream: Stream, block: bytes, *, reset: bool) -> None:
        """Send the last fields of a stream; a client that has not said all need not go on."""
        self._forget(stream)
        self.write_fields(stream.id, block, last=True)
        if reset:
            self._write_reset(stream.id, ErrorCode.NO_ERROR)
        self._close_if_drained()

    def reset(self, stream: Stream, code: ErrorCode) -> None:
        """End a stream at once."""
        if not stream.closed:
            self._forget(stream)
            self._write_reset(stream.id, code)
            self._close_if_drained()

    def _forget(self, stream: Stream) -> None:
        stream.closed = True
        self._streams.pop(stream.id, None)
        self._waiting.pop(stream, None)
        if not self._streams:
            self._heartbeat.rest(self._limits.idle_seconds, self.drain)

    def _write_reset(self, stream_id: int, code: ErrorCode) -> None:
        self.write(frame(RST_STREAM, 0, stream_id, NUMBER.pack(code)))

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for stream in waiting:
            stream.flush()
            if stream.ready and not stream.closed:
                stream.receiver.writable()

    # --- the end ----------------------------------------------------------------------------

    def drain(self) -> None:
        """Take no new streams; the connection ends with the last one that is open."""
        if not self._draining and not self._closing:
            self._draining = True
            self.write(frame(GOAWAY, 0, 0, NUMBER.pack(self._last) + NUMBER.pack(0)))
            self._close_if_drained()

    def _close_if_drained(self) -> None:
        if self._draining and not self._streams:
            self._shut()

    def close(self, code: ErrorCode, sentence: str) -> None:
        """Say why, and end the connection."""
        if self._closing:
            return
        said = NUMBER.pack(self._last) + NUMBER.pack(code) + sentence.encode()
        self.write(frame(GOAWAY, 0, 0, said))
        self._shut()

    def _shut(self) -> None:
        self._closing = True
        self._transport.close()
        self._loop.call_later(_CLOSE_SECONDS, self._transport.abort)  # if it takes nothing more

    def cut(self) -> None:
        """End the connection, whatever is open on it."""
        if not self._closing:
            self._shut()

    def _abort(self) -> None:
        self._transport.abort()

    def _ping_client(self) -> None:
        self.write(frame(PING, 0, 0, _STILL_THERE))
