"""The writer: many pieces of work, few transactions, in order, and everybody is told."""

import asyncio
import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, OperationalError

from paddock_server.store import store
from paddock_server.store.address import CannotOpen
from paddock_server.store.database import Database
from paddock_server.store.rejection import is_rejection
from paddock_server.store.transaction import Transactions
from paddock_server.store.work import Together
from paddock_server.store.writer import Writer
from tests.postgresql import tell
from tests.server.process import patiently
from tests.store.opened import bot, opened, read


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


@pytest.mark.parametrize(("sync", "size"), [(False, 500), (True, 60)])
def test_what_waits_in_a_lane_is_written_in_one_transaction_and_in_order(
    place: str, sync: bool, size: int
) -> None:
    async def test(database: Database) -> None:
        writer = database.writer
        order: list[int] = []
        told: list[int] = []
        gate, done = Gate(writer), asyncio.Event()

        def work(number: int) -> None:
            def tell(result: int) -> None:
                assert threading.current_thread() is threading.main_thread()
                told.append(result)
                if number == size - 1:
                    done.set()

            def do(connection: Connection) -> int:
                order.append(number)
                assert names(database) == []  # through another connection
                store.add_bot(connection, bot(f"{number:03}"))
                return number

            writer.insist(do, tell, sync=sync)

        for number in range(size):
            work(number)
        assert writer.waiting == size
        assert order == told == []
        gate.lift()
        await done.wait()
        assert order == told == list(range(size))
        assert writer.waiting == 0
        assert names(database) == [f"{number:03}" for number in range(size)]

    with opened(place) as database:
        asyncio.run(test(database))


def test_nobody_is_told_before_it_is_committed(place: str) -> None:
    async def test(database: Database, writer: Writer) -> None:
        for number in range(20):
            assert await writer.write(adding(f"{number:02}"))
            assert len(names(database)) == number + 1  # through another connection

    run(place, test)


def test_a_writer_without_work_keeps_nothing_of_the_last(place: str) -> None:
    """Whatever the last work knew of its match would be in memory until the next one."""

    async def test(_database: Database, writer: Writer) -> None:
        work = adding("a")
        last = weakref.ref(work)
        await writer.write(work)
        del work
        async for _ in patiently():
            if last() is None:
                break

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
        writer.insist(late, lambda _: done.set(), sync=True)
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


class SlowDisk:
    """The transactions of a database whose disk is waited for until it is let go."""

    def __init__(self, inner: Transactions) -> None:
        self.inner = inner
        self.waited_for, self.let_go = threading.Event(), threading.Event()
        self.problems: list[Exception] = []  # that it has, one at a time

    @property
    def lost(self) -> bool:
        return self.inner.lost

    @property
    def local(self) -> bool:
        return self.inner.local

    def run(self, do: Callable[[Connection], Any], *, sync: bool) -> Any:
        return self.inner.run(do, sync=sync)

    def run_at_once(self, do: Callable[[Connection], Any]) -> Any:
        return self.inner.run_at_once(do)

    def sync(self) -> None:
        self.waited_for.set()
        self.let_go.wait()
        if self.problems:
            raise self.problems.pop()
        self.inner.sync()

    def beside(self) -> None:
        return None

    def close(self) -> None:
        self.inner.close()


def on_slow_disk(database: Any) -> SlowDisk:
    """Put a slow disk under a database that has no writer yet."""
    disk = database._transactions = SlowDisk(database._transactions)
    return disk


def test_nobody_waits_for_the_disk_but_who_wants_to(place: str) -> None:
    """What was to be synced is told when it is; steps of other matches go on meanwhile."""

    async def main() -> None:
        with opened(place) as database:
            disk, told = on_slow_disk(database), []
            end = asyncio.ensure_future(database.writer.write(adding("end")))
            await asyncio.to_thread(disk.waited_for.wait)
            for number in range(3):
                step = asyncio.Event()
                database.writer.insist(adding(f"{number}"), lambda _, s=step: s.set(), sync=False)  # type: ignore[misc]
                await step.wait()
                told.append(number)
            assert names(database) == ["0", "1", "2", "end"]  # committed, but nobody heard of it
            assert not end.done()
            later = asyncio.ensure_future(database.writer.write(adding("later")))
            await asyncio.sleep(0)
            disk.let_go.set()
            assert await end
            assert await later

    asyncio.run(main())


