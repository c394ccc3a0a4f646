"""A door: where clients come in, at a pace that leaves the event loop to those who are in.

A connection costs time of the event loop, with TLS fifteen times as much. So only so many come in
per second, whoever they are; the others wait in the system's queue.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

_LOG: Final = logging.getLogger("paddock.calls")
_PLAIN_SECONDS: Final = 0.0001  # of the event loop
_TLS_SECONDS: Final = 0.0015
_SHARE: Final = 0.2  # of the event loop, for all who come in
_AT_ONCE_SECONDS: Final = 0.3  # that may be spent before anybody has to wait
_BACKLOG: Final = 1_024
_HANDSHAKE_SECONDS: Final = 10.0
_PAUSE_SECONDS: Final = 0.5  # where there are no files left


class Door:
    """A listening socket, and the pace at which clients come in."""

    def __init__(
        self, client: Callable[[], asyncio.Protocol], tls: ssl.SSLContext | None = None
    ) -> None:
        self._client = client
        self._tls = tls
        self._sockets: list[socket.socket] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._spent_until = 0.0  # when all is paid that was spent for those who came in

    async def take(self, address: str) -> int:
        """Bind an address, such as 127.0.0.1:7911 or unix:/path; its port. Raises OSError."""
        if address.startswith("unix:"):
            self._bind(socket.AF_UNIX, address.removeprefix("unix:"))
            return 1
        host, _, port = address.rpartition(":")
        found = await self._loop.getaddrinfo(
            host.strip("[]") or None, int(port), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        number = int(port)
        for family, _, _, _, where in dict.fromkeys(found):
            number = self._bind(family, (where[0], number, *where[2:])) or number
            if not int(port):
                break  # one free port
        return number

    def _bind(self, family: int, where: Any) -> int:
        listening = socket.socket(family, socket.SOCK_STREAM)
        self._sockets.append(listening)
        try:
            if family != socket.AF_UNIX:
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                everywhere = where[0] == "::"  # which is all of IPv4, too
                listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, not everywhere)
            listening.setblocking(False)
            listening.bind(where)
            listening.listen(_BACKLOG)
        except OSError:
            self._close_sockets()
            raise
        name = listening.getsockname()
        return int(name[1]) if isinstance(name, tuple) else 0

    def open(self) -> None:
        """Let clients in."""
        for listening in self._sockets:
            self._run(self._let_in(listening))

    async def close(self) -> None:
        """Let nobody in any more."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._close_sockets()

    def _close_sockets(self) -> None:
        for listening in self._sockets:
            listening.close()
        self._sockets.clear()

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _let_in(self, listening: socket.socket) -> None:
        cost = (_PLAIN_SECONDS if self._tls is None else _TLS_SECONDS) / _SHARE
        while True:
            try:
                client, _ = await self._loop.sock_accept(listening)
            except OSError as problem:  # no files left, or the client is gone again
                _LOG.warning("connection not accepted: %s", problem)
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            self._run(self._connect(client))
            now = self._loop.time()
            self._spent_until = max(self._spent_until, now) + cost
            wait = self._spent_until - now - _AT_ONCE_SECONDS / _SHARE
            if wait > 0:
                await asyncio.sleep(wait)

    async def _connect(self, client: socket.socket) -> None:
        client.setblocking(False)
        if client.family != socket.AF_UNIX:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wait = _HANDSHAKE_SECONDS if self._tls is not None else None
        with suppress(OSError, ssl.SSLError, TimeoutError):  # who can't connect is gone
            await self._loop.connect_accepted_socket(
                self._client, client, ssl=self._tls, ssl_handshake_timeout=wait
            )
