"""Clusters of real processes: bots on any node meet, and nothing is lost with a node."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import grpc.aio
import pytest

from paddock.v1 import match_pb2
from paddock_server.store.database import Database
from tests.cluster.cluster import SERIES, Cluster, cluster
from tests.server.raw import anything, bots, nothing

BOTS = [f"bot{number}" for number in range(6)]


async def _play(nodes: Cluster, games: int) -> None:
    for format_name, seats in SERIES.items():
        await nodes.start_matches(format_name, BOTS, games, seats=seats)


async def _watch_everywhere(nodes: Cluster) -> None:
    """One match, whose bots are all on one node, is seen to its end from every node."""
    async with bots(nodes.addresses[1], ["ann", "ben"], nothing) as players:
        async with nodes.organiser(2) as organiser:
            await organiser.connected("ann", "ben")
        (match_id,) = await nodes.start_matches("two-player", ["ann", "ben"])
        asks = [await bot.next("ask") for bot in players]
        request = match_pb2.WatchMatchRequest(match_id=match_id)
        async with AsyncExitStack() as stack:
            watching = []
            for node in range(3):
                organiser = await stack.enter_async_context(nodes.organiser(node))
                items = aiter(organiser.stub.WatchMatch(request))
                assert (await anext(items)).HasField("table")
                watching.append(items)
            for bot, ask in zip(players, asks, strict=True):
                bot.answer = anything(bot.name)
                bot.put(*bot.answer(ask))
            seen = [[item async for item in items] for items in watching]
        assert seen[0]
        assert seen[0] == seen[1] == seen[2]


def _whole(nodes: Cluster, played: int) -> None:
    """Every match is over, once; every record verifies; nobody was blamed; ratings add up."""
    nodes.stop()
    assert played
    assert nodes.problems(BOTS) == []
    assert "Traceback" not in nodes.said()


def test_bots_on_different_nodes_meet_and_any_node_answers(
    tmp_path: Path, postgresql_place: str
) -> None:
    async def play(nodes: Cluster) -> int:
        for node in range(3):
            await nodes.led(node)
            async with nodes.organiser(node) as organiser:
                assert len(await organiser.connected(*BOTS)) == len(BOTS)
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await organiser.start("summer", ["nobody"], 1, seats=4)
                assert refused.value.code() is grpc.StatusCode.NOT_FOUND
                assert dict(refused.value.trailing_metadata())["paddock-reason"] == "bot/unknown"
        await _watch_everywhere(nodes)
        await _play(nodes, 6)
        return await nodes.over()

    with cluster(tmp_path, postgresql_place) as nodes, nodes.bots(BOTS):
        played = asyncio.run(play(nodes))
        assert played == 19
    _whole(nodes, played)
    database = Database(postgresql_place, reading=True)
    owners = database.look(lambda connection: connection.exec_driver_sql(
        "SELECT count(DISTINCT node) FROM matches").scalar_one())  # fmt: skip
    database.close()
    assert owners == 3, "all nodes play"
