"""A server with a match that its database does not take: it says so, stops cleanly, and goes on."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from paddock.v1 import match_pb2
from paddock_server.store.database import Database
from tests.cli.command import call
from tests.lobby.test_stuck import POISON
from tests.server.organiser import Organiser
from tests.server.process import Server, patiently, until
from tests.server.raw import Bot, connected


def tell(database: Path, statement: str) -> None:
    """Have a database do this while no server has it."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(statement)
        connection.commit()


async def play(server: Server) -> str:
    """The id of a match that gets stuck, beside others that do not."""
    async with connected(server.address) as channel:
        organiser = Organiser(channel)
        versions = {"ada": "poison", "bob": "1", "cyd": "1"}
        players = [Bot(channel, name, version=version) for name, version in versions.items()]
        for bot in players:
            await bot.enter()
        (bad,) = await organiser.start("two-player", ["ada", "bob"])
        for match_id in await organiser.start("two-player", ["bob", "cyd"], 3):
            await organiser.finished(match_id)
        async for _ in patiently():
            if (await organiser.get(bad)).match.state == match_pb2.MATCH_STATE_STUCK:
                break
        for bot in players:
            await bot.close()
        return bad


async def finished(server: Server, match_id: str) -> bool:
    async with connected(server.address) as channel:
        return (await Organiser(channel).finished(match_id)).clean()


def test_a_stuck_match_is_listed_left_alone_and_retried(tmp_path: Path) -> None:
    poison, cure = POISON["sqlite"]
    server = Server(tmp_path)
    Database(str(server.database)).close()
    tell(server.database, poison)
    with server:
        bad = asyncio.run(play(server))
        listed = call("match", "list", "--state", "stuck", "--json", "--server", server.address)
        assert bad in listed.out
        assert "could not store it" in listed.out
        refused = call("match", "retry", "nothing", "--server", server.address).refused()
        assert "match/unknown" in refused
        # It is counted when that is on the disk.
        until("the count", lambda: server.metric("paddock_stuck_matches") == 1)
        assert server.terminate() == 0  # nothing holds it up
        assert "match set aside" in server.said()
        tell(server.database, cure)
        server.start()
        assert server.metric("paddock_stuck_matches") == 1
        done = call("match", "retry", bad, "--server", server.address)
        assert f"{bad} is" in done.out
        assert asyncio.run(finished(server, bad))
        refused = call("match", "retry", bad, "--server", server.address).refused()
        assert "match/not_stuck" in refused
