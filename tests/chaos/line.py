"""A line to the server that can be cut, stalled and slowed: a small TCP relay on loopback."""

import asyncio
from typing import Final

_CHUNK: Final = 16 * 1024


class Line:
    """A relay with a port of its own; a bot that dials it reaches the server over it."""

    def __init__(self, server: str, source: str = "") -> None:
        """`server` is host:port or the path of a socket; it is dialled from `source`."""
        self._server = server
        self._source = source
        self._listening: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self.delay = 0.0  # seconds that every chunk is held back
        self.address = ""

    async def open(self) -> None:
        """Listen on a free port."""
        self._listening = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        host, port = self._listening.sockets[0].getsockname()
        self.address = f"{host}:{port}"

    async def close(self) -> None:
        """Cut everything, and listen no more."""
        if self._listening is not None:
            self._listening.close()
        while self._writers:  # a relay ends when it has noticed
            self.cut()
            await asyncio.sleep(0.01)

    def cut(self) -> None:
        """Break all connections at once, without a farewell."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def stall(self, seconds: float) -> None:
        """Let nothing through for a while; what comes in waits."""
        self._flows.clear()
        await asyncio.sleep(seconds)
        self._flows.set()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await self._dial()
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, far_writer}
        try:
            await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
        finally:
            self._writers -= {writer, far_writer}

    async def _dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._server.startswith("/"):
            return await asyncio.open_unix_connection(self._server)
        host, _, port = self._server.rpartition(":")
        source = (self._source, 0) if self._source else None
        return await asyncio.open_connection(host, int(port), local_addr=source)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while chunk := await reader.read(_CHUNK):
                await self._flows.wait()
                if self.delay:
                    await asyncio.sleep(self.delay)
                writer.write(chunk)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.transport.abort()
