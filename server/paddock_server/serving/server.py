"""The server as a whole: database, tables, lobby, desk, gRPC and, if wanted, HTTP."""

import asyncio
import gc
import logging
import sys
from typing import Annotated, NamedTuple

from paddock_server.api.access import Access
from paddock_server.api.bots import Bots
from paddock_server.api.ladder import Ladder
from paddock_server.api.matches import Matches
from paddock_server.api.play import Play
from paddock_server.api.server import Server, Tls
from paddock_server.api.tournament_changes import TournamentChanges
from paddock_server.api.watching import Watching
from paddock_server.basics.bounds import OR_ZERO
from paddock_server.basics.contact import Contact, is_here
from paddock_server.basics.errors import ServerError
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.lobby.lobby import Lobby
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.clock import Clock
from paddock_server.standings import upkeep
from paddock_server.standings.suspicions import Inspector
from paddock_server.standings.upkeep import Upkeep
from paddock_server.store.database import Database
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tables.tables import Tables
from paddock_server.tables.watching import Audience
from paddock_server.tournaments.changes import Changes
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.telling import Telling
from paddock_server.web.app import Web

_LOG = logging.getLogger("paddock.serving")
_GRACE_SECONDS = 1.0
_SWITCH_SECONDS = 0.0005


class CannotServe(ServerError):
    """Raised when a server can't be started as it was asked for; the text says what to do."""

    reason = "server/unusable"


class Settings(NamedTuple):
    """The settings of a server."""

    database: str = "paddock.db"
    grpc: str = "127.0.0.1:7911"
    http: str | None = None
    tls: Tls | None = None
    organiser_token: str | None = None
    allow_plaintext: bool = False
    clock: Clock = Clock()
    limits: Limits = Limits()
    policy: Policy = Policy()
    drain_seconds: Annotated[float, OR_ZERO] = 60.0
    # Between two updates of the standings; 0: never.
    standing_seconds: Annotated[float, OR_ZERO] = upkeep.SECONDS
    reading: bool = False  # nothing is played: the database is only read


class Serving:
    """A running server."""

    def __init__(self, settings: Settings) -> None:
        check(settings)
        self.settings = settings
        self.database = Database(settings.database, reading=settings.reading)
        self.metrics = Metrics()
        self.tables: Tables = LocalTables(Journal(self.database), self.metrics)
        self.lobby = Lobby(
            self.database,
            self.tables,
            self.metrics,
            clock=settings.clock,
            limits=settings.limits,
            policy=settings.policy,
        )
        self.desk = Desk(self.lobby, self.database)
        self.tables.listeners.append(self.desk)
        self.access = Access(self.database, settings.organiser_token)
        self._telling = Telling(self.database)
        self._audience = Audience(settings.limits.watchers)
        self.address = ""
        self.http_address: str | None = None
        self._server: Server | None = None
        self._web: Web | None = None
        self._upkeep = Upkeep(
            self.database, settings.database, self._standing_changed, settings.standing_seconds
        )

    async def start(self) -> None:
        """Listen on the ports, resume what an earlier process left, and serve."""
        self._server = self._grpc()
        host, _ = split_address(self.settings.grpc)
        try:
            port = self._server.listen(self.settings.grpc, self.settings.tls)
        except RuntimeError:
            raise CannotServe(
                f"can't listen on {self.settings.grpc}; is another server running there?"
            ) from None
        self.address = f"{host}:{port}"
        if self.settings.reading:
            self.lobby.draining = True
        else:
            await self.lobby.start()
            await self.desk.start()
            await self._upkeep.start()
        await self._server.start()
        settle()
        if self.settings.http is not None:
            self._web = self.pages()
            self.http_address = await self._web.start(self.settings.http)

    def _grpc(self) -> Server:
        """The gRPC server with all its services."""
        database, lobby, limits = self.database, self.lobby, self.settings.limits
        changes = Changes(self.desk, database)
        watching = Watching(database, self.tables, self._audience, limits.watchers_per_match)
        return Server(
            play=Play(
                database,
                lobby,
                self.tables,
                desk=self.desk,
                access=self.access,
                limits=limits,
                metrics=self.metrics,
            ),
            matches=Matches(
                database,
                lobby,
                watching,
                access=self.access,
                changes=changes,
                telling=self._telling,
            ),
            bots=Bots(database, lobby, self.access, changes),
            ladder=Ladder(database, self.access, Inspector(self.settings.database)),
            tournaments=TournamentChanges(database, lobby, self.desk, self.access, changes),
        )

    def pages(self) -> Web:
        """The HTTP pages of this server."""
        return Web(
            self.database,
            self.lobby,
            self.tables,
            desk=self.desk,
            telling=self._telling,
            audience=self._audience,
            limits=self.settings.limits,
            metrics=self.metrics,
            contact=self.contact,
        )

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
        """Accept no new work, and let open matches finish or leave them to the journal."""
        if self._server is None:
            return
        await self._server.drain()
        self.lobby.draining = True
        try:
            async with asyncio.timeout(self.settings.drain_seconds):
                await self.tables.drained()
        except TimeoutError:
            _LOG.warning("draining ended: the journal keeps %d open matches", len(self.tables))

    async def stop(self) -> None:
        """Stop at once; the next server resumes the open matches."""
        self.lobby.dismiss_all(
            "server/draining", "the server is about to stop; come back in a moment"
        )
        await self._upkeep.close()
        self.desk.close()
        self.lobby.stop()
        self.tables.stop()
        if self._web is not None:
            await self._web.stop()
        if self._server is not None:
            await self._server.stop(_GRACE_SECONDS)
        await asyncio.to_thread(self.database.close)


def settle() -> None:
    """Tune the garbage collector: the objects of the start stay, and cycles are rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    # Pages are made in threads. The event loop, which measures time, waits this long for a thread.
    sys.setswitchinterval(_SWITCH_SECONDS)


def split_address(address: str) -> tuple[str, int]:
    """Host and port of `host:port`."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535 or not host:
        raise CannotServe(f"address {address!r} is invalid; give host:port such as 127.0.0.1:7911")
    return host, int(port)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach the address."""
    host, _ = split_address(address)
    return is_here(host)


def check(settings: Settings) -> None:
    """Raise CannotServe for settings that would be unsafe."""
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
