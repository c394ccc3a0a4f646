"""A server that is replaced by a newer one: what it left goes on by the rules it began with."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from paddock_games import read_record, verify
from paddock_games.dino_twist import Rules, Rules1
from paddock_server.store import store
from paddock_server.tournaments.report import stored_report
from tests.tournaments.playing import life

KEPT = Path(__file__).parents[1] / "data" / "records" / "dino_twist_1.sql"


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """What a server left when the rules of Dino Twist had version 1: two open matches, one that
    waits, and a ladder of two matches whose second is still to be planned."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(KEPT.read_text())
        states = connection.execute("SELECT state FROM matches ORDER BY number").fetchall()
    assert [state for (state,) in states].count("open") == 2
    return path


def last(ask: Any) -> int:
    """The last legal choice: of an attack in version 1, to discard what was beaten."""
    return len(ask.choices) - 1


def test_matches_and_tournaments_go_on_by_the_rules_they_began_with(left: Path) -> None:
    async def test() -> None:
        async with life(left, ("ada", "bob"), answers=last) as now:
            await now.finished.wait(4)
            await now.until_over("cup")
            fresh = await now.rooms.lobby.add_matches("dino-twist", ["ada", "bob"], 1, 2)
            await now.finished.wait(5)
            records = {}
            for row in await now.rooms.database.read(store.list_matches, None, 9):
                found = await now.rooms.database.read(store.find_match, row.id)
                assert found is not None
                records[row.id] = json.loads(found[1])
                faults = [seat.faults for seat in row.results]
                assert faults == [0, 0]
            new = records.pop(fresh[0])
            assert new["rules_version"] == 2
            assert verify(read_record(json.dumps(new))).match.rules == Rules()
            assert len(records) == 4
            for record in records.values():
                assert "rules_version" not in record
                cup = record["tournament"] == "cup"
                rules = verify(read_record(json.dumps(record))).match.rules
                assert rules == Rules1(bury_by_species=cup)
            report = await now.rooms.database.read(stored_report, "cup")
            assert report is not None
            assert (report.over, report.planned) == (2, 2)

    asyncio.run(test())
