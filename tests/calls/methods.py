"""Methods of every kind, and a server that has them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import grpc
from grpc import aio

from paddock_server.calls.call_server import CallServer
from paddock_server.http2.stream import STREAM_BYTES

SERVICE = "paddock.test.Methods"
LONG = 3 * STREAM_BYTES


class Methods:
    """What the calls of a test meet, and what they left behind."""

    def __init__(self) -> None:
        self.cancelled = asyncio.Event()
        self.begun = asyncio.Event()
        self.written = 0

    async def Echo(self, request: bytes, context: Any) -> bytes:
        """The request."""
        del context
        return request

    async def Refuse(self, request: bytes, context: Any) -> bytes:
        """A status with a sentence and metadata."""
        metadata = (("paddock-reason", "test/refused"), ("raw-bin", b"\x00\xff"))
        await context.abort(grpc.StatusCode.ABORTED, request.decode(), metadata)
        return b""

    async def Fail(self, request: bytes, context: Any) -> bytes:
        """An error that nobody expected."""
        raise RuntimeError("broken")

    async def Metadata(self, request: bytes, context: Any) -> bytes:
        """Who calls, and what came with the call."""
        return repr((context.peer(), sorted(context.invocation_metadata()))).encode()

    async def Count(self, request: bytes, context: Any) -> AsyncIterator[bytes]:
        """So many numbers."""
        for number in range(int(request)):
            yield b"%d" % number

    async def Much(self, request: bytes, context: Any) -> None:
        """Long messages for as long as the client takes them."""
        try:
            while True:
                await context.write(bytes(LONG))
                self.written += 1
        finally:
            self.cancelled.set()

    async def Total(self, requests: AsyncIterator[bytes], context: Any) -> bytes:
        """The sum of all lengths."""
        return b"%d" % sum([len(request) async for request in requests])

    async def Both(self, requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        """Everything twice."""
        async for request in requests:
            yield request
            yield request

    async def Heard(self, requests: Any, context: Any) -> None:
        """Everything once, without a task that waits for it."""
        del requests
        call, over = context.call, asyncio.Event()
        call.listen(call.send, over.set, lambda: None)
        await over.wait()

    async def Unread(self, requests: Any, context: Any) -> None:
        """Nothing, and nobody reads."""
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.set()

    async def Away(self, requests: Any, context: Any) -> None:
        """A status before anything is read."""
        del requests
        await context.abort(grpc.StatusCode.UNAVAILABLE, "away", (("paddock-reason", "away"),))

    async def Lost(self, request: bytes, context: Any) -> bytes:
        """Nothing: what it waits for is cancelled by somebody else."""
        future = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(future.cancel)
        await future
        return b""


_KINDS = {
    "Echo": grpc.unary_unary_rpc_method_handler,
    "Refuse": grpc.unary_unary_rpc_method_handler,
    "Fail": grpc.unary_unary_rpc_method_handler,
    "Metadata": grpc.unary_unary_rpc_method_handler,
    "Lost": grpc.unary_unary_rpc_method_handler,
    "Count": grpc.unary_stream_rpc_method_handler,
    "Much": grpc.unary_stream_rpc_method_handler,
    "Total": grpc.stream_unary_rpc_method_handler,
    "Both": grpc.stream_stream_rpc_method_handler,
    "Heard": grpc.stream_stream_rpc_method_handler,
    "Away": grpc.stream_stream_rpc_method_handler,
    "Unread": grpc.stream_stream_rpc_method_handler,
}


class Scene(NamedTuple):
    """A server with these methods, and a client."""

    server: CallServer
    methods: Methods
    channel: aio.Channel
    port: int

    def one(self, name: str) -> Any:
        """A method with one request and one response."""
        return self.channel.unary_unary(f"/{SERVICE}/{name}")

    def many(self, name: str) -> Any:
        """A method with one request and many responses."""
        return self.channel.unary_stream(f"/{SERVICE}/{name}")

    def both(self, name: str) -> Any:
        """A method with many of both."""
        return self.channel.stream_stream(f"/{SERVICE}/{name}")


@asynccontextmanager
async def scene(options: Any = ()) -> AsyncIterator[Scene]:
    """A running server."""
    server, methods = CallServer(), Methods()
    made: dict[str, Any] = {name: kind(getattr(methods, name)) for name, kind in _KINDS.items()}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, made),))
    port = await server.listen("127.0.0.1:0")
    await server.start()
    alone = ("grpc.use_local_subchannel_pool", 1)
    async with aio.insecure_channel(f"127.0.0.1:{port}", options=(alone, *options)) as channel:
        yield Scene(server, methods, channel, port)
    await server.stop(None)
