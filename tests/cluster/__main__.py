"""A cluster to look at: three nodes, forty bots, a node that dies, and the ladder at the end.

    python -m tests.cluster [--matches 200]

PostgreSQL and NATS are started for it, and gone afterwards; Debian's packages `postgresql` and
`nats-server` have them. Everything is on this machine.
"""

import argparse
import asyncio
import logging
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import grpc.aio

from paddock.bots.careful import CarefulBot
from paddock.bots.greedy import GreedyBot
from paddock.bots.random import RandomBot
from paddock.running import play
from tests import postgresql
from tests.cluster.cluster import Cluster

_KINDS = (CarefulBot, GreedyBot, RandomBot, GreedyBot)
_NAMES = ("careful", "greedy", "random", "greedy")
_BOTS = 40


def main() -> None:
    """Play, kill a node in the middle, and print the ladder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=200, help="how many (200)")
    options = parser.parse_args()
    logging.getLogger("paddock").setLevel(logging.CRITICAL)  # bots lose connections, as they should
    if shutil.which("nats-server") is None or not postgresql.at_hand():
        sys.exit("the demo needs PostgreSQL and NATS: apt-get install postgresql nats-server")
    with (
        tempfile.TemporaryDirectory(prefix="paddock-cluster-") as folder,
        postgresql.serving() as server,
        postgresql.database(server) as database,
    ):
        nodes = Cluster(Path(folder), database, 3)
        try:
            print("starting NATS and three nodes")
            nodes.start()
            asyncio.run(_show(nodes, options.matches))
            ladder = ("ladder", "summer", "--live", "--server", nodes.addresses[1])
            subprocess.run([sys.executable, "-m", "paddock_server", *ladder], check=True)
        finally:
            nodes.stop()
        problems = nodes.problems([f"{kind}-{number:02}" for number, kind in _named()])
    print("audit: every record verifies, nobody was blamed, the ladder is what its matches give"
          if not problems else "\n".join(problems))  # fmt: skip
    sys.exit(bool(problems))


def _named() -> list[tuple[int, str]]:
    return [(number, _NAMES[number % len(_NAMES)]) for number in range(_BOTS)]


async def _show(nodes: Cluster, matches: int) -> None:
    stop = asyncio.Event()
    names = [f"{kind}-{number:02}" for number, kind in _named()]
    print(f"connecting {len(names)} bots, each to one of {', '.join(nodes.addresses)}")
    bots = [asyncio.create_task(_bot(nodes, number, name, stop)) for number, name in
            enumerate(names)]  # fmt: skip
    try:
        await nodes.led(1)
        async with nodes.organiser(1) as organiser:
            await organiser.connected(*names)
        await nodes.start_matches("summer", names, matches, seats=4)
        print(f"playing {matches} matches")
        await _until(nodes, matches // 3)
        print("kill -9 of a node")
        nodes.nodes[0].kill()
        await _until(nodes, matches)
    finally:
        stop.set()
        await asyncio.gather(*bots, return_exceptions=True)


async def _bot(nodes: Cluster, number: int, name: str, stop: asyncio.Event) -> None:
    turn = number % len(nodes.addresses)
    servers = ",".join([*nodes.addresses[turn:], *nodes.addresses[:turn]])
    await play(_KINDS[number % len(_KINDS)](), servers, name=name, max_matches=2, stop=stop)


async def _until(nodes: Cluster, count: int) -> None:
    """Say how many matches are over, until these are; a node that lives is asked."""
    shown = -1
    while True:
        with suppress(grpc.aio.AioRpcError):
            async with nodes.organiser(1) as organiser:
                done = sum(bool(each.ended) for each in await organiser.all())
                if done // 20 != shown // 20 or done >= count:
                    print(f"  {done} matches are over")
                    shown = done
                if done >= count:
                    return
        await asyncio.sleep(0.5)


if __name__ == "__main__":
    main()
