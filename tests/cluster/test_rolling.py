"""Nodes that are replaced one by one, under load: no bot is blamed, and each reconnects once."""

import asyncio
from contextlib import suppress
from pathlib import Path

import grpc.aio

from paddock.v1 import match_pb2
from tests.cluster.cluster import Cluster, cluster
from tests.server.process import patiently

BOTS = [f"bot{number}" for number in range(6)]
# A bot that had to use its own time while it stays away for so long would be late.
CONFIG = "[clock]\nbase = 2.0\nbank = 0.0\n[policy]\nreturn_after_ms = 2500\n"
AT_ONCE = 18
BETWEEN = 12  # matches that end between two replacements


def test_nodes_are_replaced_one_by_one_and_no_bot_suffers(
    tmp_path: Path, postgresql_place: str
) -> None:
    with cluster(tmp_path, postgresql_place, config=CONFIG) as nodes, nodes.bots(BOTS):
        asyncio.run(_replace_all(nodes))
    assert nodes.problems(BOTS) == []
    assert "Traceback" not in nodes.said()


async def _replace_all(nodes: Cluster) -> None:
    await nodes.led()
    stop = asyncio.Event()
    playing = asyncio.create_task(nodes.keep_playing(stop, BOTS, AT_ONCE))
    try:
        for number, node in enumerate(nodes.nodes):  # the first one is the steward
            await _play_on(nodes, number)
            before = {bot: nodes.sessions(bot) for bot in BOTS}
            assert min(before.values()) > 0
            assert await asyncio.to_thread(node.terminate) == 0
            await asyncio.to_thread(node.start)
            await _play_on(nodes, number)
            more = {bot: nodes.sessions(bot) - before[bot] for bot in BOTS}
            assert max(more.values()) == 1, f"each bot reconnects once, at most: {more}"
    finally:
        stop.set()
        await playing
    await nodes.over()


async def _play_on(nodes: Cluster, node: int) -> None:
    """Wait until all bots are connected and more matches have ended, as a node tells."""
    first = None
    async for _ in patiently():
        with suppress(grpc.aio.AioRpcError):
            async with nodes.organiser(node) as organiser:
                await organiser.connected(*BOTS)
                over = len(await organiser.all(match_pb2.MATCH_STATE_FINISHED))
            first = over if first is None else first
            if over >= first + BETWEEN:
                return
