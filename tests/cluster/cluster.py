"""A cluster of real processes: a NATS server, nodes, bots that know all addresses."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import grpc.aio

from paddock.v1 import match_pb2
from paddock_server.store.database import Database
from tests.audit import stored_problems
from tests.server.organiser import Organiser
from tests.server.process import GUARD_S, Process, Server, patiently, quiet_port
from tests.server.raw import connected
from tests.tools import needs

SERIES = {"summer": 4, "two-player": 2, "dino-twist": 3}  # seats by format
CALM = "[clock]\nbase = 30.0\nbank = 0.0\n"  # so slow that nobody can be late by accident


class Nats:
    """A NATS server on a port of its own, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = quiet_port()
        self._process: Process | None = None

    @property
    def address(self) -> str:
        return f"nats://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """The number of its process; 0: it was never started."""
        return 0 if self._process is None else self._process.pid

    def start(self) -> None:
        program = needs("nats-server", "on Debian: apt-get install nats-server")
        where = ("-a", "127.0.0.1", "-p", str(self._port))
        self._process = Process(self._folder / "nats.log", program, *where)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()


class Way(NamedTuple):
    """How a node reaches the others."""

    bus: str
    database: str


class Cluster:
    """Some nodes on one database."""

    def __init__(self, folder: Path, database: str, count: int, config: str = CALM) -> None:
        self.database = database
        self.nats = Nats(folder)
        self._folder = folder
        self.nodes = nodes(folder, [Way(self.nats.address, database)] * count, config)

    def start(self) -> None:
        self.nats.start()
        for node in self.nodes:
            node.start()

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()
        self.nats.kill()

    @property
    def addresses(self) -> list[str]:
        return [node.address for node in self.nodes]

    def said(self) -> str:
        """All that all nodes logged."""
        return "\n".join(node.said() for node in self.nodes)

    @contextmanager
    def bots(self, names: Sequence[str], module: str = "greedy") -> Iterator[None]:
        """Sample bots, each with another node first in its list."""
        processes = []
        try:
            for number, name in enumerate(names):
                turn = number % len(self.addresses)
                servers = [*self.addresses[turn:], *self.addresses[:turn]]
                processes.append(
                    Process(
                        self._folder / f"{name}.log",
                        *(sys.executable, "-m", f"paddock.bots.{module}"),
                        PADDOCK_SERVER=",".join(servers),
                        PADDOCK_BOT=name,
                    )
                )
            yield
        finally:
            for process in processes:
                process.kill()

    @asynccontextmanager
    async def organiser(self, node: int = 0) -> AsyncIterator[Organiser]:
        """The organiser, who calls one of the nodes."""
        async with connected(self.nodes[node].address) as channel:
            yield Organiser(channel)

    async def led(self, node: int = 0) -> None:
        """Wait until calls to this node are answered: it leads, or knows who does."""
        async for _ in patiently():
            with suppress(grpc.aio.AioRpcError):
                async with self.organiser(node) as organiser:
                    await organiser.all()
                return

    async def start_matches(self, *arguments: Any, **more: Any) -> list[str]:
        """Start matches, through any node that answers."""
        async for _ in patiently():
            for node in range(len(self.nodes)):
                with suppress(grpc.aio.AioRpcError):
                    async with self.organiser(node) as organiser:
                        return await organiser.start(*arguments, **more)
        raise AssertionError("no node answers")

    async def keep_playing(self, stop: asyncio.Event, bots: Sequence[str], at_once: int) -> None:
        """Keep this many matches waiting or open, of all kinds in turn."""
        kinds = cycle(SERIES.items())
        while not stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), 0.05)
            if not await self._busy(at_once):
                format_name, seats = next(kinds)
                await self.start_matches(format_name, bots, 2, seats=seats)

    async def _busy(self, at_once: int) -> bool:
        for node in range(len(self.nodes)):
            with suppress(grpc.aio.AioRpcError):
                async with self.organiser(node) as organiser:
                    return len(await alive(organiser)) >= at_once
        return True

    def sessions(self, bot: str) -> int:
        """How many sessions a bot has had, on all nodes."""
        return len(re.findall(rf"session (?:opened|resumed).*\b{bot}\b", self.said()))

    async def over(self) -> int:
        """Wait until no match waits or is open; how many there are."""
        count = 0
        async for _ in patiently():
            with suppress(grpc.aio.AioRpcError):
                async with asyncio.timeout(GUARD_S), self.organiser() as organiser:
                    count = len(await organiser.all())
                    if not await alive(organiser):
                        return count
        return count

    def problems(self, honest: Sequence[str]) -> list[str]:
        """What an audit of the database finds; all nodes have to be stopped."""
        database = Database(self.database)
        try:
            return list(stored_problems(database, honest))
        finally:
            database.close()


def nodes(
    folder: Path,
    ways: Sequence[Way],
    config: str = CALM,
    module: str = "paddock_server",
    env: Mapping[str, str] | None = None,
) -> list[Server]:
    """A node for each of these ways, not started yet."""
    return [
        Server(
            folder / f"node-{number}",
            *("--db", way.database, "--cluster", way.bus),
            config=config,
            grpc=f"127.0.0.1:{quiet_port()}",
            module=module,
            env=env,
        )
        for number, way in enumerate(ways)
    ]


async def alive(organiser: Organiser) -> list[str]:
    """The matches that wait or are open."""
    found = []
    for state in (match_pb2.MATCH_STATE_WAITING, match_pb2.MATCH_STATE_OPEN):
        request = match_pb2.ListMatchesRequest(state=state)
        page = await organiser.stub.ListMatches(request, timeout=GUARD_S)
        found += [each.match_id for each in page.matches]
    return found


@contextmanager
def cluster(folder: Path, database: str, count: int = 3, config: str = CALM) -> Iterator[Cluster]:
    """A cluster that runs."""
    nodes = Cluster(folder, database, count, config)
    try:
        nodes.start()
        yield nodes
    finally:
        nodes.stop()
