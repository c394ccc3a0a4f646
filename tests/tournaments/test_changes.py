"""Tournaments that change while they run: who comes, who leaves, what is played again."""

import asyncio
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from paddock_ladder.schedules import Correction
from paddock_ladder.schedules.changes import departed
from paddock_server.store import store
from paddock_server.store.rows import MatchFilter
from paddock_server.tournaments.amending import OtherTournament
from paddock_server.tournaments.changes import CannotChange, Voiding
from paddock_server.tournaments.definition import definition_of
from paddock_server.tournaments.report import stored_report
from tests.lobby.playing import Bot, settled
from tests.store.ladder import Played, played
from tests.store.opened import opened
from tests.tournaments.playing import NAMES, Life, defined, life
from tests.tournaments.test_running import every_schedule

WHO = "organiser"


async def check_complete(now: Life) -> None:
    """All that the schedule wants, with its changes, is there; nothing waits."""
    row = await now.desk.find("cup")
    assert row.state == "done"
    found = await now.outcomes()
    schedule = definition_of(row).fixtures
    assert schedule.next(found).done
    assert not await now.rows("waiting")
    report = await now.rooms.database.read(stored_report, "cup")
    assert report is not None
    assert report.planned == report.over == len(found)
    assert sorted(line.placed.bot for line in report.overall.lines) == sorted(
        definition_of(row).entered
    )


