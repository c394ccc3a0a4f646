"""The line between a bot and the script: a TCP relay that can be cut, frozen and closed."""

import asyncio
from contextlib import suppress
from typing import Final

_CHUNK: Final = 64 * 1024
_HERE: Final = "127.0.0.1"


class Line:
    """A TCP relay with an address of its own: it passes on what either side sends."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._port = 0  # for bots; 0: not chosen yet
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._carried: set[int] = set()  # the ports from which the script is called
        self._tasks: set[asyncio.Task[None]] = set()
        self._flows = asyncio.Event()  # not set: frozen
        self._flows.set()
        self.calls = 0  # connections that were made

    @property
    def address(self) -> str:
        """The address for bots."""
        return f"{_HERE}:{self._port}"

    async def open(self) -> None:
        """Listen: at first on any free port, later on the same port again."""
        self._server = await asyncio.start_server(self._connected, _HERE, self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Abort all connections and refuse new ones, as a machine without a server does."""
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

    def freeze(self) -> None:
        """Pass nothing on, and close nothing: what a server does that is stopped or hangs."""
        self._flows.clear()

    def thaw(self) -> None:
        """Pass everything on again, also what came meanwhile."""
        self._flows.set()

    def carries(self, port: int) -> bool:
        """Whether the script is called from this port by way of this line."""
        return port in self._carried

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 -- start_server makes one
        self._tasks.add(task)
        self.calls += 1
        try:
            far_reader, far_writer = await asyncio.open_connection(_HERE, self._target)
            port = far_writer.get_extra_info("sockname")[1]
            self._ends |= {writer, far_writer}
            self._carried.add(port)
            try:
                await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
            finally:
                self._ends -= {writer, far_writer}
                self._carried.discard(port)
                far_writer.transport.abort()
        except OSError:
            pass  # the script is over
        finally:
            writer.transport.abort()
            self._tasks.discard(task)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                await self._flows.wait()
                writer.write(chunk)
                await writer.drain()
        with suppress(OSError, RuntimeError):
            if writer.can_write_eof():
                writer.write_eof()
