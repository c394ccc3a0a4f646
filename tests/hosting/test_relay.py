"""The relay gives up for good what it gave up: no connection is made that nobody asked for."""

import asyncio
import tempfile
from pathlib import Path

from grpc import aio

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


async def _refused(socket: Path) -> bool:
    """Whether a stream over this socket ends with an error."""
    async with aio.insecure_channel(f"unix:{socket}") as channel:
        play: aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
        try:
            async for _ in play():
                pass
        except aio.AioRpcError:
            return True
    return False
