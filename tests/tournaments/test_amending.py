"""A tournament's file that changed, and tournaments that wait for their start."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paddock_server.tournaments.amending import ClosedEntries, OtherTournament
from paddock_server.tournaments.definition import definition_of, read_definition
from paddock_server.tournaments.report import planned_of
from tests.tournaments.playing import NAMES, NOON, Life, defined, life
from tests.tournaments.test_changes import check_complete

HOUR = timedelta(hours=1)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.moment = NOON

    def __call__(self) -> datetime:
        return self.moment


def changed(**given: Any) -> Any:
    usual: dict[str, Any] = {"schedule": "round-robin", "bots": list(NAMES[:3])}
    return defined(**{**usual, **given})


def test_a_changed_file_enters_and_withdraws_bots(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", ("ada", "bob", "dan")) as now:
            await now.desk.open(changed())
            await now.finished.wait(2)  # cyd is away
            bots = ["ada", {"name": "dan", "sample": "random"}, "bob"]
            assert await now.desk.open(changed(bots=bots, patience_seconds=60), "organiser")
            await now.until_over("cup")
            await check_complete(now)
            row = await now.desk.find("cup")
            assert definition_of(row).names == ("ada", "bob", "dan")
            assert definition_of(row).patience_seconds == 60
            told = [(line.event, line.bot, line.why) for line in await now.log()]
            assert told[1:4] == [
                ("change", "", "patience_seconds not given -> 60"),
                ("entry", "dan", "added to the file"),
                ("withdrawal", "cyd", "removed from the file"),
            ]
            assert await now.desk.open(changed(bots=bots, patience_seconds=60))
            assert len(await now.log()) == len(told)  # the same file changes nothing

    asyncio.run(test())


def test_a_file_knows_nothing_of_what_was_changed_by_command(tmp_path: Path) -> None:
    """The same file again withdraws nobody who was entered by command, and enters nobody anew."""

    async def test() -> None:
        async with life(tmp_path / "a.db", ()) as now:
            await now.desk.open(changed())
            await now.changes.enter("cup", "dan", "organiser")
            await now.changes.withdraw("cup", "cyd", "organiser")
        async with life(tmp_path / "a.db", ()) as now:
            await now.desk.open(changed())
            row = await now.desk.find("cup")
            assert definition_of(row).names == ("ada", "bob", "dan")
            await now.desk.open(changed(bots=["ada", "bob", "cyd", "dan"]))  # written down later
            row = await now.desk.find("cup")
            assert definition_of(row).names == ("ada", "bob", "dan")
            assert len(row.changes) == 2

    asyncio.run(test())


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"formats": ["two-player", "two-player-winter"]}, "formats can't change once cup runs"),
        ({"schedule": "swiss", "rounds": 2}, "schedule, rounds can't change"),
        ({"rated": False, "clock": {"base": 9.0}}, "rated, clock can't change"),
        ({"bots": ["bob", "ada", "cyd"]}, "the order of the bots can't change"),
        ({"starts": NOON}, "starts can't change"),
    ],
)
def test_what_can_not_change_is_named(tmp_path: Path, given: dict[str, Any], words: str) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", ()) as now:
            await now.desk.open(changed())
            before = await now.desk.find("cup")
            with pytest.raises(OtherTournament, match=f"{words}.*another name"):
                await now.desk.open(changed(**given))
            assert await now.desk.find("cup") == before
            assert len(await now.log()) == 1

    asyncio.run(test())


def test_the_settings_of_a_ladder_may_change(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", NAMES[:2]) as now:
            ladder: dict[str, Any] = {"schedule": "ladder", "bots": []}
            await now.desk.open(defined(**ladder))
            await now.finished.wait(2)
            await now.desk.open(defined(**ladder, matches=5))
            for at in range(1000):
                await now.desk.look(float(at))
                if (await now.desk.find("cup")).state == "done":
                    break
                await now.rooms.database.writer.write(lambda _connection: None)
            assert (await now.desk.find("cup")).state == "done"
            with pytest.raises(OtherTournament, match="who may play can't change"):
                await now.desk.open(defined(**{**ladder, "bots": ["ada"]}, matches=5))

    asyncio.run(test())


async def waits(now: Life) -> None:
    await now.desk.look(0.0)
    assert (await now.desk.find("cup")).state == "upcoming"
    assert now.desk.running == {}
    assert await now.rows() == []


def test_a_tournament_waits_for_its_start_and_survives_a_restart_meanwhile(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        clock = Clock()
        async with life(tmp_path / "a.db", clock=clock) as now:
            await now.desk.open(changed(starts=NOON + HOUR))
            await waits(now)
        clock.moment += HOUR - timedelta(seconds=1)
        async with life(tmp_path / "a.db", clock=clock) as now:
            await waits(now)
            await now.changes.enter("cup", "dan", "organiser")
            await now.changes.withdraw("cup", "ada", "organiser")
            row = await now.desk.find("cup")
            assert planned_of(row, 0) == 6
            await waits(now)
            clock.moment += timedelta(seconds=1)
            await now.desk.look(1.0)
            await now.until_over("cup")
            await check_complete(now)
            found = await now.outcomes()
            assert {bot for outcome in found for bot in outcome.bots} == {"bob", "cyd", "dan"}
            assert not any(outcome.declared for outcome in found)
            assert [line.event for line in await now.log()] == [
                "opened", "entry", "withdrawal", "begun", "done",
            ]  # fmt: skip

    asyncio.run(test())


def test_before_the_start_all_of_it_may_change(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Clock()
        async with life(tmp_path / "a.db", clock=clock) as now:
            await now.desk.open(changed(starts=NOON + HOUR))
            await now.changes.enter("cup", "dan", "organiser")
            other = {"schedule": "swiss", "rounds": 1, "bots": list(NAMES[:5])}
            await now.desk.open(changed(**other, starts=NOON + 2 * HOUR))
            await waits(now)
            clock.moment += HOUR
            await waits(now)
            await now.desk.stop("cup")
            await now.desk.resume("cup")
            await waits(now)
            await now.desk.open(changed(**other))  # at once, after all
            await now.until_over("cup")
            await check_complete(now)
            assert {outcome.round for outcome in await now.outcomes()} == {1}

    asyncio.run(test())


def test_nobody_is_entered_after_the_entries_closed(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Clock()
        async with life(tmp_path / "a.db", (), clock=clock) as now:
            close = {"entries_close": NOON + HOUR}
            await now.desk.open(changed(**close))
            await now.changes.enter("cup", "dan", "organiser")
            clock.moment += HOUR
            with pytest.raises(
                ClosedEntries, match=r"^entries of cup closed at 2026-11-21T13.*; eve can't enter"
            ):
                await now.changes.enter("cup", "eve", "organiser")
            with pytest.raises(ClosedEntries, match=r"entries of cup closed .*; eve can't enter"):
                await now.desk.open(changed(**close, bots=[*NAMES[:3], "eve"]))
            assert not await now.changes.enter("cup", "dan", "organiser")  # it is in already
            await now.changes.withdraw("cup", "dan", "organiser")  # who is in may leave
            later = {"entries_close": NOON + 2 * HOUR}
            await now.desk.open(changed(**later, bots=[*NAMES[:3], "eve"]))
            assert "eve" in definition_of(await now.desk.find("cup")).names

    asyncio.run(test())


def test_a_moment_has_an_offset_or_is_utc() -> None:
    text = 'name = "a"\nschedule = "round-robin"\nformats = ["two-player"]\nbots = ["x", "y"]\n'
    given = {
        "2026-11-21T18:00:00+01:00": datetime(2026, 11, 21, 17, tzinfo=UTC),
        "2026-11-21 18:00:00": datetime(2026, 11, 21, 18, tzinfo=UTC),
        "2026-11-21T18:00:00Z": datetime(2026, 11, 21, 18, tzinfo=UTC),
    }
    for written, moment in given.items():
        read = read_definition(f"{text}starts = {written}\n")
        assert read.starts == moment
        assert read.file.starts == moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
