"""The nodes of a cluster in the store: who lives, who is put out, whose matches are whose.

A node that is put out can write nothing any more: every transaction of a node begins with a look
at its row, and whoever puts it out has to wait for that. Only the clock of the database counts. All
of it is for PostgreSQL.
"""

import secrets
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from paddock_server.referee.plan import Plan
from paddock_server.store.address import CannotOpen, with_program
from paddock_server.store.match_json import read_opening
from paddock_server.store.rows import MatchRow, Unfinished
from paddock_server.store.schema import SESSIONS
from paddock_server.store.store import close_gaps, match_of_number, unfinished

LEASE_SECONDS: Final = 3.0
NODE_LOCKS: Final = 0x706164  # the class of the advisory locks of nodes
_PROGRAM: Final = "paddock-node:"  # with its name after it, by which others cut its connections
_HOST_LETTERS: Final = 30  # PostgreSQL keeps 63 of all
_STEWARD: Final = int.from_bytes(b"steward")

_IDENTITY: Final = text(
    "SELECT system_identifier || '-' || oid FROM pg_control_system(), pg_database "
    "WHERE datname = current_database()"
)
_INTRODUCE: Final = text(
    "UPDATE nodes SET grpc = :grpc, http = :http, beat = now() WHERE node = :node"
)
# FOR SHARE would hold up the beat of the same node; see `put_out` for what this waits for.
_FENCE: Final = text("SELECT 1 FROM nodes WHERE node = :node AND state <> 'gone' FOR KEY SHARE")
_BEAT: Final = text("UPDATE nodes SET beat = now() WHERE node = :node AND state <> 'gone'")
_LIVING: Final = text(
    # A node that has not introduced itself is still starting, which may take a while.
    "SELECT node, name, grpc, http, bus, state, "
    "now() - beat > make_interval(secs => CASE WHEN grpc = '' THEN 60 ELSE :lease END) AS late "
    "FROM nodes WHERE state <> 'gone' ORDER BY node"
)
_CUT: Final = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE application_name = (SELECT :program || name FROM nodes WHERE node = :node) "
    "AND datname = current_database()"
)
_LOCK: Final = "SELECT name FROM nodes WHERE node = :node AND state <> 'gone' FOR UPDATE"
_LOCK_NOW: Final = text(f"{_LOCK} SKIP LOCKED")
_LOCK_LATER: Final = text(_LOCK)
_GO: Final = text("UPDATE nodes SET state = 'gone' WHERE node = :node AND state <> 'gone'")
_LEAVE: Final = text("UPDATE nodes SET state = 'leaving' WHERE node = :node AND state = 'alive'")
_CLAIM: Final = text(
    "UPDATE matches SET node = :node WHERE number = :number AND state = 'open' AND NOT EXISTS ("
    "SELECT 1 FROM nodes n WHERE n.node = matches.node AND n.node <> :node AND n.state <> 'gone')"
)
_CLAIM_WAITING: Final = text(
    "UPDATE matches SET node = :node WHERE number = :number AND state = 'waiting' AND NOT EXISTS ("
    "SELECT 1 FROM nodes n WHERE n.node = matches.node AND n.node <> :node AND n.state <> 'gone') "
    "RETURNING opening"
)
_FORGET: Final = text("DELETE FROM journal WHERE match = :number")
_OWNER: Final = text(
    "SELECT n.node FROM matches m JOIN nodes n ON n.node = m.node "
    "WHERE m.number = :number AND n.state <> 'gone'"
)
_OWNER_OF: Final = text(
    "SELECT n.node FROM matches m JOIN nodes n ON n.node = m.node "
    "WHERE m.id = :id AND m.state = 'open' AND n.state <> 'gone'"
)


class PutOut(CannotOpen):
    """Raised when this node was put out of its cluster, so that nothing of it may be written."""

    reason = "cluster/put_out"


class NodeRow(NamedTuple):
    """A node that is not gone."""

    node: int
    name: str
    grpc: str
    http: str
    bus: int  # the version of its messages
    state: str  # alive, leaving
    late: bool  # whether it has not beaten for longer than its lease


def new_name(host: str, pid: int) -> str:
    """A name for a node that no other one has: one process may be several nodes in turn."""
    return f"{host[:_HOST_LETTERS]}:{pid}:{secrets.token_hex(3)}"


def address_of_node(database: str, name: str) -> str:
    """The address of a database by which the connections of a node are known to be its own."""
    return with_program(database, f"{_PROGRAM}{name}")


def identity(connection: Connection) -> str:
    """A name of the database that is the same for everybody, however they reach it."""
    return str(connection.execute(_IDENTITY).scalar_one())


