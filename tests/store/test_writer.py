"""The writer: many pieces of work, few transactions, in order, and everybody is told."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.writer import Writer
from tests.store.opened import bot, opened, read, waits_for_disk


def run(place: str, test: Callable[[Database, Writer], Coroutine[Any, Any, None]]) -> None:
    """Run this with a database and its writer, on an event loop."""

    async def main() -> None:
        with opened(place) as database:
            await test(database, database.writer)

    asyncio.run(main())


class Gate:
    """Work at which the writer stands still until it is let through, so that others must wait."""

    def __init__(self, writer: Writer) -> None:
        self._open, self._reached = threading.Event(), threading.Event()
        writer.submit(self._stand, sync=False)
        self._reached.wait()

    def _stand(self, _connection: Connection) -> None:
        self._reached.set()
        self._open.wait()

    def lift(self) -> None:
        """Let the writer go on."""
        self._open.set()


def adding(name: str, **values: Any) -> Callable[[Connection], bool]:
    """Work that adds a bot of this name."""
    return lambda connection: store.add_bot(connection, bot(name, **values))


def names(database: Database) -> list[str]:
    return [row.name for row in read(database, store.list_bots, "", 10_000)]


def test_what_waits_is_written_in_one_transaction_and_in_order(place: str) -> None:
    async def test(database: Database) -> None:
        writer = database.writer
        order: list[int] = []
        told: list[int] = []
        gate, done = Gate(writer), asyncio.Event()

        def work(number: int) -> None:
            def tell(result: int) -> None:
                assert threading.current_thread() is threading.main_thread()
                told.append(result)
                if number == 499:
                    done.set()

            def do(connection: Connection) -> int:
                order.append(number)
                assert names(database) == []  # through another connection
                store.add_bot(connection, bot(f"{number:03}"))
                return number

            writer.insist(do, tell, sync=number % 100 == 0)

        for number in range(500):
            work(number)
        assert writer.waiting == 500
        assert order == told == []
        gate.lift()
        await done.wait()
        assert order == told == list(range(500))
        assert writer.waiting == 0
        assert names(database) == [f"{number:03}" for number in range(500)]

    with opened(place) as database:
        asyncio.run(test(database))


def test_nobody_is_told_before_it_is_committed(place: str) -> None:
    async def test(database: Database, writer: Writer) -> None:
        for number in range(20):
            assert await writer.write(adding(f"{number:02}"))
            assert len(names(database)) == number + 1  # through another connection

    run(place, test)


@pytest.mark.parametrize("problem", [ValueError("no"), LookupError("no"), KeyError("no")])
def test_work_that_refuses_fails_alone(place: str, problem: Exception) -> None:
    def refuse(_connection: Connection) -> bool:
        raise problem

    async def test(database: Database, writer: Writer) -> None:
        gate = Gate(writer)
        works = [adding("a"), refuse, adding("b"), refuse, adding("c")]
        waiting = asyncio.gather(*map(writer.write, works), return_exceptions=True)
        await asyncio.sleep(0)
        assert writer.waiting == 5  # all in the same group
        gate.lift()
        assert await waiting == [True, problem, True, problem, True]
        assert names(database) == ["a", "b", "c"]

    run(place, test)


def test_work_that_refuses_half_way_leaves_nothing_behind(place: str) -> None:
    def half(connection: Connection) -> None:
        store.add_bot(connection, bot("half"))
        raise ValueError("and then something is wrong")

    async def test(database: Database, writer: Writer) -> None:
        gate = Gate(writer)
        works: list[Callable[[Connection], Any]] = [adding("a"), half, adding("b")]
        waiting = asyncio.gather(*map(writer.write, works), return_exceptions=True)
        await asyncio.sleep(0)
        gate.lift()
        first, problem, last = await waiting
        assert isinstance(problem, ValueError)
        assert first is last is True
        assert names(database) == ["a", "b"]

    run(place, test)


def test_what_the_database_refuses_fails_alone(place: str) -> None:
    def broken(connection: Connection) -> None:
        connection.exec_driver_sql("INSERT INTO nowhere VALUES (1)")

    async def test(database: Database, writer: Writer) -> None:
        gate = Gate(writer)
        works: list[Callable[[Connection], Any]] = [adding("a"), broken, adding("b")]
        waiting = asyncio.gather(*map(writer.write, works), return_exceptions=True)
        await asyncio.sleep(0)
        gate.lift()
        first, problem, last = await waiting
        assert "nowhere" in str(problem)
        assert first is last is True
        assert names(database) == ["a", "b"]
        assert await writer.write(adding("later"))  # and it goes on
        assert names(database) == ["a", "b", "later"]

    run(place, test)


@pytest.mark.parametrize("problem", [KeyError("a bug"), OperationalError("", None, Exception())])
def test_what_is_insisted_on_is_tried_until_it_is_done(
    place: str,
    problem: Exception,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It fails alone meanwhile; a bug of ours is logged with its traceback."""
    monkeypatch.setattr("paddock_server.store.writer._RETRY_SECONDS", 0.0)
    tries: list[int] = []

    def late(connection: Connection) -> bool:
        tries.append(1)
        if len(tries) < 6:
            raise problem
        return store.add_bot(connection, bot("late"))

    async def test(database: Database, writer: Writer) -> None:
        gate, done = Gate(writer), asyncio.Event()
        writer.insist(late, lambda _: done.set(), sync=False)
        other = asyncio.ensure_future(writer.write(adding("other")))
        await asyncio.sleep(0)
        gate.lift()
        assert await other
        assert names(database) == ["other"]
        await done.wait()
        assert names(database) == ["late", "other"]

    run(place, test)
    assert "write failed and will be tried again" in caplog.text
    assert ("Traceback" in caplog.text) == isinstance(problem, KeyError)


