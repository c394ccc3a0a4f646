"""A node that is put out between any two statements of a write: it is as if it never wrote."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.cluster.life import Fenced
from paddock_server.referee.result import SeatResult
from paddock_server.store import nodes, results, store
from paddock_server.store.connection import Connection
from paddock_server.store.nodes import PutOut
from paddock_server.store.rows import EndRow, JournalRow
from tests import postgresql
from tests.cluster.life import Node
from tests.store.opened import begun, bot, new_match, played_match, stepped
from tests.store.test_migrations import rows

BOTS: Final = ("rex", "ada", "bob")
MATCH: Final = new_match("M1", *BOTS)
STALE: Final = "2026-11-18T12:00:00.000Z"
RESULTS: Final = [
    SeatResult(name, "1", total=9 - seat, rank=seat + 1, forfeit=False, faults=0, fallbacks=0)
    for seat, name in enumerate(BOTS)
]


class Write(NamedTuple):
    """What a node writes when it is put out, and what was there before and comes after."""

    before: Callable[[Connection, int], None]  # by the node that is put out, with its number
    write: Callable[[Connection], None]
    after: Callable[[Connection, int], None]  # by the node that takes its place


def _claimed(connection: Connection, node: int) -> None:
    assert nodes.claim_waiting(connection, 1, node) is not None


def _opened(connection: Connection, node: int) -> None:
    _claimed(connection, node)
    store.open_match(connection, 1, MATCH.plan, begun(MATCH.plan, "2025"))
    store.append(connection, [JournalRow(1, 0, stepped(0))])


def _opened_again(connection: Connection, node: int) -> None:
    _claimed(connection, node)
    store.open_match(connection, 1, MATCH.plan, begun(MATCH.plan, "2027"))


def _taken_up(connection: Connection, node: int) -> None:
    assert nodes.claim_open(connection, 1, node) is not None
    store.append(connection, [JournalRow(1, 1, stepped(1))])


def _open(connection: Connection) -> None:
    store.open_match(connection, 1, MATCH.plan, begun(MATCH.plan, "2026"))


def _append(connection: Connection) -> None:
    store.append(connection, [JournalRow(1, 1, stepped(71)), JournalRow(1, 2, stepped(72))])


def _finish(connection: Connection) -> None:
    played = played_match("summer", ended=STALE)
    results.finish_many(connection, [EndRow(1, played, RESULTS, rated=True)])


WRITES: Final = {
    "open_match": Write(_claimed, _open, _opened_again),
    "append": Write(_opened, _append, _taken_up),
    "finish_many": Write(_opened, _finish, _taken_up),
}


class NoFence(Fenced):
    """A hole in the fence: whoever was put out writes as before."""

    def check(self, connection: Connection) -> None:
        pass


class Trigger:
    """Does something before a statement of a node's writing connection, or before its commit."""

    def __init__(self, node: Node, at: int, pull: Callable[[], None]) -> None:
        self.pulled = False
        self._left = at
        self._pull = pull
        engine = node.database.engine
        event.listen(engine, "connect", lambda connection, _: self._count_in(connection))
        event.listen(engine, "commit", lambda _: self._tick())
        node.database.write(lambda each: self._count_in(each.connection.dbapi_connection))
        self._armed = True

    def _count_in(self, connection: Any) -> None:
        tick = self._tick

        class Counted(psycopg.Cursor[Any]):
            def execute(self, *arguments: Any, **named: Any) -> Any:
                tick()
                return super().execute(*arguments, **named)

            def executemany(self, *arguments: Any, **named: Any) -> None:
                tick()
                super().executemany(*arguments, **named)

        connection.cursor_factory = Counted

    _armed = False

    def _tick(self) -> None:
        if self._armed and not self.pulled:
            self._left -= 1
            if self._left < 0:
                self.pulled = True
                self._pull()


@pytest.fixture
def other(postgresql_place: str) -> Iterator[Node]:
    node = Node(postgresql_place)
    yield node
    node.close()


def _outcome(place: str, other: Node, case: Write, at: int | None, fence: Fenced) -> Any:
    """All that is stored when a node was put out at a statement; None: there is no such statement.

    At None it is put out before it tries to write at all.
    """
    postgresql.tell(place, "TRUNCATE matches, seats, journal, bots, ratings RESTART IDENTITY")
    one = Node(place, fence=fence)
    one.database.write(lambda connection: store.add_matches(connection, [MATCH]))
    for name in BOTS:
        one.database.write(lambda connection, name=name: store.add_bot(connection, bot(name)))  # type: ignore[misc]
    one.database.write(lambda connection: case.before(connection, one.number))

    def put_out() -> None:
        assert other.registry.put_out(one.number, None)
        other.database.write(lambda connection: case.after(connection, other.number))

    if at is None:
        put_out()
    else:
        trigger = Trigger(one, at, put_out)
        _insist(one, case.write)
        if not trigger.pulled:
            one.close()
            return None
    one.close()
    return {name: stored for name, stored in rows(place).items() if name != "nodes"}


def _insist(node: Node, write: Callable[[Connection], None]) -> None:
    """Write, again and again as the writer does, until that is done or the node was put out."""
    for _ in range(4):
        try:
            node.database.write(write)
        except PutOut:
            return
        except (SQLAlchemyError, psycopg.Error):
            continue  # it was cut
        return
    raise AssertionError("neither written nor put out")


def _differences(
    place: str, other: Node, case: Write, make: Callable[[], Fenced]
) -> Sequence[bool]:
    """For every statement, whether what is stored shows that the node was there after its end."""
    expected = _outcome(place, other, case, None, make())
    found: list[bool] = []
    while (stored := _outcome(place, other, case, len(found), make())) is not None:
        found.append(stored != expected)
    return found


@pytest.mark.parametrize("name", WRITES)
def test_nothing_is_stored_of_a_node_that_is_put_out_at_any_statement(
    name: str, postgresql_place: str, other: Node
) -> None:
    found = _differences(postgresql_place, other, WRITES[name], Fenced)
    assert len(found) >= 3, "the fence, the write, the commit"
    assert not any(found)


@pytest.mark.parametrize("name", WRITES)
def test_without_the_fence_all_of_it_is_stored(
    name: str, postgresql_place: str, other: Node
) -> None:
    found = _differences(postgresql_place, other, WRITES[name], NoFence)
    assert len(found) >= 2, "the write, the commit"
    assert all(found)
