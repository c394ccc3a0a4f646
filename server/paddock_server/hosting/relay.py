"""The relay: the one way out of a jail, a Unix socket that knows one method, ArenaService.Play.

It speaks gRPC on both sides. It reads nothing that the bot says, puts the bot's token in, and
passes on how a stream ends. A relay of bytes would open every service of the server to the bot.

Who connects in a loop has the runner work for it. So while a stream is open the socket lets nobody
in: the kernel refuses them, on the bot's own time.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc
from grpc import aio

from paddock.v1 import arena_pb2
from paddock_server.calls.call_server import CallServer
from paddock_server.hosting.host_time import HostTime
from paddock_server.hosting.pace import Pace
from paddock_server.http2.connection import ConnectionLimits
from paddock_server.jails.jail import JailedProcess
from paddock_server.wire.host_delay import add_host_delay
from paddock_wire.address import FRAME_BYTES, Address, BadAddress, redirected

METHOD: Final = f"/{arena_pb2.DESCRIPTOR.services_by_name['ArenaService'].full_name}/Play"
_LIMITS: Final = ConnectionLimits(
    streams=1,
    idle_seconds=30.0,  # of those that it opened before its stream
)
STREAMS: Final = 2
"""Streams that a bot has at once at most: a second one while the first is being given up."""


class Relay:
    """A socket for one bot."""

    def __init__(self, address: Address, token: str = "", pace: Pace | None = None) -> None:
        self._home = address
        self._pace = pace or Pace()
        self._moved: Address | None = None  # where a Goodbye sent the bot
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._server = CallServer(message_bytes=FRAME_BYTES, limits=_LIMITS)
        self._server.add_generic_rpc_handlers((_OneMethod(self),))
        self._open = 0
        self._path: Path | None = None
        self._hosted = bool(token)  # then the server hears with every frame what was kept from it
        self._host_time: HostTime | None = None
        self._upstream: _Upstream | None = None  # of the newest stream

    async def start(self, path: Path) -> None:
        """Listen on this socket; everybody who can reach it may connect."""
        await self._server.listen(f"unix:{path}")
        await self._server.start()
        self._path = path
        self._let_in()

    async def stop(self) -> None:
        """End all streams and listen no more."""
        self._rest()
        await self._server.stop(None)

    def _let_in(self) -> None:
        """Let others connect, but not while a stream is open; the folder decides who is there."""
        if self._path is not None:
            with suppress(FileNotFoundError):  # all is over
                os.chmod(self._path, 0o666 if not self._open else 0)

    def count_host_time(self, jail: JailedProcess, share: float) -> None:
        """Tell the server what this machine keeps from the bot in a jail, of its share of a core.

        The server also hears of it while the bot thinks, so that its time is not over before.
        """

        def tell(kept: float) -> None:
            if self._upstream is not None:
                self._upstream.report(add_host_delay(b"", kept))

        self._host_time = HostTime(jail, share, tell)

    def _added(self, frame: bytes) -> bytes:
        if not self._hosted:
            return frame
        return add_host_delay(frame, 0.0 if self._host_time is None else self._host_time.said())

    def _rest(self) -> None:
        if self._host_time is not None:
            self._host_time.rest()

    async def play(self, frames: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        """One stream, over a connection of its own: so each side sees what the other does."""
        await self._pace.turn()  # before anything is dialled
        if self._open >= STREAMS:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED, "one stream carries all matches"
            )
        self._open += 1
        self._let_in()
        ending: _Ending | None = None
        answered = False
        try:
            async with (self._moved or self._home).channel() as channel:
                stub: aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
                call = stub(metadata=self._metadata)
                upstream = self._upstream = _Upstream(call)
                saying = asyncio.create_task(upstream.say(frames, self._added))
                try:
                    async for frame in call:
                        answered = True
                        yield self._passed_on(frame)
                except aio.AioRpcError as error:
                    ending = _ending(error)
                except asyncio.CancelledError:
                    task = asyncio.current_task()
                    if task is None or task.cancelling():
                        raise
                    # grpc cancels a call of its own accord when a write meets a stream that just
                    # ended. The bot would never hear of it.
                    ending = _Ending(grpc.StatusCode.UNAVAILABLE, "the stream broke off")
                finally:
                    call.cancel()
                    saying.cancel()
                    await asyncio.wait({saying})
                    if self._upstream is upstream:
                        self._upstream = None
            # As long as anything holds these, the channel goes on connecting, closed or not.
            del call, stub, channel, saying, upstream
        finally:
            self._open -= 1
            self._let_in()
            if not self._open:
                self._rest()
            if not answered:
                self._moved = None
        if ending is not None:
            await context.abort(*ending)

    async def refuse(self, _frames: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        """A call of any other method."""
        await self._pace.turn()
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, f"this socket knows {METHOD} alone")
        yield b""  # never: it makes this an answer in frames

    def _passed_on(self, frame: bytes) -> bytes:
        """The frame for the bot: where it says Goodbye, the relay moves in the bot's place.

        The bot comes back to its socket, which is all that it can reach.
        """
        message = arena_pb2.PlayResponse.FromString(frame)
        for item in message.items:
            if item.HasField("ask") and self._host_time is not None:
                self._host_time.asked()
            if item.HasField("goodbye") and item.goodbye.address:
                with suppress(BadAddress):
                    self._moved = redirected(self._home, item.goodbye.address)
                item.goodbye.ClearField("address")
                frame = message.SerializeToString()
        return frame


class _Ending(NamedTuple):
    """The end of a stream by the server, for the bot."""

    code: grpc.StatusCode
    sentence: str
    metadata: tuple[tuple[str, str | bytes], ...] = ()


def _ending(error: aio.AioRpcError) -> _Ending:
    metadata: Any = error.trailing_metadata() or ()  # its stubs and grpc disagree
    return _Ending(error.code(), error.details() or "", tuple(metadata))


class _Upstream:
    """The way to the server of one stream."""

    def __init__(self, call: aio.StreamStreamCall[bytes, bytes]) -> None:
        self._call = call
        self._turn = asyncio.Lock()  # a call takes one frame at a time
        self._reports: set[asyncio.Task[None]] = set()

    async def say(self, frames: AsyncIterator[bytes], added: Callable[[bytes], bytes]) -> None:
        """Pass on what the bot says, with what is added to it, until either side ends.

        A call that reads an iterator by itself would wait for the bot's next frame endlessly, also
        after its end, and keep its channel.
        """
        try:
            with suppress(aio.AioRpcError, asyncio.InvalidStateError):
                async for frame in frames:
                    if frame:  # an empty one would pass for a report
                        await self._write(added(frame))
                await self._call.done_writing()
        finally:
            for report in self._reports:
                report.cancel()

    def report(self, frame: bytes) -> None:
        """Send something of our own."""
        task = asyncio.create_task(self._report(frame))
        self._reports.add(task)
        task.add_done_callback(self._reports.discard)

    async def _report(self, frame: bytes) -> None:
        with suppress(aio.AioRpcError, asyncio.InvalidStateError):
            await self._write(frame)

    async def _write(self, frame: bytes) -> None:
        async with self._turn:
            await self._call.write(frame)


class _OneMethod(grpc.GenericRpcHandler):
    """The methods of the socket: Play, with messages as bytes, and a refusal for all others."""

    def __init__(self, relay: Relay) -> None:
        self._play: Any = grpc.stream_stream_rpc_method_handler(relay.play)
        self._refuse: Any = grpc.stream_stream_rpc_method_handler(relay.refuse)

    def service(self, handler_call_details: Any) -> Any:
        """The handler of a method."""
        return self._play if handler_call_details.method == METHOD else self._refuse