def test_what_nobody_waits_for_is_tried_once_and_its_failure_logged(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[int] = []

    def broken(_connection: Connection) -> None:
        tries.append(1)
        raise KeyError("a bug")

    async def test(_database: Database, writer: Writer) -> None:
        writer.submit(broken, sync=False)
        await writer.write(lambda _connection: None)
        await writer.write(lambda _connection: None)

    run(place, test)
    assert "write failed: 'a bug'" in caplog.text
    assert "Traceback" in caplog.text


def test_close_writes_what_waits(place: str) -> None:
    async def test(database: Database, writer: Writer) -> None:
        gate = Gate(writer)
        told: list[bool] = []
        for number in range(50):
            writer.insist(adding(f"{number:02}"), told.append, sync=False)
        gate.lift()
        writer.close()
        assert len(names(database)) == 50
        await asyncio.sleep(0)
        assert told == [True] * 50

    run(place, test)


def test_the_loop_may_be_gone_when_the_writer_is_done(place: str) -> None:
    told: list[bool] = []
    with opened(place) as database:

        async def leave() -> Gate:
            gate = Gate(database.writer)
            database.writer.insist(adding("a"), told.append, sync=True)
            return gate

        asyncio.run(leave()).lift()
        database.close()
        assert names(database) == ["a"]
    assert told == []


def test_who_stops_waiting_does_not_stop_the_work(place: str) -> None:
    async def test(database: Database, writer: Writer) -> None:
        gate = Gate(writer)
        impatient = asyncio.ensure_future(writer.write(adding("a")))
        await asyncio.sleep(0)
        impatient.cancel()
        gate.lift()
        assert await writer.write(adding("b"))
        assert impatient.cancelled()
        assert names(database) == ["a", "b"]

    run(place, test)


@pytest.mark.parametrize("syncs", [[False], [True], [False, True, False], [False] * 3])
def test_the_disk_is_waited_for_where_anybody_in_the_group_asks(
    place: str, syncs: list[bool]
) -> None:
    async def test(_database: Database, writer: Writer) -> None:
        for _ in range(2):  # the group before leaves nothing behind
            gate, done = Gate(writer), asyncio.Event()
            found: list[Any] = []

            def tell(result: Any, found: list[Any] = found, done: asyncio.Event = done) -> None:
                found.append(result)
                if len(found) == len(syncs):
                    done.set()

            for sync in syncs:
                writer.insist(waits_for_disk, tell, sync=sync)
            gate.lift()
            await done.wait()
            assert found == [any(syncs)] * len(syncs)

    run(place, test)


def test_who_fails_at_being_told_keeps_nobody_from_it(place: str) -> None:
    async def test(_database: Database, writer: Writer) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _what: None)
        gate, failed = Gate(writer), asyncio.Event()
        told: list[bool] = []

        def fail(_result: bool) -> None:
            failed.set()
            raise RuntimeError("a table in trouble")

        writer.insist(adding("a"), fail, sync=False)
        writer.insist(adding("b"), told.append, sync=False)
        gate.lift()
        await failed.wait()
        assert await writer.write(adding("c"))  # of a later group, so all are told by now
        assert told == [True]

    run(place, test)
