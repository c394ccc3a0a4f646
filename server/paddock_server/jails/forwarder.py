"""A forwarder: `python forwarder.py SOCKET PORT OWNER COMMAND...` becomes the command, and leaves a
child that passes connections to PORT of the loopback on to a Unix socket, as long as the command
runs. OWNER is UID:GID, as whom the child does so; it keeps its own if that is empty.

It is in the network of a jail, but outside of its walls: there may be no Python inside, and the
socket needs no bind. This file imports nothing of Paddock, so that it starts at once.
"""

import asyncio
import ctypes
import fcntl
import os
import resource
import socket
import struct
import sys
from contextlib import suppress

_CHUNK_BYTES = 65536
_CONNECTIONS = 128  # at once; as many wait in the system, and no more
_FILES = 2 * _CONNECTIONS + 32  # two for each connection, and what the event loop needs
_BUSY_SECONDS = 30.0  # that it waits for a listener that has too many connections
_PAUSE_SECONDS = 0.05
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 0x1
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION_3 = 0x20080522


def main() -> None:
    """Listen, leave the child, and become the command."""
    path, port, owner, *command = sys.argv[1:]
    try:
        _raise_loopback()
        listener = socket.create_server(("127.0.0.1", int(port)), backlog=_CONNECTIONS)
        of_command = os.pidfd_open(os.getpid())
    except OSError as problem:
        sys.exit(f"nothing can be forwarded into this jail: {problem.strerror}")
    if os.fork():
        os.execv(command[0], command)  # noqa: S606 -- the rest of the launch
    _keep_only(listener.fileno(), of_command)
    _give_up_rights(owner)
    asyncio.run(_forward(listener, path, of_command))


def _raise_loopback() -> None:
    """Make 127.0.0.1 reachable, in a network that is new."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _IFF_UP))


def _keep_only(*kept: int) -> None:
    """Let go of everything that belongs to the command: the ends of its pipes above all."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in kept:
            with suppress(OSError):
                os.close(int(name))


def _give_up_rights(owner: str) -> None:
    """Become the owner, without any capability, since what comes is from strangers."""
    if owner:
        uid, gid = map(int, owner.split(":"))
        os.setgroups([])
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)
    libc = ctypes.CDLL(None, use_errno=True)
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    words = map(ctypes.c_ulong, (_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    if libc.prctl(*words) or libc.capset(header, bytes(24)):
        raise OSError(ctypes.get_errno(), "rights can't be given up")
    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, _FILES))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


async def _forward(listener: socket.socket, path: str, of_command: int) -> None:
    """Pass connections on until the command has ended."""
    loop = asyncio.get_running_loop()
    loop.add_reader(of_command, os._exit, 0)  # whoever is connected is gone, too
    listener.setblocking(False)
    room = asyncio.Semaphore(_CONNECTIONS)
    joined = set()
    while True:
        await room.acquire()
        try:
            connection, _ = await loop.sock_accept(listener)
        except OSError:  # it is gone again, or the system has no room
            room.release()
            await asyncio.sleep(_PAUSE_SECONDS)
            continue
        task = loop.create_task(_join(connection, path))
        joined.add(task)
        task.add_done_callback(joined.discard)
        task.add_done_callback(lambda _: room.release())


async def _join(connection: socket.socket, path: str) -> None:
    """Pass one connection on until both ends are closed."""
    reader, writer = await asyncio.open_connection(sock=connection)
    with suppress(OSError):
        theirs, ours = await reach(path)
        try:
            await asyncio.gather(_pump(reader, ours), _pump(theirs, writer))
        finally:
            ours.close()
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()  # what was not taken yet is a connection, too


async def reach(path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to a Unix socket; raises OSError where there is none, or it is busy for long.

    asyncio would take a listener that has too many connections for one that accepted.
    """
    way = socket.socket(socket.AF_UNIX)
    way.setblocking(False)
    try:
        async with asyncio.timeout(_BUSY_SECONDS):
            while not _connected(way, path):  # noqa: ASYNC110 -- nobody tells us
                await asyncio.sleep(_PAUSE_SECONDS)
        return await asyncio.open_unix_connection(sock=way)
    except BaseException:
        way.close()
        raise


def _connected(way: socket.socket, path: str) -> bool:
    try:
        way.connect(path)
    except BlockingIOError:
        return False
    return True


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_CHUNK_BYTES):
        writer.write(data)
        await writer.drain()
    writer.write_eof()


if __name__ == "__main__":
    main()
