"""The life of a node: its lease in the database, and the watch over other nodes' leases.

A life begins when a process joins the cluster, and ends when the process does or when it is put
out. Whoever is put out can write nothing any more: it starts again, as a new life.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol

from paddock_server.store import nodes
from paddock_server.store.address import CannotOpen
from paddock_server.store.connection import Connection
from paddock_server.store.nodes import LEASE_SECONDS, NodeRow, PutOut
from paddock_server.store.registry import Registry

BEAT_SECONDS: Final = 0.5
_LOG: Final = logging.getLogger("paddock.cluster")


class Fenced:
    """The fence around the writes of this node, from the moment when it has joined."""

    def __init__(self) -> None:
        self.node = 0  # 0: it has not joined yet
        self.on_put_out: Callable[[], None] = lambda: None

    def check(self, connection: Connection) -> None:
        """Raise PutOut if this node was put out."""
        if self.node:
            try:
                nodes.check_fence(connection, self.node)
            except PutOut:
                self.on_put_out()
                raise


class Watch(Protocol):
    """A listener to the lives of nodes, on the event loop."""

    def living(self, rows: Sequence[NodeRow]) -> None:
        """These are the nodes that are not gone."""

    def leads(self) -> None:
        """This node is the steward now."""

    def is_silent(self, node: int) -> bool:
        """Whether nothing is heard of a node; called from another thread."""

    def is_cut_off(self, node: int) -> bool:
        """Whether a node is not on the bus, and this one is; called from another thread."""

    def put_out(self) -> None:
        """This node was put out."""


class Life:
    """The thread that renews this node's lease and ends those of nodes that don't."""

    def __init__(self, database: str, node: int, watch: Watch) -> None:
        self._registry = Registry(database, node)
        self._node = node
        self._watch = watch
        self._loop = asyncio.get_running_loop()
        self._loop_seen = time.monotonic()
        self._wants_to_lead = True
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="life", daemon=True)

    def hold(self) -> None:
        """Take the lock of this node, which shows that its process lives; it blocks."""
        self._registry.beat()

    def start(self) -> None:
        """Begin to beat."""
        self._look()
        self._thread.start()

    def resign(self) -> None:
        """Be the steward no more, and never again."""
        self._wants_to_lead = False

    def close(self) -> None:
        """Stop beating; the lock of this node is free."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _look(self) -> None:
        """Note that the event loop runs: a node whose loop hangs must not seem to be alive."""
        self._loop_seen = time.monotonic()
        if not self._over.is_set():
            self._loop.call_later(BEAT_SECONDS / 2, self._look)

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._turn()
            except PutOut:
                self._call(self._watch.put_out)
                break
            except CannotOpen as problem:
                _LOG.warning("lease not renewed: %s", problem)
            self._over.wait(BEAT_SECONDS)
        self._registry.close()

    def _turn(self) -> None:
        registry = self._registry
        if time.monotonic() - self._loop_seen < LEASE_SECONDS:
            registry.beat()
        for row in registry.living(LEASE_SECONDS):
            if row.node != self._node and (row.late or self._watch.is_silent(row.node)):
                self._judge(row)
        if self._wants_to_lead and not registry.steward and registry.become_steward():
            self._call(self._watch.leads)
        elif registry.steward and not self._wants_to_lead:
            registry.resign()
        self._call(self._watch.living, registry.living(LEASE_SECONDS))

    def _judge(self, row: NodeRow) -> None:
        """Put a node out that is dead, frozen or cut off: others go on with its matches."""
        if self._registry.is_deserted(row.node):
            why = "its process is dead"
        elif row.late:
            why = "its lease has ended"
        elif self._watch.is_cut_off(row.node):
            why = "it is cut off from the bus"
        else:
            return
        if self._registry.put_out(row.node, LEASE_SECONDS if row.late else None):
            _LOG.warning("node put out: %d (%s): %s", row.node, row.name, why)

    def _call(self, hear: Callable[..., None], *values: object) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(hear, *values)
