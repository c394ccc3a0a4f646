"""A chaos run of a cluster: three nodes, bots in several languages, faults by a seeded schedule."""

import asyncio
import signal
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import grpc.aio
from sqlalchemy.engine import make_url

from paddock_server.store import store
from paddock_server.store.database import Database
from tests import postgresql
from tests.audit import stored_problems
from tests.chaos.field import Field, honest, start_bots, start_cups, unfinished_cups
from tests.chaos.guests import LATE
from tests.chaos.line import Line
from tests.chaos.run import Outcome, megabytes
from tests.clients.languages import ROOT
from tests.cluster.cluster import Nats, Way, alive, nodes
from tests.server.organiser import Organiser
from tests.server.process import Process, Server, patiently
from tests.server.raw import connected

_CONFIG: Final = "[clock]\nbase = 3.0\nbank = 0.0\n"  # shorter than most faults
_FORMATS: Final = {"summer": 4, "two-player": 2, "dino-twist": 3, "series": 3}
_AT_ONCE: Final = 24  # matches that wait or are open
_LAST_MATCHES_S: Final = 240.0
_LAST_OF_WEAK_S: Final = 40.0  # such matches may well hang
_CUT: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^paddock'"
)


class Schedule(NamedTuple):
    """What is to happen in a run."""

    seed: int
    only: Sequence[str] = ()  # names of faults; empty: all of them
    without: str = ""  # a safeguard that the nodes don't have
    field: Field = Field()


