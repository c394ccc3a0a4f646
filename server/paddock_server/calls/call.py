"""A call of gRPC: messages from a client, messages to it, and a status at the end."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final, NoReturn

import grpc

from paddock_server.basics.errors import ServerError
from paddock_server.calls.messages import BadMessage, MessageReader, with_head
from paddock_server.calls.status import CONTENT_TYPE, FIRST_FIELDS, Metadata, ending, metadata_of
from paddock_server.http2.fields import Fields, field_block
from paddock_server.http2.frames import ErrorCode
from paddock_server.http2.stream import Stream

_UNREAD_BYTES: Final = 65_536  # of messages that nobody has read yet, before a client has to wait
_EACH_BYTES: Final = 64  # what an unread message costs besides its bytes
_SMALL: Final = 1_000  # bytes of a part that ends no message
_FIRST_SECONDS: Final = 1.0  # for the first message of a client whose call is over
_LINGER_SECONDS: Final = 300.0  # for a status that has to wait for data that a client does not take


class CallOver(ServerError):
    """Raised when a call is over: its method has ended it, or its client has gone."""

    reason = "call/over"

    def __init__(self) -> None:
        super().__init__("the call is over")


class END:
    """The end of a client's messages, as it is read."""


class Call:
    """A call, as its connection and its method see it.

    A method reads messages one by one, or listens: then each is handed over at once, without a
    task that waits for it.
    """

    def __init__(self, stream: Stream, fields: Fields, message_bytes: int) -> None:
        self.fields = dict(fields)
        self.over = False
        self.task: asyncio.Task[None] | None = None  # of the method
        self._stream = stream
        self._metadata = metadata_of(fields)
        self._begun = False  # whether the first fields were sent
        self._reader = MessageReader(message_bytes)
        self._unread: deque[bytes] = deque()
        self._unread_bytes = 0
        self._held = 0  # bytes that the client may not send again yet
        self._heard = False  # whether the client has sent anything
        self._finished = False  # whether it has sent all
        self._last = b""  # the fields that end the call, while they wait
        self._take: Callable[[bytes], None] | None = None
        self._ended: Callable[[], None] | None = None
        self._sendable: Callable[[], None] | None = None
        self._waiter: asyncio.Future[None] | None = None  # who waits for a message
        self._writer: asyncio.Future[None] | None = None  # who waits for room

    # --- what a method uses -----------------------------------------------------------------

    def peer(self) -> str:
        """The address of the client."""
        return self._stream.peer

    def invocation_metadata(self) -> Metadata:
        """What the caller has added to the call."""
        return self._metadata

    async def read(self) -> Any:
        """The next message of the client; END after the last one and when the call is over."""
        while not self._unread:
            if self._finished or self.over:
                return END
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        message = self._unread.popleft()
        self._unread_bytes -= len(message) + _EACH_BYTES
        if self._held and self._unread_bytes <= _UNREAD_BYTES and not self.over:
            held, self._held = self._held, 0
            self._stream.take(held)
        return message

    def listen(
        self, take: Callable[[bytes], None], ended: Callable[[], None], sendable: Callable[[], None]
    ) -> None:
        """Have each message handed over as it comes, and hear when no more come.

        `sendable` is called when a message can be sent again at once.
        """
        self._take, self._ended, self._sendable = take, ended, sendable
        while self._unread and not self.over:
            take(self._unread.popleft())
        self._unread_bytes = 0
        if self.over or self._finished:
            ended()
        elif self._held:
            held, self._held = self._held, 0
            self._stream.take(held)

    @property
    def ready(self) -> bool:
        """Whether a message would leave at once."""
        return self._stream.ready

    def send(self, message: bytes) -> None:
        """Send a message; nobody hears of it if the call is over."""
        if self.over:
            return
        if not self._begun:
            self._begun = True
            self._stream.begin(FIRST_FIELDS)
        self._stream.send(with_head(message))

    async def write(self, message: bytes) -> None:
        """Send a message, and wait until it is gone; raises CallOver if the call is over."""
        if self.over:
            raise CallOver
        self.send(message)
        while not self._stream.ready:
            self._writer = asyncio.get_running_loop().create_future()
            await self._writer
            if self.over:
                raise CallOver

    async def abort(
        self,
        code: grpc.StatusCode,
        sentence: str = "",
        metadata: Iterable[tuple[str, str | bytes]] = (),
    ) -> NoReturn:
        """End the call with this status."""
        self.end(code, sentence, metadata)
        raise CallOver

    # --- the end ----------------------------------------------------------------------------

    def end(
        self,
        code: grpc.StatusCode,
        sentence: str = "",
        metadata: Iterable[tuple[str, str | bytes]] = (),
    ) -> None:
        """End the call with a status, after all that was sent; the first one counts.

        It waits for the first word of the client, because gRPC's own client for Python takes a
        status that comes while it sends that for a failure of its own.
        """
        if self.over:
            return
        self._close()
        fields = ending(code, sentence, metadata)
        if not self._begun:
            fields = ((":status", "200"), ("content-type", CONTENT_TYPE), *fields)
        self._last = field_block(fields)
        if self._heard or self._finished:
            self._say_last()
        else:
            asyncio.get_running_loop().call_later(_FIRST_SECONDS, self._say_last)

    def _say_last(self) -> None:
        """Send the status, once."""
        block, self._last = self._last, b""
        if not block or self._stream.closed:
            return
        self._stream.finish(block)
        if not self._stream.ready:
            loop, stream = asyncio.get_running_loop(), self._stream
            loop.call_later(_LINGER_SECONDS, stream.reset, ErrorCode.CANCEL)

    def _close(self) -> None:
        self.over = True
        self._wake()
        if self._held:
            self._stream.take(self._held)
            self._held = 0
        if self._ended is not None:
            self._ended()

    def _wake(self) -> None:
        for future in (self._waiter, self._writer):
            if future is not None and not future.done():
                future.set_result(None)
        self._waiter = self._writer = None

    # --- what comes from the connection -----------------------------------------------------

    def received(self, data: bytes) -> None:
        """Take a part of what the client sends: a message, several, or a piece of one."""
        size = len(data)
        self._heard = True
        if self.over:
            self._stream.take(size)
            self._say_last()
            return
        try:
            messages = self._reader.read(data)
        except BadMessage as problem:
            self._stream.take(size)
            self.refuse(problem.code, str(problem))
            return
        if not messages and size < _SMALL:
            self._stream.charge(2.0)
        for message in messages:
            self._message(message)
        if self._unread_bytes > _UNREAD_BYTES:
            self._held += size
        else:
            self._stream.take(size)

    def _message(self, message: bytes) -> None:
        if self._take is not None:
            self._take(message)
            return
        self._unread.append(message)
        self._unread_bytes += len(message) + _EACH_BYTES
        if self._waiter is not None:
            self._wake()

    def refuse(self, code: grpc.StatusCode, sentence: str) -> None:
        """End the call from outside its method."""
        self.end(code, sentence)
        if self.task is not None:
            self.task.cancel()

    def charge(self, cost: float) -> None:
        """Count what costs much and says nothing."""
        self._stream.charge(cost)

    def finished(self) -> None:
        """Note that the client sends no more."""
        self._finished = True
        self._wake()
        if self.over:
            self._say_last()
        elif self._ended is not None:
            self._ended()

    def writable(self) -> None:
        """Note that everything that had to wait is gone."""
        self._wake()
        if self._sendable is not None:
            self._sendable()

    def broken(self) -> None:
        """Note that the client has gone, or wants no answer."""
        if not self.over:
            self._close()
            if self.task is not None:
                self.task.cancel()

    # --- messages as an iterator --------------------------------------------------------------

    async def messages(self) -> AsyncIterator[bytes]:
        """The messages of the client, one by one."""
        while (message := await self.read()) is not END:
            yield message
