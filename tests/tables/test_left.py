"""What a server of today left when it was killed: every later one plays it to its end."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from paddock_games import Timing, read_record, verify
from paddock_server.store.database import Database
from tests.lobby.playing import PATIENT, Bot, Finished, running

KEPT = Path(__file__).parents[1] / "data" / "journals"
FORMATS = ("summer", "winter", "two-player", "dino-twist-small")


@pytest.fixture(params=sorted(KEPT.glob("*.sql")), ids=lambda path: f"schema {path.stem}")
def left(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database with matches that were open or waiting, in the words of their time."""
    path = tmp_path / "left.db"
    Database(str(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(request.param.read_text())
    return path


def journalled(path: Path) -> dict[int, list[Any]]:
    """The steps that the journal has of each match, as they were written."""
    query = "SELECT match, event FROM journal WHERE position > 0 ORDER BY match, position"
    steps: dict[int, list[Any]] = {}
    with closing(sqlite3.connect(path)) as connection:
        for number, text in connection.execute(query):
            steps.setdefault(number, []).append(json.loads(text))
    return steps


def ids(path: Path) -> dict[str, int]:
    """The numbers of matches by id."""
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT id, number FROM matches"))


def test_open_matches_go_on_from_their_last_step_and_waiting_ones_begin(left: Path) -> None:
    steps, numbers = journalled(left), ids(left)
    assert {number: len(some) for number, some in steps.items()} == {2: 5, 3: 4, 4: 5}

    async def main() -> list[Any]:
        async with running(left, PATIENT) as rooms:
            done = Finished(rooms.tables)
            names = ("bob", "mute", "cyd", "dan", "gus")
            bots = [Bot(rooms, name, formats=FORMATS) for name in names]
            records = await done.wait(5)
            for bot in bots:
                bot.leave()
            return records

    records = {numbers[record["match"]]: record for record in asyncio.run(main())}
    assert records.keys() == {2, 3, 4, 5, 6}
    for number, record in records.items():
        replay = verify(read_record(json.dumps(record)))
        for step, event in zip(replay.steps, steps.get(number, ()), strict=False):
            seats = sorted(step.choices)
            chosen = [step.state.legal(seat).index(step.choices[seat]) for seat in seats]
            assert chosen == event["choices"]
            assert [step.timings[seat] for seat in seats] == [Timing(*t) for t in event["timings"]]
    forfeits = [seat["forfeit"] for seat in records[2]["seats"]]
    assert forfeits == [False, True, False]  # it had forfeited before
    assert records[3]["fairness"]["seed"] == records[5]["fairness"]["seed"] == "ab" * 32
    nonces = [[seat["nonce"] for seat in records[number]["seats"]] for number in (3, 5)]
    assert nonces == [[f"{seat:032x}" for seat in (1, 2, 3)]] * 2
    assert records[3]["rules"]["quarantine_may_stay"]
