"""Joining a cluster: whoever does not understand the nodes that live is refused."""

from typing import Final

from sqlalchemy import Connection, text

from paddock_server.store import nodes
from paddock_server.store.address import CannotOpen
from paddock_server.store.migrations import check, hold_version

_JOIN: Final = text(
    "INSERT INTO nodes (name, grpc, http, bus, state, beat) "
    "VALUES (:name, '', '', :bus, 'alive', now()) RETURNING node"
)


class OtherBus(CannotOpen):
    """Raised when the nodes of a cluster speak another version of its messages."""

    reason = "cluster/other_bus"


def join(connection: Connection, name: str, bus: int) -> int:
    """Add a node; its number, which no other node ever has.

    Raises OtherBus if nodes live that do not understand its messages, and NewerSchema if somebody
    has migrated the database since it was opened.
    """
    hold_version(connection)
    check(connection)
    others = [row.name for row in nodes.not_late(connection) if row.bus != bus]
    if others:
        raise OtherBus(
            f"these nodes run another version of Paddock, whose messages differ from those of "
            f"this one: {', '.join(others)}; stop them all, then start this one"
        )
    return int(connection.execute(_JOIN, {"name": name, "bus": bus}).scalar_one())
