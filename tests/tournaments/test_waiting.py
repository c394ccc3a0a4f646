"""Whom a tournament waits for: always said, and never for longer than its patience."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from paddock_server.lobby.presence import Hindrance
from paddock_server.store import store, tournament_matches
from paddock_server.tables.notices import EndListener
from paddock_server.tournaments.changes import Voiding
from paddock_server.tournaments.progress import Throughput, declarations, progress
from paddock_server.tournaments.waiting import WaitedFor, notice
from tests.lobby.playing import Bot, settled
from tests.store.opened import bot, opened, write
from tests.tournaments.playing import NAMES, NOON, Life, defined, life

TRIO: dict[str, Any] = {
    "schedule": "round-robin",
    "formats": ["two-player", "two-player-winter"],
    "bots": ["ada", "bob", "cyd"],
    "rotations": False,
    "patience_seconds": 100,
}


async def outcomes(now: Life) -> list[Any]:
    return await now.rooms.database.read(tournament_matches.outcomes, "cup")


def waiting(now: Life) -> dict[str, WaitedFor]:
    """Whom the cup waits for, by bot."""
    lines = now.desk.waiting.of("cup").waiting
    assert len({line.bot for line in lines}) == len(lines)
    return {line.bot: line for line in lines}


async def idle(now: Life) -> None:
    """Until everything that can be played was."""
    while now.rooms.tables:
        await settled(now.rooms.database)


def test_a_bot_that_does_not_play_the_format_is_waited_for_as_one_that_is_away(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", ["bob", "cyd"]) as now:
            now.bots["ada"] = Bot(now.rooms, "ada", formats=["two-player"])
            await now.desk.open(defined(**TRIO))
            assert "ada does not play two-player-winter: tournament cup decides" in caplog.text
            await now.desk.look(1000.0)
            await idle(now)
            await now.desk.look(1099.0)
            assert len(await outcomes(now)) == 4  # all but ada's two of winter
            ada = waiting(now)["ada"]
            assert ada.sentence == "ada does not play two-player-winter"
            assert (ada.reason, ada.formats, ada.matches) == (
                Hindrance.FORMAT, ("two-player-winter",), 2,
            )  # fmt: skip
            assert ada.since < ada.declared_at
            await now.desk.look(1100.0)
            found = await outcomes(now)
            assert (await now.desk.find("cup")).state == "done"
            declared = [outcome for outcome in found if outcome.declared]
            assert len(declared) == 2
            for outcome in declared:
                assert outcome.format == "two-player-winter"
                ranks = dict(zip(outcome.bots, outcome.ranks, strict=True))
                assert ranks.pop("ada") == 2
                assert set(ranks.values()) == {1}

    asyncio.run(test())


def test_every_reason_is_said(tmp_path: Path) -> None:
    async def test() -> None:
        silent: dict[str, Any] = {"most": 1, "answers": lambda _: None}
        with opened(tmp_path / "a.db") as database:
            why = "it forfeited 3 matches in a row"
            write(database, store.add_bot, bot("eve", probation=why))
        async with life(tmp_path / "a.db", ["bob", "cyd"], **silent) as now:
            given = {**TRIO, "formats": ["two-player"], "bots": list(NAMES[:5])}  # dan is away
            await now.desk.open(defined(**given))
            await settled(now.rooms.database)  # bob plays cyd, so he has no room for eve's trial
            now.bots["ada"] = Bot(now.rooms, "ada", formats=["two-player-winter"])
            now.bots["eve"] = Bot(now.rooms, "eve", formats=["two-player"])
            await now.desk.look(1000.0)
            said = waiting(now)
            assert {bot: (line.reason.value, line.sentence) for bot, line in said.items()} == {
                "ada": ("format", "ada does not play two-player"),
                "dan": ("away", "dan is not connected"),
                "eve": ("probation", "eve is on probation: it forfeited 3 matches in a row"),
                "bob": ("busy", "bob plays 1 match already"),
                "cyd": ("busy", "cyd plays 1 match already"),
            }
            assert [said[bot].matches for bot in ("ada", "dan", "eve", "bob")] == [4, 4, 4, 0]
            assert not said["bob"].since

    asyncio.run(test())


def test_what_keeps_a_bot_may_change_and_patience_goes_on(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", ["bob", "cyd"]) as now:
            await now.desk.open(defined(**TRIO))
            await now.desk.look(1000.0)
            away = waiting(now)["ada"]
            assert (away.sentence, away.matches) == ("ada is not connected", 4)
            now.bots["ada"] = Bot(now.rooms, "ada", formats=["two-player"])
            await now.desk.look(1060.0)
            wrong = waiting(now)["ada"]
            assert wrong.sentence == "ada does not play two-player-winter"
            assert wrong.since >= away.since
            assert wrong.declared_at == away.declared_at  # it does not begin again
            await idle(now)
            await now.desk.look(1099.0)
            assert not any(outcome.declared for outcome in await outcomes(now))
            await now.desk.look(1100.0)
            assert sum(outcome.declared for outcome in await outcomes(now)) == 2

    asyncio.run(test())


def test_patience_begins_with_the_tournament(tmp_path: Path) -> None:
    """A bot that another tournament has waited for is not late for a new one at once."""

    async def test() -> None:
        async with life(tmp_path / "a.db", ["bob", "cyd"]) as now:
            await now.desk.open(defined(**TRIO, name="old"))
            await now.desk.look(1000.0)
            await now.desk.open(defined(**TRIO))
            await now.desk.look(1100.0)
            assert any(
                o.declared
                for o in await now.rooms.database.read(tournament_matches.outcomes, "old")
            )
            assert not any(outcome.declared for outcome in await outcomes(now))
            await now.desk.look(1200.0)
            assert any(outcome.declared for outcome in await outcomes(now))

    asyncio.run(test())


def test_a_match_without_a_bot_is_never_declared_and_that_is_said(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", ["cyd"]) as now:
            await now.desk.open(defined(**TRIO))
            for at in (0.0, 1.0, 100.0, 101.0, 10_000.0):
                await now.desk.look(at)
            found = await outcomes(now)
            assert len(found) == 4
            assert all("cyd" in outcome.bots for outcome in found)
            note = now.desk.waiting.of("cup").note
            assert "Nothing is being played" in note
            assert "None of the bots of 2 matches can play. Such a match is never declared" in note
            assert now.desk.left_seconds("cup", 2) is None
            # Nobody can say when.
            assert {line.declared_at for line in waiting(now).values()} == {""}
            now.bots["ada"] = Bot(now.rooms, "ada", formats=TRIO["formats"])
            await now.desk.look(10_001.0)  # now somebody is there, and bob was away for too long
            assert (await now.desk.find("cup")).state == "done"

    asyncio.run(test())


def test_a_tournament_in_which_nobody_plays_says_so(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", []) as now:
            await now.desk.open(defined(**TRIO))
            await now.desk.look(0.0)
            await now.desk.look(1_000_000.0)
            assert await outcomes(now) == []
            note = now.desk.waiting.of("cup").note
            assert note.startswith("Nothing is being played: every match that could begin waits")
            assert "None of the bots of 6 matches can play" in note
            assert set(waiting(now)) == {"ada", "bob", "cyd"}

    asyncio.run(test())


def test_who_went_out_is_not_waited_for(tmp_path: Path) -> None:
    """A knockout needs only those who are left."""

    async def test() -> None:
        async with life(tmp_path / "a.db", NAMES[:4]) as now:

            def leave(*_: Any) -> None:
                if len(now.finished.records) == 2:
                    for bot in now.bots.values():
                        bot.leave()

            now.rooms.tables.listeners.append(EndListener(leave))
            given = {"schedule": "knockout", "formats": ["two-player"], "bots": list(NAMES[:4])}
            await now.desk.open(defined(**{**TRIO, **given}))
            await now.finished.wait(2)
            await settled(now.rooms.database)
            await now.desk.look(0.0)
            (final,) = now.desk.running["cup"].pending()
            assert set(waiting(now)) == set(final.bots)
            assert len(final.bots) == 2

    asyncio.run(test())


def test_who_withdrew_is_not_waited_for(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", ["bob", "cyd"]) as now:
            await now.desk.open(defined(**{**TRIO, "patience_seconds": 0}))
            await idle(now)
            await now.desk.look(0.0)
            assert set(waiting(now)) == {"ada"}
            await now.changes.withdraw("cup", "ada", "organiser")
            await now.desk.look(1.0)
            assert now.desk.waiting.of("cup") == ((), "")
            found = await now.rooms.database.read(declarations, "cup")
            assert len(found) == 4
            assert {each.absent for each in found} == {("ada",)}

    asyncio.run(test())


def test_a_bot_is_told_before_a_tournament_starts_that_it_lacks_a_format(tmp_path: Path) -> None:
    async def test() -> None:
        time = [NOON]
        async with life(tmp_path / "a.db", ["bob", "cyd"], lambda: time[0]) as now:
            starts = NOON + timedelta(hours=2)
            await now.desk.open(defined(**TRIO, starts=starts))
            for hours in (0, 3):
                time[0] = NOON + timedelta(hours=hours)
                await now.desk.look(float(hours))
                (said,) = now.desk.notices("ada", ["two-player"])
                assert said.startswith("ada does not play two-player-winter: tournament cup")
                assert set(waiting(now)) == ({"ada"} if hours else set())

    asyncio.run(test())


def test_only_changes_are_told(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", ["bob", "cyd"]) as now:
            told: list[int] = []
            now.desk.waiting.on_change.append(lambda: told.append(1))
            await now.desk.open(defined(**TRIO, name="cup"))
            await idle(now)
            for at in range(5):
                await now.desk.look(float(at))
            assert len(told) == 1
            now.bots["ada"] = Bot(now.rooms, "ada", formats=["two-player"])
            await now.desk.look(6.0)
            assert len(told) == 2
            await now.desk.stop("cup")
            await now.desk.look(7.0)
            assert now.desk.waiting.of("cup") == ((), "")

    asyncio.run(test())


@pytest.mark.parametrize("bots", [[], ["ada", "bob", "cyd"]], ids=["open", "entered"])
def test_a_ladder_takes_back_what_waits_for_a_bot_that_left(
    tmp_path: Path, bots: list[str]
) -> None:
    """Or those who were paired with it would never be paired again."""

    async def test() -> None:
        async with life(tmp_path / "a.db", ["ada", "bob"], most=1) as now:
            given = {**TRIO, "schedule": "ladder", "formats": ["two-player"], "bots": bots}
            del given["rotations"]
            # The bots are in the middle of another match, so what the ladder pairs has to wait.
            held: list[int] = []
            for bot in now.bots.values():
                bot._answers = lambda ask: held.append(ask.ask_id)
            await now.rooms.lobby.add_matches("two-player", ["ada", "bob"])
            await now.desk.open(defined(**given, matches=3))
            ladder = now.desk.running["cup"]
            assert [set(table.bots) for table in ladder.pending()] == [{"ada", "bob"}]
            now.bots["ada"].leave()
            await now.desk.look(0.0)
            assert len(list(ladder.pending())) == 1
            await now.desk.look(100.0)
            assert list(ladder.pending()) == []
            rows = await now.rooms.database.read(tournament_matches.pairings, "cup")
            assert rows == []

    asyncio.run(test())


def test_a_ladder_without_company_says_so(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", ["bob"]) as now:
            now.bots["cyd"] = Bot(now.rooms, "cyd", formats=["summer"])
            given = {**TRIO, "schedule": "ladder"}
            del given["rotations"]
            await now.desk.open(defined(**given))
            await now.desk.look(0.0)
            situation = now.desk.waiting.of("cup")
            assert situation.note == (
                "Nothing is being played: too few bots that may meet are connected."
            )
            assert {line.bot: line.sentence for line in situation.waiting} == {
                "ada": "ada is not connected",
                "cyd": "cyd does not play two-player or two-player-winter",
            }
            assert all(not line.declared_at for line in situation.waiting)

    asyncio.run(test())


def test_a_bot_is_told_what_a_tournament_misses() -> None:
    cup = defined(**TRIO)
    assert notice(cup, "ada", ["two-player", "two-player-winter", "summer"]) == ""
    assert notice(cup, "eve", []) == ""  # it is not entered
    assert notice(cup, "ada", ["two-player"]) == (
        "ada does not play two-player-winter: tournament cup decides those matches without it "
        "after 1 min 40 s; add it to the bot's formats"
    )
    patient = defined(**{**TRIO, "patience_seconds": 0})
    assert "tournament cup waits for it without end" in notice(patient, "ada", ["summer"])
    ladder = {key: value for key, value in TRIO.items() if key != "rotations"}
    open_cup = defined(**{**ladder, "schedule": "ladder"})
    assert notice(open_cup, "ada", ["two-player"]) == ""  # a ladder takes what it plays
    assert "the ladder cup never pairs it" in notice(open_cup, "ada", ["summer"])


def test_what_was_declared_is_listed(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", ["bob", "cyd"]) as now:
            await now.desk.open(defined(**TRIO))
            for at in (0.0, 100.0):
                await now.desk.look(at)
            await idle(now)
            await now.desk.look(101.0)
            read = now.rooms.database.read
            found = await read(declarations, "cup")
            assert len(found) == 4
            assert {each.absent for each in found} == {("ada",)}
            assert {each.winners for each in found} == {("bob",), ("cyd",)}
            assert {each.format for each in found} == set(TRIO["formats"])
            assert all(each.declared and each.round for each in found)
            far = await read(progress, await now.desk.find("cup"))
            assert far == (6, 4, 6)
            # What is played after all is declared no more.
            declared = await read(store.find_match, found[0].match)
            assert declared is not None
            now.bots["ada"] = Bot(now.rooms, "ada", formats=tuple(TRIO["formats"]))
            await now.changes.void(declared[0], Voiding("ada is back", replay=True), "organiser")
            await now.until_over("cup")
            assert found[0].match not in {each.match for each in await read(declarations, "cup")}
            assert await read(progress, await now.desk.find("cup")) == (6, 3, 6)

    asyncio.run(test())


def test_an_estimate_goes_by_the_last_matches() -> None:
    pace = Throughput()
    assert pace.seconds("cup", 10, 0.0) is None
    pace.note("cup", 0.0)
    assert pace.seconds("cup", 10, 1.0) is None  # one end is no pace
    for at in range(1, 5):
        pace.note("cup", float(at))
    assert pace.seconds("cup", 10, 4.0) == 10.0
    assert pace.seconds("cup", 10, 8.0) == 20.0  # nothing ended since
    assert pace.seconds("cup", 0, 8.0) is None
    for at in range(200):
        pace.note("cup", 1000.0 + at / 10)
    assert pace.seconds("cup", 10, 1019.9) == pytest.approx(1.0)  # what was slow is long ago
    pace.keep_only(["other"])
    assert pace.seconds("cup", 10, 1020.0) is None