@every_schedule
def test_bots_come_and_go_and_it_is_played_to_its_end(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    """Through three lives of the server: each takes up what was decided in the one before."""
    late = given["schedule"] != "knockout"

    async def test() -> None:
        path = tmp_path / "a.db"
        async with life(path, NAMES[:4]) as now:  # eve and fay never come
            await now.desk.open(defined(**given))
            await now.changes.withdraw("cup", "fay", WHO, "a holiday")
        async with life(path, NAMES[:4]) as now:
            if late:
                assert await now.changes.enter("cup", "gus", WHO)
                assert not await now.changes.enter("cup", "gus", WHO)
            await now.changes.disqualify("cup", "eve", WHO, "it cheated")
        async with life(path, (*NAMES[:4], "gus")) as now:
            await now.until_over("cup")
            await check_complete(now)
            row = await now.desk.find("cup")
            assert departed(row.changes) == {"fay", "eve"}
            report = await now.rooms.database.read(stored_report, "cup")
            assert report is not None
            for table in (report.overall, *report.formats):
                assert table.lines[-1].placed.bot == "eve"
                assert "Disqualified and therefore last: eve." in table.rule
            told = [(line.event, line.bot, line.who, line.why) for line in await now.log()]
            assert told[0][0] == "opened"
            assert ("withdrawal", "fay", WHO, "a holiday") in told
            assert (("entry", "gus", WHO, "") in told) == late
            assert ("disqualification", "eve", WHO, "it cheated") in told
            assert told[-1][:3] == ("done", "", "server")

    asyncio.run(test())


def test_who_withdraws_loses_what_it_has_not_begun_and_keeps_what_it_played(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", NAMES[:2]) as now:
            await now.desk.open(defined(schedule="round-robin", bots=list(NAMES[:3])))
            await now.finished.wait(2)  # ada and bob; cyd is away
            await now.changes.withdraw("cup", "cyd", WHO)
            found = await now.outcomes()
            assert len(found) == 6
            for outcome in found:
                assert outcome.declared == ("cyd" in outcome.bots)
                if outcome.declared:
                    assert outcome.ranks[outcome.bots.index("cyd")] == 2
            rows = await now.rows("declared")
            assert [[seat.forfeit for seat in row.results] for row in rows] == [
                [bot == "cyd" for bot in row.plan.bots] for row in rows
            ]
            await check_complete(now)

    asyncio.run(test())


@every_schedule
def test_a_match_is_played_again_and_the_table_follows(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            await now.desk.open(defined(**given))
            await now.until_over("cup")
            first = (await now.rows("finished"))[0]
            before = len(await now.outcomes())
            await now.changes.void(first, Voiding("a power cut", replay=True), WHO)
        async with life(tmp_path / "a.db") as now:  # it goes on after a restart
            await now.until_over("cup")
            await check_complete(now)
            assert len(await now.outcomes()) == before
            rows = await now.rows("finished")
            (void,) = [row for row in rows if row.void]
            assert (void.id, void.pairing) == (first.id, f"{first.pairing}~1")
            (again,) = [row for row in rows if row.pairing == first.pairing]
            assert again.begun is not None
            assert first.begun is not None
            assert again.begun.seed != first.begun.seed  # its old deal may be known
            assert again.block == first.block
            (line,) = [line for line in await now.log() if line.event == "replay"]
            assert (line.match_id, line.why) == (first.id, "a power cut")
            assert sorted(row.rated or 0 for row in rows if not row.void)[0] > 0

    asyncio.run(test())


def test_a_voided_match_is_declared_and_can_be_declared_anew(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            await now.desk.open(defined(schedule="swiss", rounds=2))
            await now.until_over("cup")
            first = (await now.rows("finished"))[0]
            one, other = first.plan.bots
            for loser in (one, other):
                match = next(row for row in await now.rows() if row.pairing == first.pairing)
                await now.changes.void(match, Voiding("an appeal", declare=[loser]), WHO)
                await now.until_over("cup")
                (outcome,) = [o for o in await now.outcomes() if o.key == first.pairing]
                assert outcome.declared
                assert outcome.ranks[outcome.bots.index(loser)] == 2
            await check_complete(now)
            changes = (await now.desk.find("cup")).changes
            corrections = [change for change in changes if isinstance(change, Correction)]
            assert [correction.was.declared for correction in corrections] == [False, True]
            events = [(line.event, line.bot) for line in await now.log()]
            assert ("declaration", one) in events
            assert ("declaration", other) in events

    asyncio.run(test())


def test_a_voided_match_of_a_ladder_counts_no_more(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            await now.desk.open(defined(schedule="ladder", bots=[]))
            await now.finished.wait(3)
            first = (await now.rows("finished"))[0]
            with pytest.raises(CannotChange, match="a ladder"):
                await now.changes.void(first, Voiding("why", replay=True), WHO)
            await now.changes.void(first, Voiding("a power cut"), WHO)
            assert first.pairing not in {outcome.key for outcome in await now.outcomes()}

    asyncio.run(test())


def test_a_ladder_pairs_by_ratings_as_they_are_after_a_match_is_voided(tmp_path: Path) -> None:
    """Whatever the match belonged to, and before any of its bots plays again."""
    ada, bob, cyd, dan = NAMES[:4]

    def wins(winners: Sequence[str], losers: Sequence[str], times: int) -> list[Played]:
        pairs = list(product(winners, losers)) * times
        return [Played(pair, (1, 2), ("1", "1"), "two-player") for pair in pairs]

    with opened(tmp_path / "a.db") as database:
        played(database, *wins((ada, cyd), (bob, dan), 6))
        wrong = played(database, *wins((ada, bob), (cyd, dan), 15))

    async def test() -> None:
        async with life(tmp_path / "a.db", ()) as now:
            await now.desk.open(defined(schedule="ladder", bots=[], at_once=1))
            await now.desk.look(0.0)
            for row in await now.rooms.database.read(store.list_matches, None, 1000, MatchFilter()):
                if row.number in wrong:
                    await now.changes.void(row, Voiding("a wrong build"), WHO)
            here = [Bot(now.rooms, name, answers=lambda _: None) for name in NAMES[:4]]
            await now.desk.look(10.0)
            await settled(now.rooms.database)
            tables = {frozenset(match.plan.bots) for match in now.rooms.tables.open_matches(9)}
            assert tables == {frozenset((ada, cyd)), frozenset((bob, dan))}
            for bot in here:
                bot.leave()

    asyncio.run(test())


def test_who_leaves_a_ladder_is_paired_no_more(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", NAMES[:4]) as now:
            await now.desk.open(defined(schedule="ladder", bots=[], matches=40))
            await now.finished.wait(4)
            await now.changes.withdraw("cup", "ada", WHO)
            with pytest.raises(CannotChange, match="open to everybody"):
                await now.changes.enter("cup", "gus", WHO)
            began = {match.id for match in now.rooms.tables.open_matches(99)}
            began |= {row.id for row in await now.rows()}
        async with life(tmp_path / "a.db", NAMES[:4]) as now:
            await now.until_over("cup")
            later = [row for row in await now.rows() if row.id not in began]
            assert later
            assert not any("ada" in row.plan.bots for row in later)

    asyncio.run(test())


def test_what_can_not_be_changed_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db") as now:
            await now.desk.open(defined(schedule="knockout"))
            await now.finished.wait(1)
            changes = now.changes
            with pytest.raises(OtherTournament, match="gus can't enter: the knockout has begun"):
                await changes.enter("cup", "gus", WHO)
            with pytest.raises(CannotChange, match="'zoe' is not entered in cup"):
                await changes.withdraw("cup", "zoe", WHO)
            with pytest.raises(CannotChange, match="say why"):
                await changes.disqualify("cup", "ada", WHO, "")
            with pytest.raises(CannotChange, match="is invalid: use up to 40"):
                await changes.enter("cup", "house-random", WHO)
            await now.until_over("cup")
            match = (await now.rows())[0]
            with pytest.raises(CannotChange, match="say either that it is played again"):
                await changes.void(match, Voiding("why"), WHO)
            with pytest.raises(CannotChange, match="name a bot of the match with --declare"):
                await changes.void(match, Voiding("why", declare=["zoe"]), WHO)
            with pytest.raises(CannotChange, match="cup is done"):
                await changes.withdraw("cup", "ada", WHO)
            await changes.disqualify("cup", match.plan.bots[0], WHO, "found out late")
            with pytest.raises(CannotChange, match="left cup and can't play"):
                await changes.void(match, Voiding("why", replay=True), WHO)
            kept = await now.rooms.database.read(store.find_match, match.id)
            assert kept is not None
            assert not kept[0].void
            assert len((await now.desk.find("cup")).changes) == 1

    asyncio.run(test())


def test_a_bot_is_entered_in_what_is_not_done(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", NAMES[:2]) as now:
            await now.desk.open(defined(schedule="round-robin"))
            assert await now.changes.entered_in("fay") == ["cup"]
            assert await now.changes.entered_in("zoe") == []
            await now.changes.withdraw("cup", "fay", WHO)
            assert await now.changes.entered_in("fay") == []

    asyncio.run(test())
