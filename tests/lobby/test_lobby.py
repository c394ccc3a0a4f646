"""Matches from being asked for to being stored, with bots that come, go, cheat and fail."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paddock_games import verify
from paddock_games.record import read_record
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.store import store
from tests.lobby.playing import HASTY, PATIENT, Bot, Finished, Rooms, running, settled
from tests.store.opened import bot as bot_row


async def stored(rooms: Rooms) -> list[Any]:
    """All matches there are, the oldest first, each with its record."""
    rows = await rooms.database.read(store.list_matches, None, 100)
    return [await rooms.database.read(store.find_match, row.id) for row in reversed(rows)]


async def check_stored(rooms: Rooms, count: int) -> None:
    """So many matches are finished, nothing else is there, and every record is right."""
    found = await stored(rooms)
    assert [row.state for row, _ in found] == ["finished"] * count
    for row, record in found:
        match = verify(read_record(record)).match
        assert match.id == row.id
        assert [seat.rank for seat in row.results] == json.loads(record)["ranks"]
    assert await rooms.database.read(store.unfinished) == []


def test_matches_are_played_when_their_bots_are_there_and_have_room(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT) as rooms:
            done = Finished(rooms.tables)
            ids = await rooms.lobby.add_matches("two-player", ["rex", "bob"], 6)
            most = 0

            def answer(_ask: Any) -> int:
                nonlocal most
                most = max(most, rooms.lobby.open_matches_of("rex"))
                return 0

            rex = Bot(rooms, "rex", most=2, answers=answer, nonces=True)
            await settled(rooms.database)
            assert not rooms.tables
            bob = Bot(rooms, "bob")
            await done.wait(6)
            assert most == 2
            for bot in (rex, bob):
                assert sorted(end.match_id for end in bot.heard("match_ended")) == sorted(ids)
                assert {start.match_id for start in bot.heard("match_started")} == set(ids)
                assert not bot.heard("refused")
            # Who fills the first seat changes from match to match.
            assert [start.seat for start in rex.heard("match_started")] == [0, 1] * 3
            for record in done.records:
                nonces = {seat["bot"]: seat["nonce"] for seat in record["seats"]}
                assert nonces == {"rex": b"n".hex() * 16, "bob": bytes(16).hex()}
            await check_stored(rooms, 6)

    asyncio.run(main())


def test_a_format_that_a_bot_does_not_play_waits(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT) as rooms:
            done = Finished(rooms.tables)
            await rooms.lobby.add_matches("two-player-winter", ["rex", "house-random"])
            await rooms.lobby.add_matches("two-player", ["rex", "house-greedy"])
            rex = Bot(rooms, "rex")
            await done.wait(1)
            await settled(rooms.database)
            assert not rooms.tables
            rex.leave()
            Bot(rooms, "rex", formats=("two-player-winter",))
            await done.wait(2)
            formats = [record["format"] for record in done.records]
            assert formats == ["two-player", "two-player-winter"]

    asyncio.run(main())


def test_who_comes_back_is_asked_again_and_plays_on(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT) as rooms:
            done = Finished(rooms.tables)
            await rooms.lobby.add_matches("two-player", ["rex", "house-random"])
            asks: list[Any] = []
            gone = asyncio.Event()

            def stop_at_the_fifth(ask: Any) -> int | None:
                asks.append(ask)
                if len(asks) < 5:
                    return 0
                gone.set()
                return None

            rex = Bot(rooms, "rex", answers=stop_at_the_fifth)
            await gone.wait()
            rex.leave()
            await settled(rooms.database)
            assert len(rooms.tables) == 1
            again = Bot(rooms, "rex")
            (record,) = await done.wait(1)
            assert [start.match_id for start in again.heard("match_started")] == [record["match"]]
            first = again.heard("ask")[0]
            assert (first.ask_id, first.view, first.choices) == (
                asks[-1].ask_id, asks[-1].view, asks[-1].choices
            )  # fmt: skip
            assert verify(read_record(json.dumps(record))).match.forfeited == frozenset()
            await check_stored(rooms, 1)

    asyncio.run(main())


def test_the_death_of_the_server_is_no_lost_match(tmp_path: Path) -> None:
    async def main() -> None:
        path = tmp_path / "a.db"
        async with running(path, PATIENT) as rooms:
            ids = await rooms.lobby.add_matches("two-player", ["rex", "bob"], 8)
            enough = asyncio.Event()
            answered: list[int] = []

            def answer(_ask: Any) -> int:
                answered.append(1)
                if len(answered) > 60:
                    enough.set()
                return 0

            rex, bob = Bot(rooms, "rex", answers=answer), Bot(rooms, "bob")
            await enough.wait()
            assert rooms.tables
            for bot in (rex, bob):
                bot.leave()
        async with running(path, PATIENT) as rooms:
            done = Finished(rooms.tables)
            left = len(await rooms.database.read(store.unfinished))
            assert rooms.tables
            Bot(rooms, "rex")
            Bot(rooms, "bob")
            await done.wait(left)
            await settled(rooms.database)
            await check_stored(rooms, 8)
            assert [row.id for row, _ in await stored(rooms)] == ids
            for row, _ in await stored(rooms):
                assert [seat.faults for seat in row.results] == [0, 0]

    asyncio.run(main())


def test_a_bot_is_told_what_it_has_no_business_with(tmp_path: Path) -> None:
    async def main() -> None:
        limits = Limits(useless_items=10)
        async with running(tmp_path / "a.db", PATIENT, limits) as rooms:
            done = Finished(rooms.tables)
            await rooms.lobby.add_matches("two-player", ["rex", "house-random"])
            eve = Bot(rooms, "eve")
            asked: list[int] = []

            def answer(ask: Any) -> int:
                if not asked:
                    asked.append(ask.ask_id)
                    rooms.tables.choice(eve.session, ask.ask_id, 0)
                    rooms.tables.choice(eve.session, ask.ask_id | 7, 0)  # a seat that is not there
                    rooms.tables.choice(eve.session, 2**63, 0)
                    rooms.tables.resign(eve.session, ask.match_id)
                    rooms.tables.nonce(eve.session, "nothing", b"")
                return 0

            Bot(rooms, "rex", answers=answer)
            (record,) = await done.wait(1)
            assert not any(seat["forfeit"] for seat in record["seats"])
            await settled(rooms.database)
            assert [refused.reason for refused in eve.heard("refused")] == [
                "choice/not_yours",
                "choice/not_yours",
                "choice/stale",
                "match/unknown",
                "match/unknown",
            ]
            for _ in range(6):
                rooms.tables.choice(eve.session, asked[0], 0)
            assert eve.session.ended is not None
            assert eve.session.ended.reason == "frame/flood"

    asyncio.run(main())


@pytest.mark.parametrize("what", ["answers", "nonces", "resignations"])
def test_a_flood_of_what_changes_nothing_ends_the_session(tmp_path: Path, what: str) -> None:
    """`useless_items` of the contract: stale, repeated, refused."""

    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT, Limits(useless_items=10)) as rooms:
            await rooms.lobby.add_matches("two-player", ["rex", "bob"])
            Bot(rooms, "bob", answers=lambda _: None)  # so that the first step stays open
            asked = asyncio.Event()

            def answer(_ask: Any) -> int:
                asked.set()
                return 0

            rex = Bot(rooms, "rex", answers=answer)
            await asked.wait()
            (ask,) = rex.heard("ask")
            for _ in range(1000):
                if what == "answers":
                    rooms.tables.choice(rex.session, ask.ask_id, 0)
                elif what == "nonces":
                    rooms.tables.nonce(rex.session, ask.match_id, b"n" * 16)
                else:
                    rooms.tables.resign(rex.session, ask.match_id)
            assert rex.session.ended is not None
            assert rex.session.ended.reason == "frame/flood"

    asyncio.run(main())


def test_who_forfeits_is_on_probation_and_is_tried(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", HASTY, policy=Policy(probation_after=2)) as rooms:
            done = Finished(rooms.tables)
            rex = Bot(rooms, "rex", answers=lambda _: None)
            await rooms.lobby.add_matches("two-player", ["rex", "house-random"], 2)
            *matches, trial = await done.wait(3)
            for record in (*matches, trial):
                bots = {seat["bot"]: seat["forfeit"] for seat in record["seats"]}
                assert bots == {"rex": True, "house-random": False}
            assert set(rooms.lobby.presence.on_probation()) == {"rex"}
            # Other matches have to wait.
            await rooms.lobby.add_matches("two-player", ["rex", "house-random"])
            await settled(rooms.database)
            assert [row.state for row, _ in await stored(rooms)][3] == "waiting"
            rex.leave()

    asyncio.run(main())


def test_who_fails_a_trial_is_tried_again(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(
            tmp_path / "a.db", HASTY, policy=Policy(probation_after=1, trial_seconds=0)
        ) as rooms:
            done = Finished(rooms.tables)
            rex = Bot(rooms, "rex", answers=lambda _: None)
            await rooms.lobby.add_matches("two-player", ["rex", "house-random"])
            await done.wait(2)  # the match, and the trial
            await settled(rooms.database)
            found = await stored(rooms)
            rex.leave()
            assert len(found) > 2

    asyncio.run(main())


def test_forfeits_in_a_row_are_counted_across_restarts(tmp_path: Path) -> None:
    """A server that dies after every match counts as one that goes on."""

    async def life(answers: Callable[[Any], Any]) -> set[str]:
        policy = Policy(probation_after=3)
        async with running(tmp_path / "a.db", HASTY, policy=policy) as rooms:
            await rooms.database.writer.write(lambda c: store.add_bot(c, bot_row("rex")))
            done = Finished(rooms.tables)
            rex = Bot(rooms, "rex", answers=answers)
            await rooms.lobby.add_matches("two-player", ["rex", "house-random"])
            await done.wait(1)
            found = set(rooms.lobby.presence.on_probation())
            rex.leave()
            return found

    def silent(_ask: Any) -> None:
        return None

    def quick(_ask: Any) -> int:
        return 0

    on_probation = [asyncio.run(life(each)) for each in (silent, silent, quick, silent, silent)]
    assert on_probation == [set()] * 5
    assert asyncio.run(life(silent)) == {"rex"}
