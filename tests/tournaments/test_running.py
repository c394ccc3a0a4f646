"""Tournaments under way: all that is planned is played once, whatever happens meanwhile."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from paddock_games import read_record, verify
from paddock_ladder.schedules import Outcome
from paddock_server.store import store, tournament_matches
from paddock_server.store.rows import MatchFilter
from paddock_server.tables.notices import EndListener, Finished
from paddock_server.tournaments.desk import OtherTournament
from paddock_server.tournaments.telling import Telling
from tests.tournaments.playing import NAMES, Life, defined, life

SCHEDULES: list[dict[str, Any]] = [
    {"schedule": "round-robin"},
    {"schedule": "round-robin", "formats": ["summer"], "seats": 4, "groups": 3, "blocks": 2},
    {"schedule": "swiss", "rounds": 2, "formats": ["two-player", "winter"], "seats": 3},
    {"schedule": "gauntlet", "challenger": "bob", "rotations": False},
    {"schedule": "knockout", "formats": ["two-player-series"]},
]
every_schedule = pytest.mark.parametrize("given", SCHEDULES, ids=lambda given: given["schedule"])


async def outcomes(now: Life) -> list[Outcome]:
    return await now.rooms.database.read(tournament_matches.outcomes, "cup")


def check(given: dict[str, Any], found: list[Outcome]) -> None:
    """All that the schedule wants is there, once, and nothing else."""
    schedule = defined(**given).fixtures
    assert schedule.next(found).done
    assert not schedule.next(found).pairings
    assert max(Counter(outcome.key for outcome in found).values()) == 1
    assert schedule.planned() in (None, len(found))


@every_schedule
def test_a_tournament_is_played_to_its_end(tmp_path: Path, given: dict[str, Any]) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            assert not await now.desk.open(defined(**given))
            await now.until_over("cup")
            check(given, await outcomes(now))
            row = await now.desk.find("cup")
            assert row.state == "done"
            assert row.ended
            assert await now.desk.open(defined(**given))  # once more: it is done already
            assert len(now.finished.records) == len(await outcomes(now))

    asyncio.run(test())


@every_schedule
def test_a_tournament_survives_any_number_of_deaths(tmp_path: Path, given: dict[str, Any]) -> None:
    async def test() -> None:
        lives, done = 0, False
        while not done:
            lives += 1
            async with life(tmp_path / "a.db") as now:
                await now.desk.open(defined(**given))
                over = asyncio.create_task(now.until_over("cup"))
                more = asyncio.create_task(now.finished.wait(1))
                await asyncio.wait([over, more], return_when=asyncio.FIRST_COMPLETED)
                done = over.done()
                for task in (over, more):
                    task.cancel()
                found = await outcomes(now)
        assert lives > 1
        check(given, found)

    asyncio.run(test())


def test_matches_of_a_block_share_a_deal_that_nobody_is_told_before(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", nonces=True) as now:
            given = {"schedule": "round-robin", "formats": ["summer"], "seats": 3, "groups": 2}
            await now.desk.open(defined(**given))
            await now.until_over("cup")
            by_block: dict[str, list[Any]] = {}
            for record in now.finished.records:
                row, _ = await now.rooms.database.read(store.find_match, record["match"]) or (0, 0)
                by_block.setdefault(row.block, []).append(record)  # type: ignore[union-attr]
            for matches in by_block.values():
                assert len(matches) == 3
                assert len({match["fairness"]["seed"] for match in matches}) == 1
                # Before the end nobody can tell which matches belong together.
                assert len({match["fairness"]["commitment"] for match in matches}) == 3
                for match in matches:
                    verify(read_record(json.dumps(match)))
                assert len({str(match["games"][0]["deals"]) for match in matches}) == 1
                for seat in range(3):
                    assert len({match["seats"][seat]["bot"] for match in matches}) == 3
                    assert {match["seats"][seat]["nonce"] for match in matches} == {b"n".hex() * 16}
            assert len({block[0]["fairness"]["seed"] for block in by_block.values()}) == 2
            for bot in now.bots.values():
                assert all(not ended.seed for ended in bot.heard("match_ended"))

    asyncio.run(test())


def test_a_block_is_told_when_nothing_of_it_is_played_and_its_rest_gets_another_deal(
    tmp_path: Path,
) -> None:
    given = {"schedule": "round-robin", "formats": ["summer"], "seats": 3, "groups": 1}

    async def told(now: Life) -> list[bool]:
        telling = Telling(now.rooms.database)
        return [
            await telling.is_told(row.plan, row.tournament, row.block)
            for row in await now.rows("finished")
        ]

    async def test() -> None:
        async with life(tmp_path / "a.db", most=1) as now:  # one match of a block at a time
            await now.desk.open(defined(**given))
            await now.finished.wait(1)
            await now.desk.stop("cup")
            while await now.rows("open"):
                await now.rooms.database.writer.write(lambda _connection: None)
            first = list(await now.finished.wait(len(await now.rows("finished"))))
            assert len(first) < 3
            assert await told(now) == [True] * len(first)  # nobody is going to play it
            await now.desk.resume("cup")
            await now.until_over("cup")
            rest = now.finished.records[len(first) :]
            assert len(first) + len(rest) == 3
            seeds = {match["fairness"]["seed"] for match in first}
            assert seeds.isdisjoint(match["fairness"]["seed"] for match in rest)
            assert await told(now) == [True] * 3

    asyncio.run(test())


def test_while_a_tournament_runs_a_block_is_told_at_its_end(tmp_path: Path) -> None:
    given = {"schedule": "round-robin", "formats": ["summer"], "seats": 3, "groups": 1}

    async def test() -> None:
        async with life(tmp_path / "a.db", most=1) as now:
            telling = Telling(now.rooms.database)
            seen = []

            def hear(finished: Finished) -> None:
                plan = finished.plan
                told = telling.is_told(plan, plan.tournament, plan.block)
                seen.append(asyncio.get_running_loop().create_task(told))

            now.rooms.tables.listeners.append(EndListener(hear))
            await now.desk.open(defined(**given))
            await now.until_over("cup")
            assert [await task for task in seen] == [False, False, True]

    asyncio.run(test())


def test_who_stays_away_loses_and_the_others_go_on(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", NAMES[:3]) as now:  # dan, eve and fay never come
            given = {"schedule": "swiss", "rounds": 2, "patience_seconds": 100}
            await now.desk.open(defined(**given))
            await now.desk.look(1000.0)
            await now.desk.look(1099.0)
            assert not any(outcome.declared for outcome in await outcomes(now))
            for again in range(8):  # a round at a time
                await now.desk.look(1100.0 + again)
                if "cup" in now.desk.running:
                    await asyncio.sleep(0)
            found = await outcomes(now)
            for outcome in found:
                away = [bot for bot in outcome.bots if bot not in NAMES[:3]]
                assert outcome.declared == bool(away)
                for bot, rank in zip(outcome.bots, outcome.ranks, strict=True):
                    if outcome.declared:
                        assert (rank == 1) == (bot not in away)
            assert any(outcome.declared for outcome in found)
            # A match whose bots are all away is decided by nobody.
            assert all(set(outcome.bots) & set(NAMES[:3]) for outcome in found)
            rows = await now.rooms.database.read(
                store.list_matches, None, 100, MatchFilter("declared")
            )
            assert rows
            assert all(row.rated is None for row in rows)

    asyncio.run(test())


def test_a_stopped_tournament_begins_nothing_and_goes_on_when_told(tmp_path: Path) -> None:
    given: dict[str, Any] = {"schedule": "round-robin"}

    async def test() -> None:
        async with life(tmp_path / "a.db", NAMES[:3]) as now:
            await now.desk.open(defined(**given))
            await now.finished.wait(2)
            await now.desk.stop("cup")
            while now.rooms.tables:
                await now.rooms.database.writer.write(lambda _connection: None)
            played = len(now.finished.records)
            rows = await now.rooms.database.read(
                store.list_matches, None, 1000, MatchFilter("waiting")
            )
            assert rows == []
            assert (await now.desk.find("cup")).state == "stopped"
        async with life(tmp_path / "a.db") as now:  # a restart begins nothing either
            assert now.desk.running == {}
            await now.desk.resume("cup")
            await now.until_over("cup")
            check(given, await outcomes(now))
            assert len(now.finished.records) + played == len(await outcomes(now))

    asyncio.run(test())


@pytest.mark.parametrize("schedule", ["round-robin", "ladder"])
def test_a_stop_loses_nothing_at_any_moment(tmp_path: Path, schedule: str) -> None:
    """Stopped in the middle of whatever goes on, again and again: what began is kept."""
    given: dict[str, Any] = {"schedule": schedule}
    if schedule == "ladder":
        given |= {"matches": 40, "bots": []}

    async def test() -> None:
        async with life(tmp_path / "a.db", NAMES[:4]) as now:
            given["bots"] = [] if schedule == "ladder" else list(NAMES[:4])
            await now.desk.open(defined(**given))
            for moment in range(40):
                for _ in range(moment):
                    await asyncio.sleep(0)
                await now.desk.stop("cup")
                while now.rooms.tables:
                    await now.rooms.database.writer.write(lambda _connection: None)
                rows = await now.rooms.database.read(store.list_matches, None, 1000)
                assert {row.state for row in rows} <= {"finished"}
                assert len(rows) == len(now.finished.records)  # all that was played is stored
                await now.desk.resume("cup")
            for at in range(10_000):
                await now.desk.look(float(at))
                if (await now.desk.find("cup")).state == "done":
                    break
            assert len(await outcomes(now)) == len(now.finished.records)

    asyncio.run(test())


def test_a_ladder_of_two_may_have_many_matches_at_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", NAMES[:2], most=8) as now:
            given = {"schedule": "ladder", "matches": 100, "bots": [], "at_once": 8}
            await now.desk.open(defined(**given))
            for at in range(1000):
                await now.desk.look(float(at))
                if "cup" not in now.desk.running:
                    break
                await now.rooms.database.writer.write(lambda _connection: None)
            assert len(await outcomes(now)) == 100
            assert "tournament failed" not in caplog.text

    asyncio.run(test())


def test_one_name_is_one_tournament(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            await now.desk.open(defined(schedule="round-robin"))
            with pytest.raises(OtherTournament, match="another name"):
                await now.desk.open(defined(schedule="swiss", rounds=2))
            await now.until_over("cup")

    asyncio.run(test())


def test_an_unrated_tournament_leaves_ratings_alone(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            await now.desk.open(defined(schedule="gauntlet", challenger="ada", rated=False))
            await now.until_over("cup")
            rows = await now.rooms.database.read(store.list_matches, None, 1000)
            assert rows
            assert all(row.rated is None for row in rows)

    asyncio.run(test())


def test_a_ladder_plays_whoever_is_there_and_starves_nobody(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            given = {"schedule": "ladder", "matches": 60, "bots": [], "at_once": 1}
            await now.desk.open(defined(**given, formats=["two-player", "summer"], seats=3))
            for at in range(1000):
                await now.desk.look(float(at))
                if "cup" not in now.desk.running:
                    break
                await now.rooms.database.writer.write(lambda _connection: None)
            found = await outcomes(now)
            assert len(found) == 60
            assert {outcome.format for outcome in found} == {"two-player", "summer"}
            played = Counter(bot for outcome in found for bot in outcome.bots)
            assert set(played) == set(NAMES)
            assert min(played.values()) * 2 >= max(played.values())
            rows = await now.rooms.database.read(store.list_matches, None, 99)
            assert sorted(row.rated or 0 for row in rows) == list(range(1, 61))

    asyncio.run(test())


def test_one_owner_does_not_meet_itself_on_a_ladder(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            for name in ("ada", "bob", "cyd"):
                session = now.bots[name].session
                session.entrant = session.entrant._replace(owner="twins")
            given = {"schedule": "ladder", "matches": 30, "bots": []}
            await now.desk.open(defined(**given))
            for at in range(1000):
                await now.desk.look(float(at))
                if "cup" not in now.desk.running:
                    break
                await now.rooms.database.writer.write(lambda _connection: None)
            found = await outcomes(now)
            assert len(found) == 30
            for outcome in found:
                assert len({"ada", "bob", "cyd"} & set(outcome.bots)) <= 1

    asyncio.run(test())


def test_a_database_that_fails_for_a_while_holds_a_tournament_up_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"schedule": "swiss", "rounds": 3}
    add, failures = store.add_matches, [0, 0, 0, 1, 1, 0, 1]  # 1: fails

    def failing(*arguments: Any) -> Any:
        if failures and failures.pop(0):
            raise OSError("the disk is gone")
        return add(*arguments)

    monkeypatch.setattr(store, "add_matches", failing)

    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            await now.desk.open(defined(**given))
            for at in range(10_000):
                await now.desk.look(float(at))
                if (await now.desk.find("cup")).state == "done":
                    break
            assert not failures
            check(given, await outcomes(now))

    asyncio.run(test())
