"""A whole server on PostgreSQL: killed, cut off from its database, and nothing is lost."""

import asyncio
from pathlib import Path

from paddock.v1 import match_pb2
from paddock_server.store import ratings, store
from tests.postgresql import tell
from tests.server.organiser import Organiser
from tests.server.process import Server, patiently, quiet_port, sdk_bot
from tests.server.raw import connected
from tests.store.opened import count, opened, read

MATCHES = 40
FORMAT = "two-player"
BOTS = ("ada", "bob")
CUT = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"  # the writer


def test_matches_survive_the_death_of_the_server_and_of_its_connections(
    tmp_path: Path, postgresql_place: str
) -> None:
    grpc = f"127.0.0.1:{quiet_port()}"
    server = Server(tmp_path, "--db", postgresql_place, grpc=grpc)
    with server, sdk_bot(server, "ada"), sdk_bot(server, "bob"):
        ids = asyncio.run(_start(server))
        asyncio.run(_finished(server, 5))
        server.kill()
        server.start()
        asyncio.run(_finished(server, 15))
        assert tell(postgresql_place, CUT) == [(True,)]
        asyncio.run(_finished(server, MATCHES))
        asyncio.run(_check(server, ids))
        with opened(postgresql_place, reading=True) as beside:  # while the server has it
            (first, second) = read(beside, ratings.standings, FORMAT)
            assert first.totals.matches == second.totals.matches == MATCHES
            assert first.totals.wins + second.totals.wins == MATCHES
            assert read(beside, ratings.count_rated, FORMAT) == MATCHES
            assert read(beside, store.unfinished) == []
            assert read(beside, count, "journal") == 0
    assert "Traceback" not in server.said()
    assert not (tmp_path / "paddock.db").exists()


async def _start(server: Server) -> list[str]:
    async with connected(server.address) as channel:
        organiser = Organiser(channel)
        await organiser.connected(*BOTS)
        return await organiser.start(FORMAT, BOTS, MATCHES, seats=2)


async def _finished(server: Server, wanted: int) -> None:
    async with connected(server.address) as channel:
        organiser = Organiser(channel)
        async for _ in patiently():
            if len(await organiser.all(match_pb2.MATCH_STATE_FINISHED)) >= wanted:
                return


async def _check(server: Server, ids: list[str]) -> None:
    async with connected(server.address) as channel:
        organiser = Organiser(channel)
        assert sorted(each.match_id for each in await organiser.all()) == sorted(ids)
        for match_id in ids:
            match = await organiser.finished(match_id)
            assert match.clean(), match.json
