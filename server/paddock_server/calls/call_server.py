"""A gRPC server on the event loop: connections come in, and each call finds its method."""

import asyncio
import ssl
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import grpc
from grpc import aio

from paddock_server.calls.call import Call
from paddock_server.calls.door import Door
from paddock_server.calls.method import run
from paddock_server.calls.status import CONTENT_TYPE, Metadata, seconds_of
from paddock_server.http2.connection import USUAL, Connection, ConnectionLimits
from paddock_server.http2.fields import Fields, field_block
from paddock_server.http2.stream import NOBODY, Receiver, Stream

MESSAGE_BYTES: Final = 1 << 20
"""The longest message that is taken; Play refuses frames over its own limit with a reason."""
_UNKNOWN_COST: Final = 10.0  # frames without a message: a call of a method that does not exist


class Details(NamedTuple):
    """The details of a call that are known before its method is found."""

    method: str
    invocation_metadata: Metadata


class CallServer:
    """A server of gRPC methods. Handlers and interceptors are those of grpc.aio."""

    def __init__(
        self,
        interceptors: Sequence[aio.ServerInterceptor] = (),
        *,
        message_bytes: int = MESSAGE_BYTES,
        limits: ConnectionLimits = USUAL,
    ) -> None:
        """With limits of a message, and of each connection."""
        self._message_bytes = message_bytes
        self._limits = limits
        self._interceptors = tuple(reversed(interceptors))
        self._handlers: list[Any] = []
        self._connections: set[Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._doors: list[Door] = []

    def add_generic_rpc_handlers(self, handlers: Sequence[Any]) -> None:
        """Add methods, as the generated code does."""
        self._handlers += handlers

    def add_registered_method_handlers(self, _service: str, _handlers: Any) -> None:
        """Add nothing: the generated code adds every method in both ways."""

    async def listen(self, address: str, tls: ssl.SSLContext | None = None) -> int:
        """Take an address; the port, which is a free one where the address says 0.

        Raises OSError where the address can't be had.
        """
        door = Door(self._connection, tls)
        port = await door.take(address)
        self._doors.append(door)
        return port

    async def start(self) -> None:
        """Let clients in."""
        for door in self._doors:
            door.open()

    async def stop(self, grace: float | None) -> None:
        """Let no more clients in, and end all calls, after so many seconds at the latest."""
        for door in self._doors:
            await door.close()
        for connection in list(self._connections):
            connection.drain()
        if self._tasks and grace:
            await asyncio.wait(self._tasks, timeout=grace)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        for connection in list(self._connections):
            connection.drain()
            connection.cut()

    # --- connections and calls --------------------------------------------------------------

    def _connection(self) -> Connection:
        return Connection(self._accept, self._connections, self._limits)

    def _accept(self, stream: Stream, fields: Fields) -> Receiver:
        """Begin a call."""
        call = Call(stream, fields, self._message_bytes)
        if call.fields.get(":method") != "POST" or not call.fields.get(
            "content-type", ""
        ).startswith(CONTENT_TYPE):
            stream.charge(_UNKNOWN_COST)
            stream.finish(field_block(((":status", "415"),)))
            return NOBODY
        task = asyncio.get_running_loop().create_task(self._serve(call))
        call.task = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return call

    async def _serve(self, call: Call) -> None:
        """Find the method of a call, and run it for as long as the caller has time."""
        details = Details(call.fields.get(":path", ""), call.invocation_metadata())
        handler = await self._intercepted(len(self._interceptors), details)
        if handler is None:
            call.charge(_UNKNOWN_COST)
            call.end(grpc.StatusCode.UNIMPLEMENTED, f"there is no method {details.method}")
            return
        timer: asyncio.TimerHandle | None = None
        seconds = seconds_of(call.fields.get("grpc-timeout", ""))
        if seconds is not None:
            timer = asyncio.get_running_loop().call_later(
                seconds, call.refuse, grpc.StatusCode.DEADLINE_EXCEEDED, "the time is over"
            )
        try:
            await run(call, handler)
        finally:
            if timer is not None:
                timer.cancel()

    async def _intercepted(self, at: int, details: Any) -> Any:
        """The handler of a call, after the first so many interceptors."""
        if at:

            async def go_on(details: Any) -> Any:
                return await self._intercepted(at - 1, details)

            return await self._interceptors[at - 1].intercept_service(go_on, details)
        for handler in self._handlers:
            found = handler.service(details)
            if found is not None:
                return found
        return None
