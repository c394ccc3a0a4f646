"""Ends of matches in a cluster: they may wait for ratings, and no step waits with them."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from paddock_server.cluster.life import Fenced
from paddock_server.cluster.messages import BUS
from paddock_server.store import nodes, ratings, results, store
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.joining import join
from paddock_server.store.nodes import PutOut
from paddock_server.store.registry import Registry
from paddock_server.store.rows import JournalRow
from paddock_server.tables.journal import Journal
from paddock_server.tables.notices import Finished
from tests.postgresql import tell
from tests.server.process import GUARD_S, patiently
from tests.store.ladder import BOTS, FORMAT, Played, end_of
from tests.store.opened import begun, count, new_match, opened, plan, read, stepped

MATCH = Played(BOTS[:3], (1, 2, 3), ("1", "1", "1"))
DUEL = Played(BOTS[:2], (1, 2), ("1", "1"))
WAITING = "FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
Test = Callable[["Node"], Coroutine[Any, Any, None]]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be written is tried again without a pause."""
    monkeypatch.setattr("paddock_server.store.writer._RETRY_SECONDS", 0.0)


class Node:
    """A node of a cluster on its event loop, with the journal of its tables."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.fence = Fenced()
        self.put_out = asyncio.Event()
        loop = asyncio.get_running_loop()

        def put_out() -> None:
            loop.call_soon_threadsafe(self.put_out.set)

        self.fence.on_put_out = put_out
        self._name = nodes.new_name("host", 1)
        self.database = Database(nodes.address_of_node(place, self._name), fence=self.fence)
        self.fence.node = self.database.write(lambda c: join(c, self._name, BUS))
        self.journal = Journal(self.database)

    async def opened(self, *matches: Played) -> list[int]:
        """Matches that are under way; their numbers."""
        new = [new_match(f"M{at}", *match.bots) for at, match in enumerate(matches)]
        numbers = await self.database.writer.write(lambda c: store.add_matches(c, new))
        for number, match in zip(numbers, matches, strict=True):
            told, planned = asyncio.Event(), plan(*match.bots)
            self.journal.open(number, planned, begun(planned), told.set)
            await told.wait()
        return numbers

    async def step(self, number: int, position: int) -> None:
        """Journal an event of a match."""
        told = asyncio.Event()
        self.journal.append(JournalRow(number, position, stepped(position)), told.set)
        await told.wait()

    def end(self, number: int, match: Played = MATCH, **values: Any) -> asyncio.Event:
        """End a match; what is returned is set when it is stored."""
        told = asyncio.Event()
        _, played, how, _ = end_of(number, match)
        how = [result._replace(**values) for result in how]
        finished = Finished(number, "", plan(*match.bots, rated=True), how, played)
        self.journal.finish(finished, lambda _finished: told.set())
        return told

    async def keeps(self, expected: Callable[[list[int]], bool]) -> None:
        """Wait until its connections are as expected: PostgreSQL sees the end of one later."""
        async for _ in patiently():
            if expected(self.backends()):
                return

    def backends(self) -> list[int]:
        """The connections that have this node's name."""
        asked = f"SELECT pid FROM pg_stat_activity WHERE application_name LIKE '%{self._name}'"  # noqa: S608
        return [pid for (pid,) in tell(self.place, asked)]


def run(place: str, test: Test) -> None:
    """Run this with a node, on an event loop."""

    async def main() -> None:
        node = Node(place)
        try:
            async with asyncio.timeout(GUARD_S):
                await test(node)
        finally:
            await asyncio.to_thread(node.database.close)

    asyncio.run(main())


@contextmanager
def rating_elsewhere(place: str) -> Iterator[Callable[[], None]]:
    """Another node rates matches, until the function is called."""
    with psycopg.connect(place, autocommit=True) as other:
        other.execute(f"SELECT pg_advisory_lock({results._RATING})".encode())

        def let_go() -> None:
            other.execute(b"SELECT pg_advisory_unlock_all()")

        yield let_go


async def waits(place: str) -> None:
    """Somebody waits for a lock."""
    async for _ in patiently():
        if tell(place, f"SELECT 1 {WAITING}"):
            return


def test_steps_go_on_while_an_end_waits_for_ratings(postgresql_place: str) -> None:
    async def test(node: Node) -> None:
        over, on = await node.opened(MATCH, MATCH)
        await node.step(over, 0)
        with rating_elsewhere(postgresql_place) as let_go:
            ended = node.end(over)
            await waits(postgresql_place)
            for position in range(3):
                await node.step(on, position)
            (new,) = await node.database.writer.write(
                lambda c: store.add_matches(c, [new_match("M9", *MATCH.bots)])
            )
            assert not ended.is_set()
            assert node.database.writer.waiting == 1
            assert [len(left.events) for left in read(node.database, store.unfinished)] == [1, 3, 0]
            let_go()
            await ended.wait()
        assert [left.row.number for left in read(node.database, store.unfinished)] == [on, new]
        assert read(node.database, ratings.count_rated, FORMAT) == 1
        assert read(node.database, count, "journal") == 3

    run(postgresql_place, test)


