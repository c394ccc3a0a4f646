"""The connection by which a node says that it lives, and looks at the others.

Its locks are held as long as it is: the lock of the node, and that of the steward.
"""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.store import nodes
from paddock_server.store.address import address_of, away
from paddock_server.store.nodes import NodeRow, PutOut
from paddock_server.store.on_postgresql import drop, keep_alive

T = TypeVar("T")


class Registry:
    """A node's entry among the nodes. All calls block, and raise CannotOpen without a database."""

    def __init__(self, database: str, node: int) -> None:
        self.steward = False
        self._engine: Engine = address_of(database).engine()
        self._node = node
        self._connection: Connection | None = None
        self._held = False  # whether the lock of the node is

    def beat(self) -> None:
        """Renew the lease; raises PutOut if this node was put out."""
        if not self._do(lambda connection: nodes.beat(connection, self._node)):
            raise PutOut(f"node {self._node} was put out")
        if not self._held:  # another node was just looking whether it is free
            self._held = self._do(lambda connection: nodes.hold(connection, self._node))

    def living(self, lease_seconds: float) -> list[NodeRow]:
        """The nodes that are not gone."""
        return self._do(lambda connection: nodes.living(connection, lease_seconds))

    def is_deserted(self, node: int) -> bool:
        """Whether the process of a node is dead, or was cut off from the database."""
        return self._do(lambda connection: nodes.is_deserted(connection, node))

    def put_out(self, node: int, lease_seconds: float | None) -> bool:
        """Put a node out; with a lease only if it is still late. Its locks are free then."""
        return self._do(lambda connection: nodes.put_out(connection, node, lease_seconds))

    def become_steward(self) -> bool:
        """Become the steward, if no other node is."""
        self.steward = self._do(nodes.become_steward)
        return self.steward

    def resign(self) -> None:
        """Let another node be the steward."""
        self._do(nodes.resign_as_steward)
        self.steward = False

    def close(self) -> None:
        """Let go of the connection and its locks."""
        self._let_go()
        self._engine.dispose()

    def _do(self, do: Callable[[Connection], T]) -> T:
        try:
            if self._connection is None:
                self._connection = self._connected()
            with self._connection.begin():
                return do(self._connection)
        except SQLAlchemyError as problem:
            self._let_go()
            raise away(problem) from problem

    def _connected(self) -> Connection:
        connection = self._engine.connect()
        try:
            with connection.begin():
                self._set_up(connection)
        except BaseException:
            drop(connection)
            raise
        return connection

    def _set_up(self, connection: Connection) -> None:
        keep_alive(connection)
        self._held = nodes.hold(connection, self._node)
        if self.steward and not nodes.become_steward(connection):
            raise PutOut("another node is the steward now")

    def _let_go(self) -> None:
        if self._connection is not None:
            drop(self._connection)
            self._connection = None
            self._held = False
