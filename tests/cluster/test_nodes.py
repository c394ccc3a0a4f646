"""Nodes in the store: who was put out writes nothing, and a match has one node."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.basics.identity import hash_token, new_match_id, stamp
from paddock_server.cluster.life import Fenced
from paddock_server.cluster.messages import BUS
from paddock_server.lobby.planning import seated_in_turn
from paddock_server.referee.clock import Clock
from paddock_server.store import migrations, nodes, store
from paddock_server.store.address import CannotOpen
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.joining import OtherBus, join
from paddock_server.store.migrations import LATEST, NewerSchema, OldNodes
from paddock_server.store.nodes import PutOut
from paddock_server.store.registry import Registry
from paddock_server.store.rows import BotRow, NewMatch
from tests import postgresql
from tests.cluster.life import Node
from tests.server.process import until


@pytest.fixture
def two(postgresql_place: str) -> Iterator[tuple[Node, Node]]:
    pair = Node(postgresql_place), Node(postgresql_place)
    for node in pair:
        node.introduce()
    yield pair
    for node in pair:
        node.close()


def add_bot(name: str) -> BotRow:
    return BotRow(name, name, hash_token(name), stamp())


def test_a_node_that_was_put_out_writes_nothing_more(two: tuple[Node, Node]) -> None:
    one, other = two
    one.database.write(lambda connection: store.add_bot(connection, add_bot("before")))
    assert other.registry.put_out(one.number, None)
    with pytest.raises(PutOut):
        one.database.write(lambda connection: store.add_bot(connection, add_bot("after")))
    assert one.told == 1
    assert [bot.name for bot in other.database.look(store.list_bots, "", 9)] == ["before"]
    until("its end", lambda: _knows_its_end(one.registry))


def test_what_a_node_is_writing_when_it_is_put_out_is_not_written(two: tuple[Node, Node]) -> None:
    one, other = two

    def write(connection: Connection) -> None:
        store.add_bot(connection, add_bot("half"))
        assert other.registry.put_out(one.number, None)
        store.add_bot(connection, add_bot("other half"))

    with pytest.raises((SQLAlchemyError, PutOut)):
        one.database.write(write)
    assert other.database.look(store.list_bots, "", 9) == []


def test_only_a_lease_that_has_ended_is_ended(two: tuple[Node, Node]) -> None:
    one, other = two
    assert not other.registry.put_out(one.number, 60.0)
    one.database.write(lambda connection: store.add_bot(connection, add_bot("still there")))
    assert [row.late for row in other.registry.living(60.0)] == [False, False]
    assert all(row.late for row in other.registry.living(-1.0))
    assert other.registry.put_out(one.number, -1.0)
    assert [row.node for row in other.registry.living(60.0)] == [other.number]


def test_a_process_that_is_dead_has_let_go_of_its_lock(two: tuple[Node, Node]) -> None:
    one, other = two
    assert not other.registry.is_deserted(one.number)
    one.registry.close()
    until("its lock", lambda: other.registry.is_deserted(one.number))


def test_there_is_one_steward_at_a_time(two: tuple[Node, Node]) -> None:
    one, other = two
    assert one.registry.become_steward()
    assert not other.registry.become_steward()
    one.registry.resign()
    assert other.registry.become_steward()
    other.registry.close()
    until("the lock of the steward", one.registry.become_steward)  # noticed in a moment


def test_a_steward_that_is_put_out_holds_no_lock_although_it_closes_nothing(
    two: tuple[Node, Node],
) -> None:
    one, other = two
    assert one.registry.become_steward()
    assert other.registry.put_out(one.number, None)
    until("the lock of the steward", other.registry.become_steward)
    assert other.registry.is_deserted(one.number)
    until("its end", lambda: _knows_its_end(one.registry))


def test_a_node_that_lives_after_all_keeps_its_connections(two: tuple[Node, Node]) -> None:
    one, other = two
    assert one.registry.become_steward()
    before = one.database.write(_backend)
    assert not other.registry.put_out(one.number, 60.0)
    assert one.database.write(_backend) == before
    assert not other.registry.become_steward()
    one.registry.beat()


def test_a_node_that_stands_still_in_its_beat_is_put_out(two: tuple[Node, Node]) -> None:
    one, other = two
    with psycopg.connect(one.place) as frozen:
        frozen.execute("UPDATE nodes SET beat = now() WHERE node = %s", [one.number])
        assert other.registry.put_out(one.number, -1.0)
        with pytest.raises(psycopg.OperationalError):
            frozen.commit()
    assert [row.node for row in other.registry.living(60.0)] == [other.number]


def test_no_connection_of_a_node_that_was_put_out_is_left(two: tuple[Node, Node]) -> None:
    one, other = two
    one.database.look(store.list_bots, "", 9)
    assert _connections(other, one) == 4, "it writes, syncs, reads and beats"
    assert other.registry.put_out(one.number, None)
    until("their end", lambda: not _connections(other, one))
    assert _connections(other, other) == 4


def _connections(node: Node, of: Node) -> int:
    """How many connections a node has, as another sees it."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name ~ %s"
    return node.database.look(
        lambda connection: int(connection.exec_driver_sql(query, (of.name,)).scalar_one())
    )