def test_a_node_that_is_put_out_ends_no_match_that_waits(postgresql_place: str) -> None:
    """Both of its connections are cut, so whoever puts it out waits for nothing."""

    async def test(node: Node) -> None:
        (number,) = await node.opened(MATCH)
        assert len(node.backends()) == 4  # each lane has one that writes and one that syncs
        registry = Registry(postgresql_place, 0)
        with rating_elsewhere(postgresql_place) as let_go:
            ended = node.end(number)
            await waits(postgresql_place)
            assert await asyncio.to_thread(registry.put_out, node.fence.node, None)
            await node.put_out.wait()
            let_go()
            with pytest.raises(PutOut):
                await node.database.writer.write(lambda _connection: None)
        registry.close()
        assert not ended.is_set()
        (left,) = read(node.database, store.unfinished)
        assert left.row.number == number
        assert read(node.database, ratings.count_rated, FORMAT) == 0

    run(postgresql_place, test)


def test_an_end_whose_connection_was_cut_is_stored_once(postgresql_place: str) -> None:
    async def test(node: Node) -> None:
        over, on = await node.opened(MATCH, MATCH)
        with rating_elsewhere(postgresql_place) as let_go:
            ended = node.end(over)
            await waits(postgresql_place)
            ((waiting,),) = tell(postgresql_place, f"SELECT pid {WAITING}")
            others = [pid for pid in node.backends() if pid != waiting]
            assert tell(postgresql_place, f"SELECT pg_terminate_backend({waiting}, 60000)")
            await node.step(on, 0)
            await waits(postgresql_place)  # again, on a new connection
            # The other lane was not touched, and the one that syncs goes with the one that was cut.
            assert len(others) == 3
            await node.keeps(lambda backends: len(set(others) & set(backends)) == 2)
            let_go()
            await ended.wait()
        assert read(node.database, ratings.count_rated, FORMAT) == 1

    run(postgresql_place, test)


def test_an_end_that_is_rejected_sets_its_match_alone_aside(postgresql_place: str) -> None:
    async def test(node: Node) -> None:
        bad, good = await node.opened(MATCH, MATCH)
        aside: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        stuck = asyncio.Event()

        def reject(number: int, why: str) -> None:
            aside.set_result(number)
            node.journal.set_aside(number, why, stuck.set)

        node.journal.rejected = reject
        node.end(bad, total=1 << 40)  # more than the column takes
        await node.end(good).wait()
        assert await aside == bad
        await stuck.wait()
        assert read(node.database, store.unfinished) == []
        assert read(node.database, ratings.count_rated, FORMAT) == 1

    run(postgresql_place, test)


def test_a_node_that_stops_waits_for_its_ends(postgresql_place: str) -> None:
    async def main() -> None:
        node = Node(postgresql_place)
        (number,) = await node.opened(MATCH)
        with rating_elsewhere(postgresql_place) as let_go:
            ended = node.end(number)
            await waits(postgresql_place)
            closing = asyncio.ensure_future(asyncio.to_thread(node.database.close))
            await asyncio.sleep(0)
            let_go()
            await closing
        await ended.wait()
        await node.keeps(lambda backends: not backends)
        with opened(postgresql_place) as database:
            assert read(database, store.unfinished) == []

    asyncio.run(main())


def test_ratings_know_of_a_match_that_was_voided_meanwhile(postgresql_place: str) -> None:
    """Ends and all other work have a connection each, but one memory of who met whom."""

    async def test(node: Node) -> None:
        numbers = await node.opened(MATCH, *[DUEL] * 5)
        await node.end(numbers[0]).wait()
        for number in numbers[1:4]:
            await node.end(number, DUEL).wait()

        def void(connection: Connection) -> int:
            return ratings.void(connection, numbers[1], "a bug")

        assert await node.database.writer.write(void) == 2
        for number in numbers[4:]:
            await node.end(number, DUEL).wait()
        shown = read(node.database, ratings.standings, FORMAT)
        anew = read(node.database, ratings.rated_anew, FORMAT)
        assert {(row.bot, row.version): row.rating for row in shown} == anew

    run(postgresql_place, test)


def test_ratings_know_of_a_match_that_another_node_voided(postgresql_place: str) -> None:
    """A node remembers nothing of who met whom that another one may have changed."""

    async def test(node: Node) -> None:
        numbers = await node.opened(MATCH, *[DUEL] * 5)
        await node.end(numbers[0]).wait()
        for number in numbers[1:4]:
            await node.end(number, DUEL).wait()

        def void(connection: Connection) -> int:
            return ratings.void(connection, numbers[1], "a bug")

        other = Node(postgresql_place)
        assert await other.database.writer.write(void) == 2
        await asyncio.to_thread(other.database.close)
        for number in numbers[4:]:
            await node.end(number, DUEL).wait()
        shown = read(node.database, ratings.standings, FORMAT)
        anew = read(node.database, ratings.rated_anew, FORMAT)
        assert {(row.bot, row.version): row.rating for row in shown} == anew

    run(postgresql_place, test)
