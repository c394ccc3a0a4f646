"""The journal: what all tables write in one turn of the loop is one write, told to each of them."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from paddock_server.referee.result import SeatResult
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import JournalRow
from paddock_server.tables.journal import Journal
from paddock_server.tables.notices import Finished
from tests.store.opened import begun, new_match, opened, plan, played_match, stepped

ENDED = "2027-01-01T00:00:00.000Z"
PLAYED = played_match(ended=ENDED)
RESULTS = [SeatResult(bot, "", 1, 1, forfeit=False, faults=0) for bot in plan().bots]
Test = Callable[[Database, Journal, list[int]], Coroutine[Any, Any, None]]


def run(path: Path, test: Test, matches: int = 3) -> None:
    """Run this with a journal on a database in which so many matches are open."""

    async def main() -> None:
        with opened(path / "journal.db") as database:
            new = [new_match(f"M{number}") for number in range(matches)]
            numbers = await database.writer.write(lambda c: store.add_matches(c, new))
            await test(database, Journal(database), numbers)

    asyncio.run(main())


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be written is tried again without a pause."""
    monkeypatch.setattr("paddock_server.store.writer._RETRY_SECONDS", 0.0)


async def settled(database: Database) -> None:
    """All that was under way is through, retries included."""
    for _ in range(30):
        with suppress(SQLAlchemyError):  # of a group that fails
            await database.writer.write(lambda _connection: None)


async def journalled(database: Database) -> list[Any]:
    """What a restart would find, by match."""
    return [list(left.events) for left in await database.read(store.unfinished)]


def test_one_turn_of_the_loop_is_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append, appended = store.append, []

    def count(*arguments: Any) -> None:
        appended.append(arguments)
        append(*arguments)

    monkeypatch.setattr(store, "append", count)

    async def test(database: Database, journal: Journal, numbers: list[int]) -> None:
        told: list[tuple[int, int]] = []
        for position in range(3):
            for number in numbers:
                done = (position, number)
                journal.append(
                    JournalRow(number, position, stepped(position)), partial(told.append, done)
                )
            assert told == [(p, n) for p in range(position) for n in numbers]
            await settled(database)
        assert told == [(position, number) for position in range(3) for number in numbers]
        assert len(appended) == 3
        assert await journalled(database) == [[stepped(position) for position in range(3)]] * 3

    run(tmp_path, test)


def test_nobody_is_told_before_it_is_durable(tmp_path: Path) -> None:
    async def test(database: Database, journal: Journal, numbers: list[int]) -> None:
        found: list[Any] = []
        done = asyncio.Event()

        def look() -> None:
            with database.engine.connect() as connection:
                found.append(store.unfinished(connection)[0].events)
            done.set()

        journal.append(JournalRow(numbers[0], 0, stepped(0)), look)
        await done.wait()
        assert found == [[stepped(0)]]

    run(tmp_path, test)


@pytest.mark.parametrize("failures", [1, 4])
def test_what_could_not_be_written_is_tried_until_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """A full disk: matches stand still, and go on when it is over; nothing is told twice."""

    async def test(database: Database, journal: Journal, numbers: list[int]) -> None:
        left = [failures]

        def full(*arguments: Any) -> None:
            if left[0]:
                left[0] -= 1
                raise OperationalError("INSERT", None, Exception("disk is full"))
            append(*arguments)

        append = store.append
        monkeypatch.setattr(store, "append", full)
        told: list[int] = []
        for number in numbers:
            journal.append(JournalRow(number, 0, stepped(number)), partial(told.append, number))
        await settled(database)
        assert told == numbers
        assert left == [0]
        assert await journalled(database) == [[stepped(number)] for number in numbers]

    run(tmp_path, test)


def test_a_finished_match_is_stored_and_its_journal_gone(tmp_path: Path) -> None:
    async def test(database: Database, journal: Journal, numbers: list[int]) -> None:
        told: list[str] = []
        journal.open(numbers[0], plan(), begun(plan()), partial(told.append, "open"))
        journal.append(JournalRow(numbers[0], 0, stepped(0)), partial(told.append, "append"))
        await settled(database)
        finished = Finished(numbers[0], "M0", plan(rated=True), RESULTS, PLAYED)
        ends: list[Finished] = []
        journal.finish(finished, ends.append)
        await settled(database)
        assert told == ["open", "append"]
        (end,) = ends
        assert end._replace(changes=()) == finished
        assert len(end.changes) == 3
        found = await database.read(store.find_match, "M0")
        assert found is not None
        assert found[0][3:8] == ("finished", plan(), begun(plan()), "2026", ENDED)
        assert await journalled(database) == [[], []]

    run(tmp_path, test)


def test_a_table_in_trouble_keeps_no_other_from_going_on(tmp_path: Path) -> None:
    async def test(database: Database, journal: Journal, numbers: list[int]) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _what: None)
        told: list[int] = []

        def trouble() -> None:
            raise RuntimeError("a bug at this table")

        journal.append(JournalRow(numbers[0], 0, stepped(0)), trouble)
        journal.append(JournalRow(numbers[1], 0, stepped(0)), partial(told.append, 1))
        await settled(database)
        assert told == [1]

    run(tmp_path, test)


def test_an_event_that_cannot_be_written_holds_up_its_own_match_alone(tmp_path: Path) -> None:
    """Such as one that was written, though the database said that it was not."""

    async def test(database: Database, journal: Journal, numbers: list[int]) -> None:
        def before(connection: Connection) -> None:
            store.append(connection, [JournalRow(numbers[0], 0, stepped(0))])

        await database.writer.write(before)
        told: list[int] = []
        journal.append(JournalRow(numbers[0], 0, stepped(1)), lambda: None)
        journal.append(JournalRow(numbers[1], 0, stepped(0)), partial(told.append, 1))
        await settled(database)
        assert told == [1]

    run(tmp_path, test)
