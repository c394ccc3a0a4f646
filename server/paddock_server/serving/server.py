"""The server as a whole: database, tables, lobby, desk, gRPC and, if wanted, HTTP."""

import asyncio
import gc
import logging
import sys
from collections.abc import Sequence

from grpc import aio

from paddock_server.api.access import Access
from paddock_server.api.bots import Bots
from paddock_server.api.ladder import Ladder
from paddock_server.api.matches import Matches
from paddock_server.api.owners import Owners
from paddock_server.api.play import Play
from paddock_server.api.runners import Runners
from paddock_server.api.server import Server
from paddock_server.api.strangers import Strangers
from paddock_server.api.submissions import Submissions
from paddock_server.api.tournament_changes import TournamentChanges
from paddock_server.api.watching import Watching
from paddock_server.basics.contact import Contact
from paddock_server.lobby.drain import Draining
from paddock_server.lobby.lobby import Lobby
from paddock_server.lobby.reception import Reception
from paddock_server.observe.metrics import Metrics
from paddock_server.serving.settings import CannotServe, Settings, blob_folder, check, split_address
from paddock_server.serving.web_workers import WebWorkers
from paddock_server.standings.ladders import Ladders
from paddock_server.standings.suspicions import Inspector
from paddock_server.standings.upkeep import Upkeep
from paddock_server.store.database import Database
from paddock_server.submissions.blobs import Blobs
from paddock_server.submissions.intake import Intake
from paddock_server.submissions.placement import Placement
from paddock_server.submissions.workshop import Workshop
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tables.tables import Tables
from paddock_server.tournaments.changes import Changes
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.telling import Telling
from paddock_server.visitors.visitors import Visitors
from paddock_server.web.app import Web

_LOG = logging.getLogger("paddock.serving")
_GRACE_SECONDS = 1.0
_SWITCH_SECONDS = 0.0005


class Serving:
    """A running server."""

    def __init__(self, settings: Settings) -> None:
        check(settings)
        self.settings = settings
        self.metrics = Metrics()
        self.database = self._open_database()
        self.tables = self._make_tables()
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
        self.access = Access(self.database, settings.organiser_token, self.lobby.hosted)
        self.workshop = Workshop(self.database, self.lobby, settings.submissions)
        self._blobs = Blobs(blob_folder(settings))
        self._placement = Placement(self.database, self.lobby, self.workshop)
        self.tables.listeners.append(self._placement.listener)
        self._telling = Telling(self.database)
        self._visitors = Visitors(settings.visitors, settings.limits.watchers, self._playing)
        self._ladders = Ladders(self.database)
        self.address = ""
        self.http_address: str | None = None
        self._server: Server | None = None
        self._web: Web | None = None
        self._workers: WebWorkers | None = None
        self._upkeep = Upkeep(
            self.database,
            settings.database,
            changed=self._standing_changed,
            playing=self._playing,
            seconds=settings.standing_seconds,
        )

    def _open_database(self) -> Database:
        """The database, opened for this server alone."""
        return Database(self.settings.database, reading=self.settings.reading)

    def _make_tables(self) -> Tables:
        """The tables of all matches."""
        return LocalTables(Journal(self.database), self.metrics)

    def _reception(self) -> Reception:
        """Where bots come in."""
        return self.lobby

    def _interceptors(self) -> Sequence[aio.ServerInterceptor]:
        """What comes before the services, besides access and visitors."""
        return ()

    async def _take_over(self) -> None:
        """Resume what an earlier process left, and begin matches."""
        if self.settings.submissions.enabled:
            await asyncio.to_thread(self._blobs.start)
            await self.workshop.start()
        await self.lobby.start()
        await self.desk.start()
        await self._upkeep.start()
        if self.settings.submissions.enabled:
            self._placement.start()

    async def start(self) -> None:
        """Listen on the ports, resume what an earlier process left, and serve."""
        self._server = self._grpc()
        host, _ = split_address(self.settings.grpc)
        try:
            port = await self._server.listen(self.settings.grpc, self.settings.tls)
        except OSError:
            raise CannotServe(
                f"can't listen on {self.settings.grpc}; is another server running there?"
            ) from None
        self.address = f"{host}:{port}"
        if self.settings.reading:
            self.lobby.drain.begin()
        else:
            await self._take_over()
        await self._server.start()
        settle()
        if self.settings.http is not None:
            self._web = self.pages()
            self.http_address = await self._start_pages(self._web, self.settings.http)

    async def _start_pages(self, web: Web, address: str) -> str:
        settings = self.settings
        if not settings.web_workers:
            return await web.start(address)
        self._workers = WebWorkers(
            settings.web_workers, settings.database, settings.limits.watchers, settings.visitors
        )
        await web.start_behind(self._workers.path)
        return await self._workers.start(address)

    def _grpc(self) -> Server:
        """The gRPC server with all its services."""
        database, lobby, limits = self.database, self.lobby, self.settings.limits
        changes = Changes(self.desk, database)
        watching = Watching(database, self.tables, self._visitors, limits.watchers_per_match)
        intake = Intake(database, self._blobs, self.settings.submissions)
        intake.on_received = self.workshop.received
        return Server(
            play=Play(
                database,
                self._reception(),
                self.tables,
                desk=self.desk,
                access=self.access,
                strangers=Strangers(self._visitors.gate),
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
            bots=Bots(database, lobby.hall, lobby.presence, self.access, changes),
            ladder=Ladder(database, self.access, self._ladders, Inspector(self.settings.database)),
            visitors=self._visitors,
            interceptors=self._interceptors(),
            owners=Owners(database, self.access),
            submissions=Submissions(database, self.access, intake, self.workshop, self._blobs),
            runners=Runners(database, self.access, self.workshop, self._blobs),
            tournaments=TournamentChanges(database, lobby.drain, self.desk, self.access, changes),
        )

    def pages(self) -> Web:
        """The HTTP pages of this server."""
        return Web(
            self.database,
            self.tables,
            presence=self.lobby.presence,
            hall=self.lobby.hall,
            drain=self.lobby.drain,
            desk=self.desk,
            telling=self._telling,
            visitors=self._visitors,
            ladders=self._ladders,
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

    def _playing(self) -> bool:
        """Whether matches are open."""
        return len(self.tables) > 0

    def _standing_changed(self) -> None:
        if self._web is not None:
            self._web.changed()

    async def drain(self) -> None:
        """Accept no new work, and let open matches finish or leave them to the journal."""
        if self._server is None:
            return
        self._server.drain()
        self.lobby.drain.begin()
        try:
            async with asyncio.timeout(self.settings.drain_seconds):
                await self.tables.drained()
        except TimeoutError:
            _LOG.warning("draining ended: the journal keeps %d open matches", len(self.tables))

    async def stop(self) -> None:
        """Stop at once; the next server resumes the open matches."""
        self.lobby.hall.dismiss_all(
            Draining.reason, str(Draining()), self.settings.policy.return_after_ms
        )
        self._visitors.close()
        self._placement.stop()
        await self._upkeep.close()
        self.desk.close()
        self.lobby.stop()
        self.tables.stop()
        if self._workers is not None:
            await self._workers.stop()
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
