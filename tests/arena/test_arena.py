"""Matches from being asked for to being stored, with bots that come, go, cheat and fail."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from paddock_games import verify
from paddock_games.record import read_record
from paddock_server.arena.arena import Arena
from paddock_server.arena.limits import Limits, Policy
from paddock_server.store import store
from tests.arena.playing import HASTY, PATIENT, Bot, Finished, running, settled


async def stored(arena: Arena) -> list[Any]:
    """All matches there are, the oldest first, each with its record."""
    rows = await arena.database.read(store.list_matches, None, 100)
    return [await arena.database.read(store.find_match, row.id) for row in reversed(rows)]


async def check_stored(arena: Arena, count: int) -> None:
    """So many matches are finished, nothing else is there, and every record is right."""
    found = await stored(arena)
    assert [row.state for row, _ in found] == ["finished"] * count
    for row, record in found:
        match = verify(read_record(record)).match
        assert match.id == row.id
        assert [result["rank"] for result in row.results] == json.loads(record)["ranks"]
    assert await arena.database.read(store.unfinished) == []


def test_matches_are_played_when_their_bots_are_there_and_have_room(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT) as arena:
            done = Finished(arena)
            ids = await arena.add_matches("two-player", ["rex", "bob"], 6)
            most = 0

            def answer(_ask: Any) -> int:
                nonlocal most
                most = max(most, arena.open_matches_of("rex"))
                return 0

            rex = Bot(arena, "rex", most=2, answers=answer, nonces=True)
            await settled(arena)
            assert not arena.tables
            bob = Bot(arena, "bob")
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
            await check_stored(arena, 6)

    asyncio.run(main())


def test_a_format_that_a_bot_does_not_play_waits(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT) as arena:
            done = Finished(arena)
            await arena.add_matches("two-player-winter", ["rex", "house-random"])
            await arena.add_matches("two-player", ["rex", "house-greedy"])
            rex = Bot(arena, "rex")
            await done.wait(1)
            await settled(arena)
            assert not arena.tables
            rex.leave()
            Bot(arena, "rex", formats=("two-player-winter",))
            await done.wait(2)
            formats = [record["format"] for record in done.records]
            assert formats == ["two-player", "two-player-winter"]

    asyncio.run(main())


def test_who_comes_back_is_asked_again_and_plays_on(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT) as arena:
            done = Finished(arena)
            await arena.add_matches("two-player", ["rex", "house-random"])
            asks: list[Any] = []
            gone = asyncio.Event()

            def stop_at_the_fifth(ask: Any) -> int | None:
                asks.append(ask)
                if len(asks) < 5:
                    return 0
                gone.set()
                return None

            rex = Bot(arena, "rex", answers=stop_at_the_fifth)
            await gone.wait()
            rex.leave()
            await settled(arena)
            assert len(arena.tables) == 1
            again = Bot(arena, "rex")
            (record,) = await done.wait(1)
            assert [start.match_id for start in again.heard("match_started")] == [record["match"]]
            first = again.heard("ask")[0]
            assert (first.ask_id, first.view, first.choices) == (
                asks[-1].ask_id, asks[-1].view, asks[-1].choices
            )  # fmt: skip
            assert verify(read_record(json.dumps(record))).match.forfeited == frozenset()
            await check_stored(arena, 1)

    asyncio.run(main())


def test_the_death_of_the_server_is_no_lost_match(tmp_path: Path) -> None:
    async def main() -> None:
        path = tmp_path / "a.db"
        async with running(path, PATIENT) as arena:
            ids = await arena.add_matches("two-player", ["rex", "bob"], 8)
            enough = asyncio.Event()
            answered: list[int] = []

            def answer(_ask: Any) -> int:
                answered.append(1)
                if len(answered) > 60:
                    enough.set()
                return 0

            rex, bob = Bot(arena, "rex", answers=answer), Bot(arena, "bob")
            await enough.wait()
            assert arena.tables
            for bot in (rex, bob):
                bot.leave()
        async with running(path, PATIENT) as arena:
            done = Finished(arena)
            left = len(await arena.database.read(store.unfinished))
            assert arena.tables
            Bot(arena, "rex")
            Bot(arena, "bob")
            await done.wait(left)
            await settled(arena)
            await check_stored(arena, 8)
            assert [row.id for row, _ in await stored(arena)] == ids
            for row, _ in await stored(arena):
                assert [result["faults"] for result in row.results] == [0, 0]

    asyncio.run(main())


def test_a_bot_is_told_what_it_has_no_business_with(tmp_path: Path) -> None:
    async def main() -> None:
        limits = Limits(useless_items=10)
        async with running(tmp_path / "a.db", PATIENT, limits) as arena:
            done = Finished(arena)
            await arena.add_matches("two-player", ["rex", "house-random"])
            eve = Bot(arena, "eve")
            asked: list[int] = []

            def answer(ask: Any) -> int:
                if not asked:
                    asked.append(ask.ask_id)
                    arena.choice(eve.session, ask.ask_id, 0)
                    arena.choice(eve.session, ask.ask_id | 7, 0)  # a seat that is not there
                    arena.choice(eve.session, 2**63, 0)
                    arena.resign(eve.session, ask.match_id)
                    arena.nonce(eve.session, "nothing", b"")
                return 0

            Bot(arena, "rex", answers=answer)
            (record,) = await done.wait(1)
            assert not any(seat["forfeit"] for seat in record["seats"])
            await settled(arena)
            assert [refused.reason for refused in eve.heard("refused")] == [
                "choice/not_yours",
                "choice/not_yours",
                "choice/stale",
                "match/unknown",
                "match/unknown",
            ]
            for _ in range(6):
                arena.choice(eve.session, asked[0], 0)
            assert eve.session.ended is not None
            assert eve.session.ended.reason == "frame/flood"

    asyncio.run(main())


@pytest.mark.parametrize("what", ["answers", "nonces", "resignations"])
def test_a_flood_of_what_changes_nothing_ends_the_session(tmp_path: Path, what: str) -> None:
    """`useless_items` of the contract: stale, repeated, refused."""

    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT, Limits(useless_items=10)) as arena:
            await arena.add_matches("two-player", ["rex", "bob"])
            Bot(arena, "bob", answers=lambda _: None)  # so that the first step stays open
            asked = asyncio.Event()

            def answer(_ask: Any) -> int:
                asked.set()
                return 0

            rex = Bot(arena, "rex", answers=answer)
            await asked.wait()
            (ask,) = rex.heard("ask")
            for _ in range(1000):
                if what == "answers":
                    arena.choice(rex.session, ask.ask_id, 0)
                elif what == "nonces":
                    arena.nonce(rex.session, ask.match_id, b"n" * 16)
                else:
                    arena.resign(rex.session, ask.match_id)
            assert rex.session.ended is not None
            assert rex.session.ended.reason == "frame/flood"

    asyncio.run(main())


def test_who_forfeits_is_on_probation_and_is_tried(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", HASTY, policy=Policy(probation_after=2)) as arena:
            done = Finished(arena)
            rex = Bot(arena, "rex", answers=lambda _: None)
            await arena.add_matches("two-player", ["rex", "house-random"], 2)
            *matches, trial = await done.wait(3)
            for record in (*matches, trial):
                bots = {seat["bot"]: seat["forfeit"] for seat in record["seats"]}
                assert bots == {"rex": True, "house-random": False}
            assert set(arena.probation.why) == {"rex"}
            # Other matches have to wait.
            await arena.add_matches("two-player", ["rex", "house-random"])
            await settled(arena)
            assert [row.state for row, _ in await stored(arena)][3] == "waiting"
            rex.leave()

    asyncio.run(main())


def test_who_fails_a_trial_is_tried_again(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(
            tmp_path / "a.db", HASTY, policy=Policy(probation_after=1, trial_seconds=0)
        ) as arena:
            done = Finished(arena)
            rex = Bot(arena, "rex", answers=lambda _: None)
            await arena.add_matches("two-player", ["rex", "house-random"])
            await done.wait(2)  # the match, and the trial
            await settled(arena)
            found = await stored(arena)
            rex.leave()
            assert len(found) > 2

    asyncio.run(main())
