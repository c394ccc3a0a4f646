"""The other side, scripted: a real gRPC server in the test's own loop that says what it is told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio

from paddock import Bot, play
from paddock.v1 import arena_pb2, arena_pb2_grpc

GUARD_S = 120  # nothing is measured by it: it only keeps a broken test from hanging


class Stream:
    """One call of Play, as the referee holds it."""

    def __init__(self, metadata: dict[str, str]) -> None:
        self.metadata = metadata
        self.heard: asyncio.Queue[arena_pb2.PlayRequest | None] = asyncio.Queue()
        self._to_say: asyncio.Queue[arena_pb2.PlayResponse | tuple[Any, ...]] = asyncio.Queue()

    def say(self, *items: arena_pb2.RefereeItem) -> None:
        """Send these in one frame."""
        self._to_say.put_nowait(arena_pb2.PlayResponse(items=items))

    def end(
        self, code: grpc.StatusCode = grpc.StatusCode.OK, details: str = "", reason: str = ""
    ) -> None:
        """End the stream with this status."""
        metadata = (("paddock-reason", reason),) if reason else ()
        self._to_say.put_nowait((code, details, metadata))

    async def frame(self) -> list[arena_pb2.BotItem]:
        """The items of the bot's next frame."""
        frame = await self.heard.get()
        assert frame is not None, "the bot hung up"
        return list(frame.items)

    async def item(self, kind: str) -> Any:
        """The bot's next item, alone in its frame and of this kind."""
        (item,) = await self.frame()
        assert item.WhichOneof("item") == kind
        return getattr(item, kind)

    async def hung_up(self) -> None:
        """Wait until the bot ends its side, with nothing said before."""
        assert await self.heard.get() is None

    async def serve(
        self, requests: AsyncIterator[arena_pb2.PlayRequest], context: Any
    ) -> AsyncIterator[arena_pb2.PlayResponse]:
        async def listen() -> None:
            try:
                async for frame in requests:
                    self.heard.put_nowait(frame)
            finally:
                self.heard.put_nowait(None)
                self.end()

        listener = asyncio.create_task(listen())
        try:
            while isinstance(said := await self._to_say.get(), arena_pb2.PlayResponse):
                yield said
            code, details, metadata = said
            if code is not grpc.StatusCode.OK:
                await context.abort(code, details, metadata)
        finally:
            listener.cancel()
            await asyncio.gather(listener, return_exceptions=True)


class Referee(arena_pb2_grpc.ArenaServiceServicer):
    """Accepts bots; a test takes their streams one by one."""

    address = ""

    def __init__(self) -> None:
        self._streams: asyncio.Queue[Stream] = asyncio.Queue()

    async def Play(  # noqa: N802 -- the contract's name
        self, request_iterator: AsyncIterator[arena_pb2.PlayRequest], context: Any
    ) -> AsyncIterator[arena_pb2.PlayResponse]:
        stream = Stream(dict(context.invocation_metadata()))
        self._streams.put_nowait(stream)
        async for frame in stream.serve(request_iterator, context):
            yield frame

    async def stream(self) -> Stream:
        """The next call of Play."""
        return await self._streams.get()

    async def welcomed(self, resume: str = "R1") -> tuple[Stream, arena_pb2.Hello]:
        """The next call of Play after Hello and Welcome."""
        stream = await self.stream()
        hello: arena_pb2.Hello = await stream.item("hello")
        welcome = arena_pb2.Welcome(session="S", resume_token=resume, protocol=1)
        stream.say(arena_pb2.RefereeItem(welcome=welcome))
        return stream, hello


@asynccontextmanager
async def referee() -> AsyncIterator[Referee]:
    """A referee that listens on a port of this machine."""
    one = Referee()
    server = grpc.aio.server()
    arena_pb2_grpc.add_ArenaServiceServicer_to_server(one, server)
    one.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield one
    finally:
        await server.stop(None)


Script = Callable[[Referee], Coroutine[Any, Any, None]]


def against(script: Script, bot: Bot, **settings: Any) -> None:
    """Let the bot play against the script; when that is done the bot is stopped, and must end."""

    async def both() -> None:
        stop = asyncio.Event()
        async with asyncio.timeout(GUARD_S), referee() as one:
            playing = asyncio.create_task(play(bot, one.address, stop=stop, **settings))
            try:
                scripted = asyncio.create_task(script(one))
                await asyncio.wait({playing, scripted}, return_when=asyncio.FIRST_COMPLETED)
                if playing.done() and not scripted.done():
                    await playing
                await scripted
            finally:
                stop.set()
                await playing

    asyncio.run(both())
