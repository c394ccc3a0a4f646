"""kill -9 of the server, again and again: every match is finished once, and nobody is blamed."""

import asyncio
import random
import sqlite3
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path

from paddock.v1 import match_pb2
from tests.server.organiser import Organiser
from tests.server.process import Server, patiently, quiet_port, sdk_bot
from tests.server.raw import connected

KILLS = 4
BOTS = ("ada", "bob", "cyd", "dan", "eve")
# All five play, and the house; what is started here is 100 matches.
WANTED = (
    ("winter", BOTS, 30, 5),
    ("summer", (*BOTS[:3], "house-random"), 20, 4),
    ("series", BOTS[1:], 20, 4),
    ("two-player-series", (*BOTS[:2],), 10, 2),
    ("two-player-winter", (*BOTS[3:],), 20, 2),
)


def test_matches_survive_the_death_of_the_server(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"kills with seed {seed}")  # noqa: T201 -- pytest shows it where the test fails
    rng = random.Random(seed)
    server = Server(tmp_path, grpc=f"127.0.0.1:{quiet_port()}")
    with server, ExitStack() as stack:
        for bot in BOTS:
            stack.enter_context(sdk_bot(server, bot))
        ids = asyncio.run(_start(server))
        marks = sorted(rng.sample(range(len(ids) - 10), KILLS))
        print(f"killed when {marks} are finished")  # noqa: T201
        for mark in marks:
            asyncio.run(_finished(server, mark))
            asyncio.run(asyncio.sleep(rng.uniform(0.0, 0.05)))
            server.kill()
            server.start()
        asyncio.run(_finished(server, len(ids)))
        asyncio.run(_check(server, ids))
    _check_database(server, ids)
    resumed = [line for line in server.said().splitlines() if " matches resumed: " in line]
    assert len(resumed) == KILLS, server.said()
    for bot in BOTS:
        said = (tmp_path / f"{bot}.log").read_text()
        assert "Traceback" not in said
        assert "not the one the server committed to" not in said
    assert "Traceback" not in server.said()


async def _start(server: Server) -> list[str]:
    async with connected(server.address) as channel:
        organiser = Organiser(channel)
        await organiser.connected(*BOTS)
        ids: list[str] = []
        for format_name, bots, count, seats in WANTED:
            ids += await organiser.start(format_name, bots, count, seats=seats)
        return ids


async def _finished(server: Server, count: int) -> None:
    """Wait until so many matches are finished."""
    async with connected(server.address) as channel:
        organiser = Organiser(channel)
        async for _ in patiently():
            if len(await organiser.all(match_pb2.MATCH_STATE_FINISHED)) >= count:
                return


async def _check(server: Server, ids: list[str]) -> None:
    async with connected(server.address) as channel:
        organiser = Organiser(channel)
        assert sorted(each.match_id for each in await organiser.all()) == sorted(ids)
        for match_id in ids:
            match = await organiser.finished(match_id)
            assert match.clean(), match.json


def _check_database(server: Server, ids: list[str]) -> None:
    """Nothing is there twice, and nothing is left over."""
    with closing(sqlite3.connect(server.database)) as database:
        rows = database.execute("SELECT id, state FROM matches").fetchall()
        assert Counter(rows) == Counter((match_id, "finished") for match_id in ids)
        assert database.execute("SELECT count(*) FROM journal").fetchone() == (0,)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
