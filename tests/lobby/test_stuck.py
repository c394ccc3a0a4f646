"""Matches that the database does not take: set aside with their reason, while all others go on."""

import asyncio

import pytest
from sqlalchemy import Connection, text

from paddock_server.store import ratings, store
from paddock_server.store.rows import MatchFilter, MatchRow
from tests.lobby.playing import PATIENT, Bot, Finished, Rooms, running, settled

# Databases that do not take the end of a match of this version, and what puts them right.
POISON = {
    "sqlite": (
        """CREATE TRIGGER poison BEFORE UPDATE ON seats WHEN NEW.version = 'poison'
            BEGIN SELECT RAISE(ABORT, 'poisoned'); END""",
        "DROP TRIGGER poison",
    ),
    "postgresql": (
        "ALTER TABLE seats ADD CONSTRAINT poison CHECK (version != 'poison')",
        "ALTER TABLE seats DROP CONSTRAINT poison",
    ),
}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be written is tried again without a pause."""
    monkeypatch.setattr("paddock_server.store.writer._RETRY_SECONDS", 0.0)


async def stuck(rooms: Rooms, count: int = 1) -> list[MatchRow]:
    """The matches that were set aside, when there are so many."""
    while True:
        found = await rooms.database.read(store.list_matches, None, 99, MatchFilter("stuck"))
        if len(found) >= count:
            return found
        await settled(rooms.database)


async def do(rooms: Rooms, statement: str) -> None:
    """Have the database do this."""

    def work(connection: Connection) -> None:
        connection.execute(text(statement))

    await rooms.database.writer.write(work)


def test_a_match_that_can_not_be_stored_is_set_aside_and_can_be_retried(place: str) -> None:
    poison, cure = POISON["postgresql" if "://" in place else "sqlite"]

    async def play() -> str:
        async with running(place, PATIENT) as rooms:
            await do(rooms, poison)
            done = Finished(rooms.tables)
            ada = Bot(rooms, "ada", version="poison")
            bob, cyd = Bot(rooms, "bob"), Bot(rooms, "cyd")
            (bad,) = await rooms.lobby.add_matches("two-player", ["ada", "bob"])
            good = await rooms.lobby.add_matches("two-player", ["bob", "cyd"], 3)
            await done.wait(3)  # everybody else goes on
            (row,) = await stuck(rooms)
            assert row.id == bad
            assert row.void.startswith("the server could not store it: ")
            assert row.void.isprintable()
            await rooms.tables.drained()
            await settled(rooms.database)
            for bot in (ada, bob):
                (ended,) = [each for each in bot.heard("match_ended") if each.void_reason]
                assert (ended.match_id, ended.void_reason) == (bad, row.void)
                assert [seat.rank for seat in ended.seats] != [0, 0]  # it was played to the end
            assert not any(each.void_reason for each in cyd.heard("match_ended"))
            assert b"paddock_stuck_matches 1.0" in rooms.metrics.text()
            assert rooms.lobby.open_matches_of("ada") == rooms.lobby.open_matches_of("bob") == 0
            rated = await rooms.database.read(ratings.count_rated, "two-player")
            assert rated == len(good)
            return bad

    async def later(bad: str) -> None:
        async with running(place, PATIENT) as rooms:
            assert len(rooms.tables) == 0  # a restart leaves it alone
            assert b"paddock_stuck_matches 1.0" in rooms.metrics.text()
            done = Finished(rooms.tables)
            assert await rooms.lobby.retry(bad)
            assert (await stuck(rooms))[0].id == bad  # it is as bad as before
            await rooms.tables.drained()
            await do(rooms, cure)
            assert await rooms.lobby.retry(bad)
            assert not await rooms.lobby.retry(bad)
            (record,) = await done.wait(1)
            assert record["match"] == bad
            found = await rooms.database.read(store.find_match, bad)
            assert found is not None
            assert (found[0].state, found[0].void) == ("finished", "")
            assert b"paddock_stuck_matches 0.0" in rooms.metrics.text()

    asyncio.run(later(asyncio.run(play())))


def test_a_match_that_can_not_begin_waits_when_it_is_retried(place: str) -> None:
    async def play() -> None:
        async with running(place, PATIENT) as rooms:
            (match_id,) = await rooms.lobby.add_matches("two-player", ["ada", "bob"])
            await do(rooms, "ALTER TABLE matches RENAME COLUMN opening TO closing")
            Bot(rooms, "ada")
            bob = Bot(rooms, "bob")
            while rooms.lobby.open_matches_of("ada"):
                await settled(rooms.database)
            await do(rooms, "ALTER TABLE matches RENAME COLUMN closing TO opening")
            (row,) = await stuck(rooms)
            assert (row.id, row.begun) == (match_id, None)
            assert not bob.heard("match_started")
            done = Finished(rooms.tables)
            assert await rooms.lobby.retry(row.id)
            await done.wait(1)

    asyncio.run(play())


def test_a_match_that_fails_by_itself_is_set_aside_as_well(place: str) -> None:
    async def play() -> None:
        async with running(place, PATIENT) as rooms:
            done = Finished(rooms.tables)
            Bot(rooms, "ada", version="\ud800")  # which can't be sent to anybody
            Bot(rooms, "bob")
            Bot(rooms, "cyd")
            (bad,) = await rooms.lobby.add_matches("two-player", ["ada", "bob"])
            await rooms.lobby.add_matches("two-player", ["bob", "cyd"], 2)
            await done.wait(2)
            (row,) = await stuck(rooms)
            assert (row.id, row.void) == (
                bad, "the server failed while it was played: UnicodeEncodeError",
            )  # fmt: skip
            await rooms.tables.drained()

    asyncio.run(play())
