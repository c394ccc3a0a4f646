"""Matches whose deal others are to play: nobody watches them or sees that they belong."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from paddock_games import BadRecord, game_of, read_record, verify
from paddock_server.referee.plan import Deal, Plan
from tests.lobby.playing import PATIENT, Bot, Finished, running

RULES = game_of("two-player").rules(None)


def plan(**more: Any) -> Plan:
    """A match of rex and a house bot."""
    return Plan("two-player", RULES, ("rex", "house-random"), PATIENT)._replace(**more)


def test_a_match_of_a_block_is_watched_by_nobody(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT) as rooms:
            done = Finished(rooms.tables)
            two = asyncio.Event()

            def hear(_ask: Any) -> None:
                if len(rex.heard("ask")) == 2:
                    two.set()

            rex = Bot(rooms, "rex", answers=hear)
            block = plan(block="b", block_size=2)
            hidden, open_one = await rooms.lobby.play([block, plan()])
            await two.wait()
            assert rooms.tables.watch(hidden) is None
            for match in rooms.tables.open_matches(10):
                assert match.withheld == (match.id == hidden)
                assert (match.table is None) == match.withheld
            watcher = rooms.tables.watch(open_one)
            assert watcher is not None
            watcher.leave()
            for ask in rex.heard("ask"):
                rooms.tables.resign(rex.session, ask.match_id)
            await done.wait(2)
            fairness = {record["match"]: record["fairness"] for record in done.records}
            assert fairness[hidden]["version"] == 2
            assert "version" not in fairness[open_one]
            rex.leave()

    asyncio.run(main())


@pytest.mark.parametrize("common_dice", [False, True])
def test_commitments_to_one_seed_differ_except_in_a_comparison(
    tmp_path: Path, common_dice: bool
) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", PATIENT) as rooms:
            done = Finished(rooms.tables)
            dealt = []
            rex = Bot(rooms, "rex", most=1)
            block = plan(block="b", block_size=2, common_dice=common_dice)
            await rooms.lobby.play([block])
            await done.wait(1)
            fairness = done.records[0]["fairness"]
            nonces = tuple(seat["nonce"] for seat in done.records[0]["seats"])
            dealt.append(block._replace(deal=Deal(fairness["seed"], nonces)))
            await rooms.lobby.play(dealt)
            await done.wait(2)
            told = {started.commitment for started in rex.heard("match_started")}
            assert len(told) == (1 if common_dice else 2)
            assert len({record["fairness"]["seed"] for record in done.records}) == 1
            for record in done.records:
                verify(read_record(json.dumps(record)))
                changed = json.loads(json.dumps(record))
                changed["fairness"]["version"] = 1 if not common_dice else 2
                with pytest.raises(BadRecord, match="commitment"):
                    verify(read_record(json.dumps(changed)))
            rex.leave()

    asyncio.run(main())