def test_what_may_not_be_on_the_disk_is_not_done(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paddock_server.store.writer._RETRY_SECONDS", 0.0)

    async def main() -> None:
        with opened(place) as database:
            disk, done, tries = on_slow_disk(database), asyncio.Event(), 0
            disk.let_go.set()
            disk.problems = [OSError("the disk is broken"), OSError("the disk is broken")]
            with pytest.raises(CannotOpen, match="can't be reached now"):
                await database.writer.write(adding("a"))

            def again(_connection: Connection) -> None:
                nonlocal tries
                tries += 1

            database.writer.insist(again, lambda _: done.set(), sync=True)
            await done.wait()
            assert tries == 2

    asyncio.run(main())


def test_work_of_a_kind_is_done_in_one_call(place: str) -> None:
    async def test(database: Database, writer: Writer) -> None:
        calls: list[list[str]] = []

        def add_all(connection: Connection, some: Sequence[str]) -> list[bool]:
            calls.append(list(some))
            return [store.add_bot(connection, bot(name)) for name in some]

        told: list[bool] = []
        gate = Gate(writer)
        for name in ("a", "b", "A"):
            writer.insist(Together(add_all, name), told.append, sync=True)
        between = asyncio.ensure_future(writer.write(adding("c")))
        await asyncio.sleep(0)
        writer.insist(Together(add_all, "d"), told.append, sync=True)
        gate.lift()
        assert await between
        await writer.write(lambda _connection: None)
        assert calls == [["a", "b", "A"], ["d"]]
        assert told == [True, True, False, True]
        assert names(database) == ["a", "b", "c", "d"]

    run(place, test)


def test_work_of_a_kind_that_refuses_fails_alone(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paddock_server.store.writer._RETRY_SECONDS", 0.0)

    async def test(database: Database, writer: Writer) -> None:
        def add_all(connection: Connection, some: Sequence[str]) -> list[bool]:
            if "bad" in some:
                raise KeyError("bad")
            return [store.add_bot(connection, bot(name)) for name in some]

        told: list[bool] = []
        gate, given_up = Gate(writer), asyncio.Event()
        for name in ("a", "bad", "b"):
            writer.insist(
                Together(add_all, name), told.append, sync=True, rejected=lambda _: given_up.set()
            )
        gate.lift()
        await given_up.wait()
        assert told == [True, True]
        assert names(database) == ["a", "b"]

    run(place, test)


def test_sqlite_syncs_the_log_that_it_writes(tmp_path: Path) -> None:
    """Also after the log began anew."""
    file = tmp_path / "synced.db"
    with opened(file) as database:
        transactions: Any = database._transactions
        for number in range(3):
            database.write(adding(f"{number}"), sync=False)
            transactions.sync()
            log = (tmp_path / "synced.db-wal").stat()
            assert os.fstat(transactions._log).st_ino == log.st_ino
            with closing(sqlite3.connect(file)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_OFF = """
DO $$ BEGIN
EXECUTE format('ALTER DATABASE %I SET synchronous_commit TO off', current_database());
END $$
"""


@pytest.mark.parametrize("default", ["on", "off"])
def test_postgresql_has_written_its_log_after_a_sync(postgresql_place: str, default: str) -> None:
    """Whatever the operator has set for the database."""
    if default == "off":
        tell(postgresql_place, _OFF)
    with opened(postgresql_place) as database:
        transactions: Any = database._transactions
        for number in range(5):
            database.write(adding(f"{number}"), sync=False)
            ((before,),) = tell(postgresql_place, "SELECT pg_current_wal_insert_lsn()")
            transactions.sync()
            (written,) = tell(
                postgresql_place, f"SELECT pg_current_wal_flush_lsn() >= '{before}'::pg_lsn"
            )
            assert written == (True,)


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


def rejecting(connection: Connection) -> None:
    """Work that no database takes."""
    connection.exec_driver_sql("INSERT INTO schema_version (version) VALUES (NULL)")


@pytest.mark.parametrize("tries", [1, 3])
def test_what_is_rejected_is_given_up_after_some_tries(
    place: str, monkeypatch: pytest.MonkeyPatch, tries: int
) -> None:
    monkeypatch.setattr("paddock_server.store.writer._RETRY_SECONDS", 0.0)

    async def main() -> None:
        with opened(place) as database:
            writer, begun = database.writer, 0
            given_up: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()

            def do(connection: Connection) -> None:
                nonlocal begun
                begun += 1
                rejecting(connection)

            def done(_: None) -> None:
                raise AssertionError("it was not done")

            writer.insist(do, done, sync=True, rejected=given_up.set_result, tries=tries)
            assert is_rejection(await given_up)
            assert begun == tries
            assert await writer.write(adding("a"))  # others are not concerned

    asyncio.run(main())


@pytest.mark.parametrize(
    "problem",
    [
        OSError("disk"),
        CannotOpen("gone"),
        sqlite3.OperationalError("database or disk is full"),
        OperationalError("", {}, sqlite3.OperationalError("database is locked")),
        OperationalError("", {}, psycopg.OperationalError("the connection is closed")),
        psycopg.errors.DiskFull(),
        psycopg.errors.AdminShutdown(),
        psycopg.InterfaceError("the connection is lost"),
    ],
    ids=repr,
)
def test_a_database_in_trouble_rejects_nothing(problem: Exception) -> None:
    assert not is_rejection(problem)


@pytest.mark.parametrize(
    "problem",
    [
        sqlite3.IntegrityError("NOT NULL"),
        psycopg.errors.UniqueViolation(),
        IntegrityError("", {}, psycopg.errors.CheckViolation()),
        OverflowError("too large"),
        KeyError("a bug"),
    ],
    ids=repr,
)
def test_what_would_fail_again_is_a_rejection(problem: Exception) -> None:
    assert is_rejection(problem)