def introduce(connection: Connection, node: int, grpc: str, http: str) -> None:
    """Say where a node can be reached; from then on it takes matches."""
    connection.execute(_INTRODUCE, {"node": node, "grpc": grpc, "http": http})


def check_fence(connection: Connection, node: int) -> None:
    """Raise PutOut if a node is gone; until the end of this transaction it can't be put out."""
    if connection.execute(_FENCE, {"node": node}).first() is None:
        raise PutOut(f"node {node} was put out of the cluster; it starts again")


def beat(connection: Connection, node: int) -> bool:
    """Renew the lease of a node; False if it was put out."""
    return connection.execute(_BEAT, {"node": node}).rowcount == 1


def living(connection: Connection, lease_seconds: float) -> list[NodeRow]:
    """The nodes that are not gone, in the order in which they joined."""
    rows = connection.execute(_LIVING, {"lease": lease_seconds})
    return [NodeRow(*row) for row in rows]


def not_late(connection: Connection) -> list[NodeRow]:
    """The nodes that live; those whose lease has ended are put out."""
    return [
        row
        for row in living(connection, LEASE_SECONDS)
        if not (row.late and put_out(connection, row.node, LEASE_SECONDS))
    ]


def put_out(connection: Connection, node: int, lease_seconds: float | None) -> bool:
    """Put a node out; with a lease only if it is still late. Nothing of it can be written after.

    All its connections are cut, and with them go its locks: that of the steward, too.
    """
    # From here on it can't renew its lease. If its row is not free, a transaction of the node holds
    # it, which may be frozen with the node. The cut ends that transaction.
    connection.execute(_LOCK_NOW, {"node": node})
    if lease_seconds is not None:
        late = {row.node for row in living(connection, lease_seconds) if row.late}
        if node not in late:
            return False
    connection.execute(_CUT, {"program": _PROGRAM, "node": node})
    if connection.execute(_LOCK_LATER, {"node": node}).first() is None:
        return False
    return connection.execute(_GO, {"node": node}).rowcount == 1


def next_session(connection: Connection) -> int:
    """The number of a session: higher than those of all that any node has opened before."""
    return int(connection.scalar(SESSIONS))


def leave(connection: Connection, node: int) -> None:
    """Say that a node gets no new matches."""
    connection.execute(_LEAVE, {"node": node})


def go(connection: Connection, node: int) -> None:
    """Say that a node is gone: it says so itself when it ends."""
    connection.execute(_GO, {"node": node})


def claim_waiting(connection: Connection, number: int, node: int) -> Plan | None:
    """Take a waiting match that is about to begin; None if another node did, or it is over."""
    opening = connection.execute(_CLAIM_WAITING, {"number": number, "node": node}).scalar()
    if opening is None:
        return None
    # A crash of the database can take an opening and leave later events of it.
    connection.execute(_FORGET, {"number": number})
    return read_opening(opening).plan


def claim_open(connection: Connection, number: int, node: int) -> Unfinished | None:
    """Take up an open match whose node is gone; None if another node did, or it is over."""
    if connection.execute(_CLAIM, {"number": number, "node": node}).rowcount != 1:
        return None
    close_gaps(connection, number)
    return unfinished(connection, number)[0]


def owner_and_row(connection: Connection, number: int) -> tuple[int | None, MatchRow | None]:
    """The living node that has a match, and the match; None: nobody has it, or there is none."""
    owner = connection.execute(_OWNER, {"number": number}).scalar()
    return owner, match_of_number(connection, number)


def owner_of(connection: Connection, match_id: str) -> int | None:
    """The living node that plays a match; None: nobody does."""
    return connection.execute(_OWNER_OF, {"id": match_id}).scalar()


def is_deserted(connection: Connection, node: int) -> bool:
    """Whether the process of a node holds no lock any more: it is dead, or was cut off."""
    query = text("SELECT pg_try_advisory_xact_lock(:kind, :node)")
    return bool(connection.execute(query, {"kind": NODE_LOCKS, "node": node}).scalar_one())


def hold(connection: Connection, node: int) -> bool:
    """Hold the lock of a node as long as this connection lives; False if another one has it."""
    query = text("SELECT pg_try_advisory_lock(:kind, :node)")
    return bool(connection.execute(query, {"kind": NODE_LOCKS, "node": node}).scalar_one())


def become_steward(connection: Connection) -> bool:
    """Become the steward as long as this connection lives; False if another node is."""
    query = text("SELECT pg_try_advisory_lock(:lock)")
    return bool(connection.execute(query, {"lock": _STEWARD}).scalar_one())


def resign_as_steward(connection: Connection) -> None:
    """Let another node be the steward."""
    connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _STEWARD})
