"""A whole server in one process: database, arena, gRPC and, where wanted, HTTP."""

import asyncio
import gc
import logging
import sys
from typing import NamedTuple

from paddock_server.api.access import Access
from paddock_server.api.server import Server, Tls
from paddock_server.arena.arena import Arena
from paddock_server.arena.limits import Limits, Policy
from paddock_server.basics.contact import Contact, is_here
from paddock_server.referee.clock import Clock
from paddock_server.standings import upkeep
from paddock_server.standings.suspicions import Inspector
from paddock_server.standings.upkeep import Upkeep
from paddock_server.store.database import Database
from paddock_server.tournaments.desk import Desk
from paddock_server.web.app import Web
from paddock_server.wire import items

_LOG = logging.getLogger("paddock.serving")
_GRACE_SECONDS = 1.0
_SWITCH_SECONDS = 0.0005


class CannotServe(Exception):
    """Raised when a server can't be started as it was asked for; the text says what to do."""


class Settings(NamedTuple):
    """How a server is to run."""

    database: str = "paddock.db"
    grpc: str = "127.0.0.1:7911"
    http: str | None = None
    tls: Tls | None = None
    organiser_token: str | None = None
    allow_plaintext: bool = False
    clock: Clock = Clock()
    limits: Limits = Limits()
    policy: Policy = Policy()
    drain_seconds: float = 60.0
    standing_seconds: float = upkeep.SECONDS  # between two looks at the standings; 0: never
    reading: bool = False  # nothing is played: somebody looks into the database


class Serving:
    """A server that runs."""

    def __init__(self, settings: Settings) -> None:
        check(settings)
        self.settings = settings
        self.database = Database(settings.database, reading=settings.reading)
        self.arena = Arena(self.database, settings.clock, settings.limits, settings.policy)
        self.desk = Desk(self.arena)
        self.access = Access(self.database, settings.organiser_token)
        self.address = ""
        self.http_address: str | None = None
        self._server: Server | None = None
        self._web: Web | None = None
        self._upkeep = Upkeep(
            self.database, settings.database, self._standing_changed, settings.standing_seconds
        )

    async def start(self) -> None:
        """Take the ports, take up what was left, and serve."""
        self._server = Server(self.arena, self.desk, self.access, Inspector(self.settings.database))
        host, _ = split_address(self.settings.grpc)
        try:
            port = self._server.listen(self.settings.grpc, self.settings.tls)
        except RuntimeError:
            raise CannotServe(
                f"{self.settings.grpc} can't be listened on; is another server there?"
            ) from None
        self.address = f"{host}:{port}"
        if self.settings.reading:
            self.arena.draining = True
        else:
            await self.arena.start()
            await self.desk.start()
            await self._upkeep.start()
        await self._server.start()
        settle()
        if self.settings.http is not None:
            self._web = Web(self.arena, self.desk, self.contact)
            self.http_address = await self._web.start(self.settings.http)

    @property
    def contact(self) -> Contact:
        """How bots reach this server."""
        tls = self.settings.tls
        return Contact(
            self.address or self.settings.grpc,
            tls is not None,
            tls is not None and tls.client_ca is not None,
            not self.access.open,
        )

    def _standing_changed(self) -> None:
        if self._web is not None:
            self._web.changed()

    async def drain(self) -> None:
        """Take no new work; let open matches finish, or leave them to the journal."""
        if self._server is None:
            return
        await self._server.drain()
        self.arena.draining = True
        try:
            async with asyncio.timeout(self.settings.drain_seconds):
                await self.arena.drained()
        except TimeoutError:
            _LOG.warning("%d matches are left to the journal", len(self.arena.tables))

    async def stop(self) -> None:
        """End at once; what is open goes on when the server is started again."""
        for session in list(self.arena.hall.sessions.values()):
            after = self.settings.policy.return_after_ms
            sentence = "the server is about to stop; come back in a moment"
            session.send(items.goodbye("server/draining", sentence, after))
            session.end("server/draining", sentence)
        await self._upkeep.close()
        self.desk.close()
        self.arena.stop()
        if self._web is not None:
            await self._web.stop()
        if self._server is not None:
            await self._server.stop(_GRACE_SECONDS)
        await asyncio.to_thread(self.database.close)


def settle() -> None:
    """What is made by now stays; and a server makes few cycles, so look for them seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    # Pages are made in threads; the event loop, which judges time, waits this long for them.
    sys.setswitchinterval(_SWITCH_SECONDS)


def split_address(address: str) -> tuple[str, int]:
    """Host and port of `host:port`."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535 or not host:
        raise CannotServe(f"{address!r} is no address; give host:port such as 127.0.0.1:7911")
    return host, int(port)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach the address."""
    host, _ = split_address(address)
    return is_here(host)


def check(settings: Settings) -> None:
    """Refuse what would be unsafe."""
    if settings.http is not None:
        split_address(settings.http)
    if is_loopback(settings.grpc):
        return
    if settings.tls is None and not settings.allow_plaintext:
        raise CannotServe(
            f"{settings.grpc} can be reached from outside, and tokens would travel in the clear; "
            "give --tls-cert and --tls-key, or --allow-plaintext behind a proxy that does TLS"
        )
    if settings.organiser_token is None:
        raise CannotServe(
            f"{settings.grpc} can be reached from outside, so bots and organisers need tokens; "
            "set PADDOCK_ORGANISER_TOKEN"
        )
