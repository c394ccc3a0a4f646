"""NATS as the bus of a cluster: core NATS alone, nothing of it is stored."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import nats
from nats.aio.client import Client
from nats.errors import Error

from paddock_server.basics.errors import ServerError

_LOG: Final = logging.getLogger("paddock.cluster")
_RECONNECT_SECONDS: Final = 0.2
_CONNECT_SECONDS: Final = 5
_MOST_PENDING: Final = 32 * 1024 * 1024  # bytes; what does not fit is lost, and said again later


class NoBus(ServerError):
    """Raised when the NATS server can't be reached at the start."""

    reason = "cluster/no_bus"


class NatsBus:
    """A node's connection to a NATS server, or to several that are one cluster of NATS."""

    def __init__(self, address: str, cluster: str) -> None:
        """`cluster` keeps clusters apart that use one NATS server."""
        self._address = address
        self._cluster = cluster
        self._node = 0
        self._hear: Callable[[bytes], None] = lambda _: None
        self._client: Client | None = None
        self._waiting: list[tuple[str, bytes]] = []
        self._sending: asyncio.Task[None] | None = None
        self._some = asyncio.Event()

    def listen(self, node: int, hear: Callable[[bytes], None]) -> None:
        """Call `hear` with every packet for a node."""
        self._node, self._hear = node, hear

    async def open(self) -> None:
        """Connect; raises NoBus if no NATS server is there."""
        try:
            self._client = await nats.connect(
                self._address.split(","),
                name=f"paddock node {self._node}",
                connect_timeout=_CONNECT_SECONDS,
                allow_reconnect=True,
                max_reconnect_attempts=-1,
                reconnect_time_wait=_RECONNECT_SECONDS,
                error_cb=_ignore,
                disconnected_cb=self._on_disconnect,
                reconnected_cb=self._on_reconnect,
                pending_size=_MOST_PENDING,
            )
            await self._client.subscribe(self._subject(self._node), cb=self._on_message)
        except (Error, OSError, ValueError, TimeoutError) as problem:
            raise NoBus(
                f"the NATS server {self._address.rpartition('@')[2]} can't be reached ({problem}); "
                "start it, or give its address as nats://HOST:4222"
            ) from None
        self._sending = asyncio.get_running_loop().create_task(self._send())

    def carry(self, node: int, packet: bytes) -> None:
        """Send a packet to a node, if the NATS server is there."""
        if self._client is not None and self._client.is_connected:
            self._waiting.append((self._subject(node), packet))
            self._some.set()

    async def close(self) -> None:
        """Disconnect."""
        if self._sending is not None:
            self._sending.cancel()
        if self._client is not None:
            with suppress(Error, OSError, TimeoutError):
                await self._client.close()

    def _subject(self, node: int) -> str:
        return f"paddock.{self._cluster}.{node}"

    async def _send(self) -> None:
        while True:
            await self._some.wait()
            self._some.clear()
            waiting, self._waiting = self._waiting, []
            for subject, packet in waiting:
                with suppress(Error, OSError):  # it is lost, and said again later
                    await self._client.publish(subject, packet)  # type: ignore[union-attr]

    async def _on_message(self, message: Any) -> None:
        self._hear(message.data)

    async def _on_disconnect(self) -> None:
        _LOG.warning("bus lost: no NATS server answers; matches with all bots here go on")

    async def _on_reconnect(self) -> None:
        _LOG.warning("bus found again")


async def _ignore(_problem: Exception) -> None:
    """Hear of a problem that a reconnect puts right."""
