"""A ladder under way: drawn by lot, patient but not for long, mindful of who met before."""

import asyncio
from pathlib import Path
from typing import Any

from paddock.v1 import arena_pb2
from paddock_ladder.schedules import Outcome
from paddock_ladder.schedules.meetings import Meetings
from paddock_server.basics.identity import stamp
from paddock_server.store import tournament_matches, tournaments
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tables.open_match import OpenMatch
from paddock_server.tournaments.ladder import LadderRunning
from tests.lobby.playing import Bot, settled
from tests.tournaments.playing import Life, defined, life

TWELVE = tuple(f"bot{number:02}" for number in range(12))


async def played(now: Life, **given: Any) -> list[Outcome]:
    """The matches of a ladder, when it is done."""
    await now.desk.open(defined(schedule="ladder", bots=[], **given))
    for at in range(10_000):
        await now.desk.look(float(at))
        if (await now.desk.find("cup")).state == "done":
            break
        await now.rooms.database.writer.write(lambda _connection: None)
    return await now.rooms.database.read(tournament_matches.outcomes, "cup")


def test_two_ladders_are_not_the_same(tmp_path: Path) -> None:
    """Lots are drawn anew each time: nobody knows beforehand whom a bot will meet."""

    async def first(number: int) -> list[tuple[str, ...]]:
        async with life(tmp_path / f"{number}.db", TWELVE) as now:
            outcomes = await played(now, formats=["summer"], seats=4, matches=3)
            return sorted(outcome.bots for outcome in outcomes)

    assert asyncio.run(first(1)) != asyncio.run(first(2))


def answer_all(bot: Bot) -> None:
    """Answer whatever it was asked so far."""
    for ask in bot.heard("ask"):
        bot.rooms.tables.choice(bot.session, ask.ask_id, 0)


def test_a_ladder_waits_for_a_choice_but_not_for_long(tmp_path: Path) -> None:
    """Of eight bots all are busy; two end their match, and the others don't."""
    ends: set[str] = set()

    async def test() -> None:
        def answers(ask: arena_pb2.Ask) -> int | None:
            return 0 if ask.match_id in ends else None

        async with life(tmp_path / "a.db", TWELVE[:8], answers=answers) as now:
            seconds = [0.0]
            definition = defined(schedule="ladder", bots=[], at_once=1)
            await now.rooms.database.writer.write(
                lambda connection: tournaments.add_tournament(
                    connection, TournamentRow("cup", definition.file, "running", stamp())
                )
            )
            ladder = LadderRunning(
                now.rooms.lobby, now.rooms.database, definition, lambda: seconds[0]
            )
            now.desk.running["cup"] = ladder
            await ladder.start()
            await settled(now.rooms.database)
            assert len(now.rooms.tables) == 4
            one = now.rooms.tables.open_matches(9)[-1]
            ends.add(one.id)
            for name in one.plan.bots:
                answer_all(now.bots[name])
            await now.finished.wait(1)
            for moment, under_way in ((0.0, 3), (1.0, 3), (1.9, 3), (2.0, 4)):
                seconds[0] = moment
                await ladder.look({})
                await settled(now.rooms.database)
                assert len(now.rooms.tables) == under_way

    asyncio.run(test())


def test_two_who_met_often_wait_for_a_slow_match_to_end(tmp_path: Path) -> None:
    """Matches take a minute. A pair that has just met waits for the next pair, and they mix."""
    ends: set[str] = set()

    async def test() -> None:
        def answers(ask: arena_pb2.Ask) -> int | None:
            return 0 if ask.match_id in ends else None

        async with life(tmp_path / "a.db", TWELVE[:6], answers=answers) as now:
            seconds = [0.0]
            definition = defined(schedule="ladder", bots=[], at_once=1)
            await now.rooms.database.writer.write(
                lambda connection: tournaments.add_tournament(
                    connection, TournamentRow("cup", definition.file, "running", stamp())
                )
            )
            ladder = LadderRunning(
                now.rooms.lobby, now.rooms.database, definition, lambda: seconds[0]
            )
            now.desk.running["cup"] = ladder
            await ladder.start()
            await settled(now.rooms.database)
            first, second, third = now.rooms.tables.open_matches(9)
            over = 0

            async def end(match: OpenMatch, moment: float) -> None:
                nonlocal over
                seconds[0] = moment
                ends.add(match.id)
                for name in match.plan.bots:
                    answer_all(now.bots[name])
                over += 1
                await now.finished.wait(over)

            async def look(moment: float) -> list[OpenMatch]:
                seconds[0] = moment
                await ladder.look({})
                await settled(now.rooms.database)
                return now.rooms.tables.open_matches(9)

            await end(first, 50.0)
            assert len(await look(53.0)) == 2
            await end(second, 60.0)
            mixed = {frozenset(one.plan.bots) for one in await look(60.0) if one.id != third.id}
            assert len(mixed) == 2
            assert mixed.isdisjoint({frozenset(first.plan.bots), frozenset(second.plan.bots)})

    asyncio.run(test())


def test_who_met_before_a_restart_is_known_after_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with life(tmp_path / "a.db", TWELVE) as now:
            outcomes = await played(now, formats=["summer"], seats=4, matches=10)
        wanted = Meetings(outcome.bots for outcome in outcomes)
        async with life(tmp_path / "a.db", ()) as now:
            ladder = LadderRunning(
                now.rooms.lobby, now.rooms.database, defined(schedule="ladder", bots=[])
            )
            await ladder.start()
            for bot in TWELVE:
                met = ladder._matchmaker._meetings.lately(bot)
                assert met
                assert met == wanted.lately(bot)

    asyncio.run(test())
