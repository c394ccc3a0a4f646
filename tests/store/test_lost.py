"""A PostgreSQL server that cuts the writer off: nothing is lost, nothing is written twice."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from paddock_server.referee.events import Dealt
from paddock_server.store import store
from paddock_server.store.address import CannotOpen
from paddock_server.store.database import Database
from paddock_server.store.on_postgresql import _LOCK
from paddock_server.store.rows import JournalRow
from paddock_server.store.writer import Writer
from paddock_server.tables.journal import Journal
from tests.postgresql import tell
from tests.store.opened import bot, new_match, opened, read

DEALT = Dealt(["00" * 16])
Test = Callable[[Database, Writer], Coroutine[Any, Any, None]]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a lock, or before trying again."""
    monkeypatch.setattr("paddock_server.store.on_postgresql._LOCK_WAIT", "1ms")
    monkeypatch.setattr("paddock_server.store.writer._RETRY_SECONDS", 0.0)


def run(place: str, test: Test) -> None:
    """Run this with a database and its writer, on an event loop."""

    async def main() -> None:
        with opened(place) as database:
            await test(database, database.writer)

    asyncio.run(main())


def backend(connection: Connection) -> int:
    """Who serves the connection."""
    return int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())


def cut(place: str, pid: int) -> None:
    """End a connection from the other side, and wait until it is gone."""
    assert tell(place, f"SELECT pg_terminate_backend({pid}, 60000)") == [(True,)]


def adding(name: str) -> Callable[[Connection], bool]:
    return lambda connection: store.add_bot(connection, bot(name))


def names(database: Database) -> list[str]:
    return [row.name for row in read(database, store.list_bots, "", 100)]


def test_a_connection_that_was_cut_is_replaced(postgresql_place: str) -> None:
    async def test(database: Database, writer: Writer) -> None:
        for number in range(3):
            before = await writer.write(backend)
            cut(postgresql_place, before)
            assert await writer.write(adding(f"{number}"))
            assert await writer.write(backend) != before
        assert names(database) == ["0", "1", "2"]
        with pytest.raises(CannotOpen, match="in use by another Paddock"):
            Database(postgresql_place)  # the new connection has the lock

    run(postgresql_place, test)


def test_nothing_is_told_that_a_crash_may_have_taken(postgresql_place: str) -> None:
    """The connection that waits for the disk was cut as well, so nobody can know."""

    async def test(_database: Database, writer: Writer) -> None:
        mine = await writer.write(backend)
        others = "datname = current_database() AND backend_type = 'client backend'"

        def cut_others(connection: Connection) -> None:
            connection.exec_driver_sql(
                f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "  # noqa: S608
                f"WHERE {others} AND pid != pg_backend_pid()"
            )

        with pytest.raises(CannotOpen, match="can't be reached now"):
            await writer.write(cut_others)
        assert await writer.write(backend) != mine  # both connections are new
        assert await writer.write(adding("a"))

    run(postgresql_place, test)


def test_readers_that_were_cut_are_replaced(postgresql_place: str) -> None:
    with opened(postgresql_place) as database:
        for _ in range(3):
            cut(postgresql_place, database.look(backend))
        assert names(database) == []


def test_a_group_that_was_cut_half_way_is_written_whole_and_once(postgresql_place: str) -> None:
    async def test(database: Database, writer: Writer) -> None:
        cuts: list[int] = []

        def half(connection: Connection) -> bool:
            done = store.add_bot(connection, bot("half"))
            if not cuts:
                cuts.append(backend(connection))
                cut(postgresql_place, cuts[0])
            connection.exec_driver_sql("SELECT 1")
            return done

        works = [adding("a"), half, adding("b")]
        assert await asyncio.gather(*map(writer.write, works)) == [True, True, True]
        assert names(database) == ["a", "b", "half"]

    run(postgresql_place, test)


