"""The writer: many pieces of work, few transactions, in order, and everybody is told."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import Connection

from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.writer import Writer
from tests.store.opened import bot, opened, read, waits_for_disk

Told = list[tuple[Any, BaseException | None]]


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
        writer.submit(self._stand, lambda _result, _problem: None, sync=False)
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
            def tell(result: int, problem: BaseException | None) -> None:
                assert problem is None
                assert threading.current_thread() is threading.main_thread()
                told.append(result)
                if number == 499:
                    done.set()

            def do(connection: Connection) -> int:
                order.append(number)
                assert names(database) == []  # through another connection
                store.add_bot(connection, bot(f"{number:03}"))
                return number

            writer.submit(do, tell, sync=number % 100 == 0)

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


def test_what_the_database_refuses_fails_alone(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
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
    assert "a write failed" in caplog.text


def test_close_writes_what_waits(place: str) -> None:
    async def test(database: Database, writer: Writer) -> None:
        gate = Gate(writer)
        told: Told = []
        for number in range(50):
            writer.submit(adding(f"{number:02}"), lambda *how: told.append(how), sync=False)
        gate.lift()
        writer.close()
        assert len(names(database)) == 50
        await asyncio.sleep(0)
        assert told == [(True, None)] * 50

    run(place, test)


def test_the_loop_may_be_gone_when_the_writer_is_done(place: str) -> None:
    told: Told = []
    with opened(place) as database:

        async def leave() -> Gate:
            gate = Gate(database.writer)
            database.writer.submit(adding("a"), lambda *how: told.append(how), sync=True)
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

            def tell(
                result: Any,
                _problem: BaseException | None,
                found: list[Any] = found,
                done: asyncio.Event = done,
            ) -> None:
                found.append(result)
                if len(found) == len(syncs):
                    done.set()

            for sync in syncs:
                writer.submit(waits_for_disk, tell, sync=sync)
            gate.lift()
            await done.wait()
            assert found == [any(syncs)] * len(syncs)

    run(place, test)


def test_who_fails_at_being_told_keeps_nobody_from_it(place: str) -> None:
    async def test(_database: Database, writer: Writer) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _what: None)
        gate, failed = Gate(writer), asyncio.Event()
        told: Told = []

        def fail(_result: Any, _problem: BaseException | None) -> None:
            failed.set()
            raise RuntimeError("a table in trouble")

        writer.submit(adding("a"), fail, sync=False)
        writer.submit(adding("b"), lambda *how: told.append(how), sync=False)
        gate.lift()
        await failed.wait()
        assert await writer.write(adding("c"))  # of a later group, so all are told by now
        assert told == [(True, None)]

    run(place, test)