def _knows_its_end(registry: Registry) -> bool:
    try:
        registry.beat()
    except PutOut:
        return True
    except CannotOpen:  # its connection was cut
        return False
    return False


def _backend(connection: Connection) -> int:
    """The process of PostgreSQL that serves this connection."""
    return int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())


def test_a_match_has_one_node_and_another_if_that_is_gone(two: tuple[Node, Node]) -> None:
    one, other = two
    (plan,) = seated_in_turn("two-player", ["ada", "bob"], 1, seats=None, rules=None, clock=Clock())
    match = NewMatch(new_match_id(), plan)
    (number,) = one.database.write(lambda connection: store.add_matches(connection, [match]))

    def claim(node: Node) -> object:
        return node.database.write(
            lambda connection: nodes.claim_waiting(connection, number, node.number)
        )

    assert claim(one) == plan
    assert claim(other) is None
    assert one.database.look(nodes.owner_and_row, number)[0] == one.number
    assert other.registry.put_out(one.number, None)
    assert other.database.look(nodes.owner_and_row, number)[0] is None
    assert claim(other) == plan
    with pytest.raises(PutOut):
        claim(one)


@pytest.mark.usefixtures("two")
def test_a_single_server_and_a_cluster_exclude_each_other(postgresql_place: str) -> None:
    with pytest.raises(CannotOpen, match="another Paddock"):
        Database(postgresql_place)


NEWER = LATEST + 1


@pytest.fixture
def upgraded(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on this is a newer Paddock, whose schema has one table more."""
    monkeypatch.setattr(migrations, "LATEST", NEWER)
    monkeypatch.setitem(migrations.STEPS, NEWER, ["CREATE TABLE newer (number INTEGER)"])


def silence(place: str) -> None:
    """Have all leases end."""
    postgresql.tell(place, "UPDATE nodes SET beat = beat - interval '1 hour'")


def test_nobody_migrates_a_database_under_nodes_that_live(
    two: tuple[Node, Node], postgresql_place: str, request: pytest.FixtureRequest
) -> None:
    one, other = two
    request.getfixturevalue("upgraded")
    with pytest.raises(OldNodes, match=f"schema {LATEST}.*{one.name}.*stop all nodes"):
        Database(postgresql_place, fence=Fenced())
    one.database.write(lambda connection: store.add_bot(connection, add_bot("still there")))
    assert other.registry.put_out(one.number, None)
    with pytest.raises(OldNodes):
        Database(postgresql_place, fence=Fenced())
    silence(postgresql_place)
    newer = Database(postgresql_place, fence=Fenced())
    assert newer.look(lambda connection: connection.exec_driver_sql(
        "SELECT version FROM schema_version").scalar_one()) == NEWER  # fmt: skip
    newer.close()
    with pytest.raises(PutOut):  # it may be frozen and wake up
        other.database.write(lambda connection: store.add_bot(connection, add_bot("late")))


def test_who_has_opened_a_database_before_it_was_migrated_does_not_join(
    postgresql_place: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    old = Database(postgresql_place, fence=Fenced())
    request.getfixturevalue("upgraded")
    Database(postgresql_place, fence=Fenced()).close()
    monkeypatch.undo()
    with pytest.raises(NewerSchema):
        old.write(lambda connection: join(connection, "old", BUS))
    old.close()


def test_nodes_of_two_versions_of_the_messages_are_never_together(
    two: tuple[Node, Node], postgresql_place: str
) -> None:
    one, other = two
    with pytest.raises(OtherBus, match=f"{one.name}, {other.name}; stop them all"):
        Node(postgresql_place, BUS + 1)
    one.registry.beat()
    silence(postgresql_place)
    newer = Node(postgresql_place, BUS + 1)
    with pytest.raises(PutOut):
        one.database.write(lambda connection: store.add_bot(connection, add_bot("late")))
    newer.close()
