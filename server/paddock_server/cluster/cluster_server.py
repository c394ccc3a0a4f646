"""A server that is a node of a cluster."""

import asyncio
import os
import socket
from typing import NamedTuple

from paddock_server.cluster.bus import Bus
from paddock_server.cluster.callers import Callers
from paddock_server.cluster.cluster_tables import ClusterTables
from paddock_server.cluster.forwarding import Forwarding
from paddock_server.cluster.holder import Holder
from paddock_server.cluster.life import Fenced, Life
from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import BUS
from paddock_server.cluster.nats_bus import NatsBus
from paddock_server.cluster.node import Node, Parts
from paddock_server.cluster.owner import Owner
from paddock_server.cluster.reception import ClusterReception
from paddock_server.cluster.steward import Steward
from paddock_server.lobby.reception import Reception
from paddock_server.serving.server import Serving
from paddock_server.serving.settings import CannotServe, Settings
from paddock_server.store import nodes
from paddock_server.store.address import CannotOpen, address_of
from paddock_server.store.database import Database
from paddock_server.store.joining import join
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tables.tables import Tables


class ClusterSettings(NamedTuple):
    """The settings of a server that is a node of a cluster."""

    bus: str  # nats://HOST:PORT
    advertise: str = (
        ""  # the gRPC address where other nodes reach this one; empty: where it listens
    )


class ClusterServing(Serving):
    """A running node of a cluster."""

    def __init__(
        self, settings: Settings, cluster: ClusterSettings, bus: Bus | None = None
    ) -> None:
        check_cluster(settings, cluster)
        self._cluster = cluster
        self._fence = Fenced()
        self._bus = bus
        self.node = Node(self._lead, self._count)
        self._life: Life | None = None
        self._name = nodes.new_name(socket.gethostname(), os.getpid())
        named = nodes.address_of_node(settings.database, self._name)
        super().__init__(settings._replace(database=named))
        self._steward = Steward(self._link, self._cluster_tables, self._holder, self.lobby)
        self.node.parts.steward = self._steward
        self._cluster_tables.guest = self.lobby.hall.find
        self._desk_reception = ClusterReception(
            self.lobby, self._holder, self._local, self.database
        )

    def _open_database(self) -> Database:
        database = Database(self.settings.database, fence=self._fence)
        try:
            self._fence.node = database.write(lambda connection: join(connection, self._name, BUS))
        except CannotOpen:
            database.close()
            raise
        return database

    def _make_tables(self) -> Tables:
        bus = self._bus or NatsBus(self._cluster.bus, self.database.look(nodes.identity))
        self._bus = bus
        self._link = self.node.link = Link(self._fence.node, bus, self.node)
        self._holder = Holder(self._link)
        self._local = LocalTables(Journal(self.database), self.metrics)
        self._cluster_tables = ClusterTables(self._link, self._local, self._holder, self.database)
        owner = Owner(self._link, self._local, self._holder, self.database, self.metrics)
        self.node.parts = Parts(self._holder, owner, self._cluster_tables)
        return self._cluster_tables

    def _reception(self) -> Reception:
        return self._desk_reception

    def _interceptors(self) -> tuple[Forwarding, ...]:
        callers = Callers(self.settings.organiser_token)
        return (Forwarding(self.node, self.database, callers, self.settings.tls),)

    async def _take_over(self) -> None:
        """Join the others; whichever node leads takes over what an earlier one left."""
        loop = asyncio.get_running_loop()

        def put_out() -> None:
            loop.call_soon_threadsafe(self.node.put_out)

        self._fence.on_put_out = put_out
        grpc = self._cluster.advertise or self.address
        http = self.settings.http or ""
        node = self._fence.node
        self.database.writer  # noqa: B018 -- starts it on this loop
        assert self._bus is not None  # noqa: S101 -- made with the tables
        await self._bus.open()
        self._link.start()
        self._life = Life(self.settings.database, node, self.node)
        await asyncio.to_thread(self._life.hold)  # before others see this node
        await self.database.writer.write(
            lambda connection: nodes.introduce(connection, node, grpc, http)
        )
        self._life.start()

    def _count(self) -> None:
        """Count what the metrics say about the cluster."""
        self.metrics.nodes.set(len(self.node.rows))
        self.metrics.steward.set(self._cluster_tables.leading)

    async def _lead(self) -> None:
        await super()._take_over()

    async def drain(self) -> None:
        """Take no new work, and leave this node's matches to the others."""
        if self._server is not None:
            self._server.drain()
        self._desk_reception.draining = True
        self.lobby.drain.begin()
        self._steward.resign()
        if self._life is not None:
            self._life.resign()
        node = self._fence.node
        await self.database.writer.write(lambda connection: nodes.leave(connection, node))

    async def stop(self) -> None:
        """Stop at once; other nodes go on with this one's matches."""
        self._desk_reception.dismiss_all(self.settings.policy.return_after_ms)
        self._local.stop()
        if self._life is not None:
            await asyncio.to_thread(self._life.close)
        self._fence.on_put_out = lambda: None
        if not self.node.over.is_set() and self._server is not None:
            node = self._fence.node
            await self.database.writer.write(lambda connection: nodes.go(connection, node))
        self._link.close()
        if self._bus is not None:
            await self._bus.close()
        await super().stop()


def check_cluster(settings: Settings, cluster: ClusterSettings) -> None:
    """Raise CannotServe for settings that make no cluster."""
    if address_of(settings.database).file is not None:
        raise CannotServe(
            "--cluster needs a database that several servers can share; "
            "give --db postgresql://USER@HOST/DATABASE"
        )
    if not cluster.bus.startswith(("nats://", "tls://")):
        raise CannotServe(
            f"--cluster {cluster.bus!r} is not an address of NATS; give nats://HOST:4222"
        )
    if settings.reading:
        raise CannotServe("a server that only reads can't be a node of a cluster")
    if settings.submissions.enabled:
        raise CannotServe(
            "a cluster takes no submissions yet; leave --cluster out, or turn [submissions] off"
        )
    if settings.web_workers:
        raise CannotServe("--web-workers and --cluster don't go together yet; leave one out")
