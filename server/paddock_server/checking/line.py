"""The line between a bot and the script: a TCP connection that can be cut."""

import asyncio
from contextlib import suppress

_CHUNK = 64 * 1024


class Line:
    """A TCP relay: it passes on what either side sends, until it is cut."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.calls = 0  # connections that were made

    async def start(self) -> int:
        """Start to listen; the port for bots."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        """Close all connections, and accept no more."""
        if self._server is not None:
            self._server.close()
        self.cut()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1)
        for task in self._tasks:
            task.cancel()

    def cut(self) -> None:
        """Abort all connections, as a broken network does."""
        for end in self._ends:
            end.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 -- start_server makes one
        self._tasks.add(task)
        self.calls += 1
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
            self._ends |= {writer, far_writer}
            try:
                await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
            finally:
                self._ends -= {writer, far_writer}
                far_writer.transport.abort()
        except OSError:
            pass  # the script is over
        finally:
            writer.transport.abort()
            self._tasks.discard(task)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(_CHUNK):
            writer.write(chunk)
            await writer.drain()
    with suppress(OSError, RuntimeError):
        if writer.can_write_eof():
            writer.write_eof()
