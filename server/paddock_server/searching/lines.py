"""The lines of the service: over stdin and stdout, or over a local socket."""

import asyncio
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from paddock_server.basics.errors import ServerError
from paddock_server.searching.requests import MOST_BYTES
from paddock_server.searching.service import Service

MOST_CONNECTIONS: Final = 64
_LONG: Final = b" " * (MOST_BYTES + 1)  # is answered as a line that is too long


def serve_lines(source: BinaryIO, sink: BinaryIO, service: Service) -> None:
    """Answer every line of the source on the sink, until the source ends."""
    while line := source.readline(MOST_BYTES + 2):
        if not line.endswith(b"\n") and len(line) > MOST_BYTES:
            while (rest := source.readline(MOST_BYTES)) and not rest.endswith(b"\n"):
                pass
            line = _LONG
        if line.strip() or line is _LONG:
            sink.write(service.answer(line.rstrip(b"\n")).encode() + b"\n")
            sink.flush()


class BadSocket(ServerError):
    """Raised when a socket can't be made at a path."""

    reason = "server/unusable"


async def serve_socket(path: Path, make: Callable[[], Service], stop: asyncio.Event) -> None:
    """Answer lines on a socket at this path; every connection has a service of its own."""
    _clear(path)
    connections: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 -- start_unix_server makes one
        if len(connections) >= MOST_CONNECTIONS:
            writer.close()
            return
        connections.add(task)
        try:
            await _converse(reader, writer, make())
        except OSError:
            pass  # the bot is gone
        finally:
            connections.discard(task)
            writer.close()

    mask = os.umask(0o177)  # for this user alone
    try:
        server = await asyncio.start_unix_server(connected, path, limit=MOST_BYTES + 1)
    except OSError as problem:
        raise BadSocket(f"{path}: {problem.strerror or problem}") from None
    finally:
        os.umask(mask)
    try:
        async with server:
            await stop.wait()
            for task in connections:
                task.cancel()
    finally:
        _remove(path)


async def _converse(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, service: Service
) -> None:
    skipping = False  # in a line that is too long
    while True:
        try:
            line = await reader.readuntil(b"\n")
        except asyncio.LimitOverrunError as problem:
            await reader.readexactly(max(1, problem.consumed))
            skipping = True
            continue
        except asyncio.IncompleteReadError as problem:
            line = problem.partial
            if not line.strip():
                return
        if skipping or line.strip():
            writer.write(service.answer(_LONG if skipping else line.rstrip(b"\n")).encode() + b"\n")
            await writer.drain()
        skipping = False


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _clear(path: Path) -> None:
    """Remove a socket that nobody listens to any more; raises BadSocket for anything else."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if not stat.S_ISSOCK(mode):
        raise BadSocket(f"{path} is there already and is no socket; name another path")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            _remove(path)
            return
    raise BadSocket(f"{path} is in use by another process; name another path")
