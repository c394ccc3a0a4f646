"""The steward of a cluster, as real processes: another takes over, whatever becomes of it."""

import asyncio
import signal
from pathlib import Path

from tests.cluster.cluster import Cluster, cluster
from tests.server.process import until
from tests.server.raw import bots, nothing

PAIR = ["ann", "ben"]


def leads(nodes: Cluster, node: int) -> bool:
    """Whether this node says that it is the steward."""
    return nodes.nodes[node].metric("paddock_steward") == 1


async def _play_on_elsewhere(nodes: Cluster, steward: int, other: int) -> None:
    """A match of the steward's own, which freezes in its middle, ends on another node."""
    async with bots(nodes.addresses[steward], PAIR, nothing) as players:
        async with nodes.organiser(steward) as organiser:
            await organiser.connected(*PAIR)
            (match_id,) = await organiser.start("two-player", PAIR)
        for player in players:
            await player.next("ask")
        nodes.nodes[steward].signal(signal.SIGSTOP)
        async with bots(nodes.addresses[other], PAIR), nodes.organiser(other) as organiser:
            await nodes.led(other)
            match = await organiser.finished(match_id)
            assert match.clean()
            assert match.bots == PAIR
            nodes.nodes[steward].signal(signal.SIGCONT)
            await nodes.led(steward)
            more = await nodes.start_matches("two-player", PAIR, 3)
            for again in more:
                assert (await organiser.finished(again)).clean()


def test_a_steward_that_stands_still_is_replaced_and_harms_nothing_when_it_wakes(
    tmp_path: Path, postgresql_place: str
) -> None:
    with cluster(tmp_path, postgresql_place) as nodes:
        steward = until("a steward", lambda: [n for n in range(3) if leads(nodes, n)])[0]
        other, third = (node for node in range(3) if node != steward)
        asyncio.run(_play_on_elsewhere(nodes, steward, other))
        until("one steward", lambda: leads(nodes, other) != leads(nodes, third))
        until("its new life", lambda: "it starts again" in nodes.nodes[steward].said())
        nodes.stop()
        assert nodes.problems(PAIR) == []
        assert "Traceback" not in nodes.said()