def test_a_commit_that_was_cut_fails_and_what_follows_does_not(postgresql_place: str) -> None:
    """Nobody knows whether it took place, so it is not for the writer to do it again."""

    async def test(database: Database, writer: Writer) -> None:
        tries = []

        def last(connection: Connection) -> None:
            tries.append(backend(connection))
            if len(tries) == 1:
                cut(postgresql_place, tries[0])

        both = await asyncio.gather(
            writer.write(adding("a")), writer.write(last), return_exceptions=True
        )
        assert all(isinstance(problem, CannotOpen) for problem in both)
        assert len(tries) == 1
        assert await writer.write(adding("b"))
        assert names(database) == ["b"]

    run(postgresql_place, test)


def test_the_journal_goes_on_when_a_commit_was_cut(
    postgresql_place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(database: Database, writer: Writer) -> None:
        (number,) = await writer.write(lambda c: store.add_matches(c, [new_match()]))
        append, told = store.append, asyncio.Event()
        cuts: list[int] = []

        def cut_off(connection: Connection, events: Any) -> None:
            append(connection, events)
            if not cuts:
                cuts.append(backend(connection))
                cut(postgresql_place, cuts[0])

        monkeypatch.setattr(store, "append", cut_off)
        Journal(database).append(JournalRow(number, 0, DEALT), told.set)
        await told.wait()
        (left,) = await database.read(store.unfinished)
        assert (len(cuts), left.events) == (1, [DEALT])

    run(postgresql_place, test)


def test_matches_stand_still_while_the_server_is_gone(
    postgresql_place: str, postgresql_server: str, caplog: pytest.LogCaptureFixture
) -> None:
    name = make_url(postgresql_place).database

    def allow(how: str) -> None:
        tell(postgresql_server, f"ALTER DATABASE {name} ALLOW_CONNECTIONS {how}")

    async def test(database: Database, writer: Writer) -> None:
        (number,) = await writer.write(lambda c: store.add_matches(c, [new_match()]))
        serving = await writer.write(backend)
        told = asyncio.Event()
        allow("false")
        try:
            assert tell(postgresql_server, f"SELECT pg_terminate_backend({serving}, 60000)")
            both = await asyncio.gather(
                writer.write(adding("a")), writer.write(adding("b")), return_exceptions=True
            )
            causes = [problem.__cause__ for problem in both if isinstance(problem, CannotOpen)]
            assert causes[0] is causes[1]  # of one group, which was not tried piece by piece
            assert "not currently accepting connections" in str(causes[0])
            Journal(database).append(JournalRow(number, 0, DEALT), told.set)
            for _ in range(3):
                with pytest.raises(CannotOpen, match="can't be reached now"):
                    await writer.write(adding("c"))
            assert not told.is_set()
        finally:
            allow("true")
        await told.wait()
        assert await writer.write(adding("d"))
        assert names(database) == ["d"]
        (left,) = await database.read(store.unfinished)
        assert left.events == [DEALT]

    run(postgresql_place, test)
    assert "write failed and will be tried again: connection failed" in caplog.text
    assert "\n" not in "".join(record.getMessage() for record in caplog.records)


def test_who_took_the_lock_meanwhile_is_respected(postgresql_place: str) -> None:
    async def test(_database: Database, writer: Writer) -> None:
        before = await writer.write(backend)
        with psycopg.connect(postgresql_place, autocommit=True) as other:
            cut(postgresql_place, before)
            other.execute(f"SELECT pg_advisory_lock({_LOCK})".encode())
            for _ in range(2):
                with pytest.raises(CannotOpen, match="in use by another Paddock"):
                    await writer.write(adding("a"))
            other.execute(f"SELECT pg_advisory_unlock({_LOCK})".encode())
            assert await writer.write(adding("b"))

    run(postgresql_place, test)


def test_a_read_that_is_cut_off_says_that_the_database_is_away(postgresql_place: str) -> None:
    def cut_myself(connection: Connection) -> None:
        connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")

    async def test(database: Database, _writer: Writer) -> None:
        with pytest.raises(CannotOpen, match="can't be reached now; try again soon") as away:
            await database.read(cut_myself)
        assert away.value.reason == "database/unusable"
        assert await database.read(store.list_bots, "", 100) == []

    run(postgresql_place, test)
