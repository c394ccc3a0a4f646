"""A comparison under way: no block waits for another."""

import asyncio
from pathlib import Path
from typing import Any

from paddock_games import game_of
from paddock_ladder.schedules import Seating
from paddock_ladder.schedules.comparison import Comparing, Comparison
from paddock_ladder.sequential import SequentialTest
from paddock_server.tournaments.definition import Definition
from paddock_server.tournaments.running import Running
from tests.lobby.playing import PATIENT
from tests.tournaments.playing import defined, life

FORMAT = "two-player"
BLOCKS = 6


def _definition() -> Definition:
    rules = {FORMAT: game_of(FORMAT).rules(None)}
    given: dict[str, Any] = {"schedule": "round-robin", "bots": ["ada", "bob"]}
    return defined(**given)._replace(rated=False, rules=rules, clock=PATIENT)


def test_a_match_that_takes_long_holds_no_other_block_up(tmp_path: Path) -> None:
    stuck: list[str] = []

    def slow(ask: Any) -> int | None:
        """Never answers in the first match that it is asked in."""
        if not stuck:
            stuck.append(ask.match_id)
        return None if ask.match_id == stuck[0] else 0

    async def test() -> None:
        async with life(tmp_path / "a.db", ("ada", "bob"), answers=slow) as now:
            comparison = Comparison("ada", "bob", (), Seating(FORMAT, 2))
            schedule = Comparing(comparison, SequentialTest(0.2), BLOCKS, ahead=2)
            running = Running(now.rooms.lobby, now.rooms.database, _definition(), schedule)
            now.desk.running[running.definition.name] = running
            await running.start()
            await now.finished.wait(2 * (BLOCKS - 1))  # all but the block of the slow match
            assert not running.done.is_set()

    asyncio.run(test())
