"""The relay gives up for good what it gave up: no connection is made that nobody asked for."""

import asyncio
import tempfile
from pathlib import Path

from grpc import StatusCode, aio

from paddock_server.hosting.pace import AT_ONCE, Pace
from paddock_server.hosting.relay import METHOD, Relay
from paddock_wire.address import address
from tests.hosting.handed_in import run


def test_a_stream_that_failed_leaves_no_channel_that_goes_on_connecting() -> None:
    async def scene() -> None:
        connections = 0

        def connected(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal connections
            connections += 1
            writer.transport.abort()

        with tempfile.TemporaryDirectory() as folder:  # of a short name, as sockets want it
            server = await asyncio.start_server(connected, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            server.close()
            await server.wait_closed()
            socket = Path(folder, "s")
            relay = Relay(address(f"127.0.0.1:{port}"))
            await relay.start(socket)
            for _ in range(3):
                assert await _refused(socket)
            server = await asyncio.start_server(connected, "127.0.0.1", port)
            await asyncio.sleep(2.5)  # gRPC's first pause before it connects again is a second
            assert connections == 0
            server.close()
            await relay.stop()

    run(scene())


def test_a_bot_that_calls_for_ever_is_slowed_down_before_anything_is_dialled() -> None:
    async def scene() -> None:
        dialled, go_on = 0, asyncio.Event()
        pauses: list[float] = []

        def connected(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal dialled
            dialled += 1
            writer.transport.abort()

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) > 1:
                await go_on.wait()

        with tempfile.TemporaryDirectory() as folder:
            server = await asyncio.start_server(connected, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            relay = Relay(address(f"127.0.0.1:{port}"), pace=Pace(lambda: 0.0, sleep))
            socket = Path(folder, "s")
            await relay.start(socket)
            for _ in range(AT_ONCE - 4):
                assert await _refused(socket) is StatusCode.UNAVAILABLE
            for _ in range(4):
                assert await _refused(socket, "/a/B") is StatusCode.UNIMPLEMENTED
            assert pauses == []
            assert await _refused(socket) is StatusCode.UNAVAILABLE
            before = dialled
            assert before >= AT_ONCE - 3
            late = asyncio.create_task(_refused(socket))
            while len(pauses) < 2:  # noqa: ASYNC110 -- the relay says nothing of it
                await asyncio.sleep(0.01)
            assert dialled == before
            go_on.set()
            assert await late is StatusCode.UNAVAILABLE
            assert dialled > before
            assert await _refused(socket, "/a/B") is StatusCode.UNIMPLEMENTED
            assert pauses == [1.0, 2.0, 3.0]
            server.close()
            await relay.stop()

    run(scene())


async def _refused(socket: Path, method: str = METHOD) -> StatusCode | None:
    """The error that a stream over this socket ends with."""
    async with aio.insecure_channel(f"unix:{socket}") as channel:
        play: aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(method)
        try:
            async for _ in play():
                pass
        except aio.AioRpcError as error:
            return error.code()
    return None
