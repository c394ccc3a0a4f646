"""Brief work: done at once on the event loop where nobody has to wait, and else by the thread."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.writer import Writer
from tests.store.opened import bot, opened, read

LOOP = threading.main_thread().name
THREAD = "writer"


def run(place: str, test: Callable[[Database, Writer], Coroutine[Any, Any, None]]) -> None:
    """Run this with a database and its writer, on an event loop."""

    async def main() -> None:
        with opened(place) as database:
            await test(database, database.writer)

    asyncio.run(main())


def insisted(writer: Writer, name: str, *, brief: bool = True) -> asyncio.Future[str]:
    """Add a bot; the name of the thread that did it, once that is told."""
    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def add(connection: Connection) -> str:
        store.add_bot(connection, bot(name))
        return threading.current_thread().name

    writer.insist(add, told.set_result, sync=False, brief=brief)
    return told


def names(database: Database) -> list[str]:
    return [row.name for row in read(database, store.list_bots, "", 10_000)]


def test_brief_work_is_done_at_once_and_told_later(tmp_path: Path) -> None:
    async def test(database: Database, writer: Writer) -> None:
        told = insisted(writer, "brief")
        assert names(database) == ["brief"]
        assert not told.done()
        assert await told == LOOP
        assert await insisted(writer, "other", brief=False) == THREAD

    run(str(tmp_path / "paddock.db"), test)


def test_no_brief_work_waits_for_a_server(postgresql_place: str) -> None:
    async def test(database: Database, writer: Writer) -> None:
        assert await insisted(writer, "brief") == THREAD
        assert names(database) == ["brief"]

    run(postgresql_place, test)


def test_brief_work_waits_its_turn_behind_other_work(tmp_path: Path) -> None:
    async def test(database: Database, writer: Writer) -> None:
        reached, let_go = threading.Event(), threading.Event()

        def stand(_connection: Connection) -> None:
            reached.set()
            let_go.wait()

        writer.submit(stand, sync=False)
        reached.wait()
        behind = [insisted(writer, f"behind-{number}") for number in range(3)]
        assert names(database) == []
        let_go.set()
        assert set(await asyncio.gather(*behind)) == {THREAD}
        # It is the thread that told, so it may still be about to look for more work.
        async with asyncio.timeout(60):
            while await insisted(writer, f"again-{len(names(database))}") != LOOP:
                pass

    run(str(tmp_path / "paddock.db"), test)


def test_only_a_few_pieces_are_done_at_once_in_a_turn(tmp_path: Path) -> None:
    """A hundred matches may begin in one turn of the event loop, which others wait for."""

    async def test(database: Database, writer: Writer) -> None:
        told = [insisted(writer, f"bot-{number:02}") for number in range(30)]
        threads = await asyncio.gather(*told)
        assert 0 < threads.count(LOOP) < 10
        assert threads.count(LOOP) + threads.count(THREAD) == 30
        assert len(names(database)) == 30
        assert await insisted(writer, "later") in (LOOP, THREAD)

    run(str(tmp_path / "paddock.db"), test)


def test_nothing_that_is_to_be_synced_is_done_at_once(tmp_path: Path) -> None:
    async def test(_database: Database, writer: Writer) -> None:
        told: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def name(_connection: Connection) -> str:
            return threading.current_thread().name

        writer.insist(name, told.set_result, sync=True, brief=True)
        assert await told == THREAD

    run(str(tmp_path / "paddock.db"), test)


def test_another_program_that_writes_does_not_stop_the_event_loop(tmp_path: Path) -> None:
    file = tmp_path / "paddock.db"

    async def test(database: Database, writer: Writer) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            told = insisted(writer, "brief")  # would wait ten seconds here
            assert not told.done()
            other.execute("ROLLBACK")
        assert await told == THREAD
        assert names(database) == ["brief"]

    run(str(file), test)


def test_the_thread_has_its_turn_and_keeps_the_log_short(tmp_path: Path) -> None:
    """Only the thread copies the log to its place, so nothing may keep it from that for ever."""
    file = tmp_path / "paddock.db"
    row = b"x" * 40_000  # ten pages

    async def test(_database: Database, writer: Writer) -> None:
        def note(connection: Connection) -> str:
            connection.exec_driver_sql("INSERT INTO notes (text) VALUES (?)", (row,))
            return threading.current_thread().name

        def make(connection: Connection) -> None:
            connection.exec_driver_sql("CREATE TABLE notes (text BLOB)")

        await writer.write(make)
        threads = []
        for _ in range(3000):
            told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            writer.insist(note, told.set_result, sync=False, brief=True)
            threads.append(await told)
        assert threads.count(LOOP) > 2000
        assert threads.count(THREAD) >= 2
        assert file.with_name(f"{file.name}-wal").stat().st_size < len(row) * 2000

    run(str(file), test)


def test_brief_work_that_fails_is_tried_by_the_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paddock_server.store.writer._RETRY_SECONDS", 0.0)

    async def test(_database: Database, writer: Writer) -> None:
        tried: list[str] = []
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def fail_twice(connection: Connection) -> None:
            tried.append(threading.current_thread().name)
            store.add_bot(connection, bot("half"))
            if len(tried) < 3:
                raise OSError("the disk is full")

        writer.insist(fail_twice, told.set_result, sync=False, brief=True)
        await told
        assert tried[:2] == [LOOP, THREAD]
        assert len(tried) == 3

    run(str(tmp_path / "paddock.db"), test)