class ClusterRun:
    """One run: matches are started all the time, and faults come one after the other."""

    def __init__(self, folder: Path, schedule: Schedule) -> None:
        self._folder = folder
        self._chance = Random(schedule.seed)
        self._pairing = Random(schedule.seed)  # as often as the machine allows
        self._only = schedule.only
        self._deck: list[str] = []  # the faults to come
        self._without = schedule.without
        self._field = schedule.field
        self._postgresql = postgresql.Server(durable=True)
        self._nats = Nats(folder)
        self._nodes: list[Server] = []
        self._buses: list[Line] = []  # the nodes' lines to NATS
        self._databases: list[Line] = []  # and to PostgreSQL
        self._bots: list[Process] = []
        self._ids: set[str] = set()
        self.happened: list[str] = []

    async def play(self, seconds: float) -> Outcome:
        """Play for this long, let all matches end, and audit."""
        self._postgresql.start()
        try:
            with postgresql.database(self._postgresql.url) as database:
                return await self._play_on(database, seconds)
        finally:
            self._postgresql.remove()

    async def _play_on(self, database: str, seconds: float) -> Outcome:
        try:
            await self._start(database)
            stop = asyncio.Event()
            organiser = asyncio.create_task(self._keep_matches_coming(stop))
            await self._until_some_are_open()
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                await self._fault(database)
                await asyncio.sleep(self._chance.uniform(0.5, 2.5))
            stop.set()
            await organiser
            problems = await self._let_all_end()
            most = max(megabytes(node.process.pid) for node in self._nodes if node.process)
        finally:
            for process in self._bots:
                process.kill()
            for node in self._nodes:
                node.kill()
            self._nats.kill()
            for line in (*self._buses, *self._databases):
                await line.close()
        problems += [
            f"{node.folder.name} logged a traceback"
            for node in self._nodes
            if "Traceback" in node.said()
        ]
        problems += _audit(database, self._field)
        return Outcome(len(self.happened), len(self._ids), most, problems)

    async def _start(self, database: str) -> None:
        self._nats.start()
        name = make_url(database).database
        for _ in range(3):
            bus, store = Line(self._nats.address.partition("//")[2]), Line(self._postgresql.socket)
            await bus.open()
            await store.open()
            self._buses.append(bus)
            self._databases.append(store)
        ways = [
            Way(f"nats://{bus.address}", f"postgresql://postgres@{store.address}/{name}")
            for bus, store in zip(self._buses, self._databases, strict=True)
        ]
        weak = {"SAFEGUARD_TO_LEAVE_OUT": self._without, "PYTHONPATH": str(ROOT)}
        module, env = ("tests.chaos.weak_node", weak) if self._without else ("paddock_server", {})
        self._nodes = nodes(self._folder, ways, _CONFIG, module, env)
        for node in self._nodes:
            await asyncio.to_thread(node.start)  # its lines run here
        servers = [node.address for node in self._nodes]
        self._bots = start_bots(self._field, self._folder, servers)

    # --- matches ----------------------------------------------------------------------------

    async def _keep_matches_coming(self, stop: asyncio.Event) -> None:
        names = [*honest(self._field), LATE]
        while not stop.is_set():
            with suppress(grpc.aio.AioRpcError, AssertionError, TimeoutError):
                node = self._pairing.choice(self._nodes)
                async with asyncio.timeout(10), connected(node.address) as channel:
                    organiser = Organiser(channel)
                    if self._field.cups:
                        await start_cups(self._field, channel)
                    if len(await alive(organiser)) < _AT_ONCE:
                        format_name = self._pairing.choice(sorted(_FORMATS))
                        seats = _FORMATS[format_name]
                        field = self._pairing.sample(names, seats)
                        await organiser.start(format_name, field, 4, seats=seats)
            await asyncio.sleep(0.2)

    async def _until_some_are_open(self) -> None:
        async for _ in patiently():
            if any(node.metric("paddock_open_matches") for node in self._nodes):
                return

    async def _let_all_end(self) -> list[str]:
        """Wait for the last matches; what is still alive then hangs."""
        until = time.monotonic() + (_LAST_OF_WEAK_S if self._without else _LAST_MATCHES_S)
        left: Sequence[str] = ["unknown"]
        while left and time.monotonic() < until:
            await asyncio.sleep(0.5)
            with suppress(grpc.aio.AioRpcError, AssertionError, TimeoutError):
                async with asyncio.timeout(20), connected(self._nodes[0].address) as channel:
                    organiser = Organiser(channel)
                    left = await alive(organiser) + await unfinished_cups(self._field, channel)
                    self._ids = {each.match_id for each in await organiser.all()}
        return [f"{each} hangs" for each in left]

    # --- faults -----------------------------------------------------------------------------

    async def _fault(self, database: str) -> None:
        faults: dict[str, Callable[[Server], Coroutine[Any, Any, None]]] = {
            "kill": self._kill,
            "freeze": self._freeze,
            "drain": self._drain,
            "off the bus": self._off_the_bus,
            "off the database": self._off_the_database,
        }
        common: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "NATS killed": self._kill_nats,
            "database crash": self._crash_database,
            "cut connections": lambda: asyncio.to_thread(_cut, database),
        }
        if not self._deck:  # each comes once before any comes again
            self._deck = [*(self._only or (*faults, *common))]
            self._chance.shuffle(self._deck)
        name = self._deck.pop()
        self.happened.append(name)
        if name in common:
            await common[name]()
        else:
            await faults[name](self._chance.choice(self._nodes))

    async def _pause(self, least: float, most: float) -> None:
        await asyncio.sleep(self._chance.uniform(least, most))

    async def _kill(self, node: Server) -> None:
        node.kill()
        await self._pause(0.0, 3.0)
        await asyncio.to_thread(node.start)

    async def _freeze(self, node: Server) -> None:
        node.signal(signal.SIGSTOP)
        await self._pause(1.0, 10.0)
        node.signal(signal.SIGCONT)

    async def _drain(self, node: Server) -> None:
        await asyncio.to_thread(node.terminate)
        await asyncio.to_thread(node.start)

    async def _off_the_bus(self, node: Server) -> None:
        await self._buses[self._nodes.index(node)].stall(self._chance.uniform(4.0, 15.0))

    async def _off_the_database(self, node: Server) -> None:
        await self._databases[self._nodes.index(node)].stall(self._chance.uniform(1.0, 10.0))

    async def _kill_nats(self) -> None:
        self._nats.kill()
        await self._pause(0.5, 8.0)
        self._nats.start()

    async def _crash_database(self) -> None:
        self._postgresql.stop()
        await self._pause(0.0, 2.0)
        await asyncio.to_thread(self._postgresql.start)


def _cut(database: str) -> None:
    postgresql.tell(database, _CUT)


def _audit(address: str, field: Field) -> list[str]:
    database = Database(address)
    try:
        problems = list(stored_problems(database, honest(field)))
        records = database.look(store.list_records, 0, 1_000_000)
    finally:
        database.close()
    late = sum(seat.faults for row, _ in records for seat in row.results if seat.bot == LATE)
    if field.cups and not late:  # in a short run it may be in time by chance
        problems.append(f"{LATE} has no fault, and it was late on purpose")
    return problems


def run_cluster(schedule: Schedule, seconds: float, folder: Path) -> tuple[Outcome, list[str]]:
    """A run; how it ended, and the faults in order."""
    chaos = ClusterRun(folder, schedule)
    return asyncio.run(chaos.play(seconds)), chaos.happened
