"""A chaos run: a real server, real bots, and faults by a seeded schedule, then an audit."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import grpc.aio

from paddock_server.store.database import Database
from tests.audit import stored_problems
from tests.chaos.calendar import Calendar
from tests.chaos.guests import HONEST, Guest, guests, harass
from tests.chaos.ledger import Ledger
from tests.chaos.places import PLACES, Place
from tests.clients.languages import ROOT
from tests.cluster.cluster import alive
from tests.server.organiser import Organiser
from tests.server.process import Server, quiet_port
from tests.server.raw import connected

_CONFIG: Final = "[clock]\nbase = 5.0\nbank = 5.0\n"  # no honest bot is that slow by accident
_FORMATS: Final = {"summer": 4, "winter": 3, "two-player": 2, "dino-twist": 4, "series": 3}
_AT_ONCE: Final = 24  # matches that wait or are open
_MOST_MEGABYTES: Final = 600
_MOST_FILES: Final = 400
_LAST_MATCHES_S: Final = 300.0


class Outcome(NamedTuple):
    """How a run ended."""

    faults: int
    matches: int
    megabytes: float  # of memory, at the end
    problems: list[str]


class Run:
    """One run: matches are started all the time, and faults come one after the other."""

    def __init__(
        self, place: Place, folder: Path, chance: Random, module: str = "paddock_server"
    ) -> None:
        self._place = place
        self._chance = chance
        self._calendar = Calendar(folder)
        self._server = Server(
            folder,
            *("--db", place.address),
            config=_CONFIG,
            env={**self._calendar.environment, "PYTHONPATH": str(ROOT)},
            grpc=f"127.0.0.1:{quiet_port()}",
            module=module,
        )
        self._folder = folder
        self._guests: list[Guest] = []
        self._ledger = Ledger()
        self._down = asyncio.Lock()  # one thing at a time happens to the server
        self.happened: list[str] = []

    async def play(self, seconds: float) -> Outcome:
        """Play for this long, let all matches end, and audit."""
        self._server.start()
        try:
            self._guests = guests(self._folder, self._server.address)
            for guest in self._guests:
                await guest.start()
            stop = asyncio.Event()
            organiser = asyncio.create_task(self._keep_matches_coming(stop))
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                await asyncio.sleep(self._chance.uniform(0.2, 2.5))
                await self._fault()
            stop.set()
            await organiser
            problems = await self._let_all_end()
            memory = megabytes(self._pid)
            problems += self._resources(memory)
            for guest in self._guests:
                problems += guest.problems()
                self._ledger.hear(guest.name, guest.said())
        finally:
            for guest in self._guests:
                await guest.stop()
            self._server.kill()
        problems += self._audit()
        return Outcome(len(self.happened), len(self._ledger.acknowledged), memory, problems)

    @property
    def _pid(self) -> int:
        assert self._server.process is not None
        return self._server.process.pid

    # --- matches ----------------------------------------------------------------------------

    async def _keep_matches_coming(self, stop: asyncio.Event) -> None:
        names = [guest.name for guest in self._guests]
        while not stop.is_set():
            with suppress(grpc.aio.AioRpcError, AssertionError, TimeoutError):
                async with asyncio.timeout(20), connected(self._server.address) as channel:
                    organiser = Organiser(channel)
                    while not stop.is_set():
                        waiting = await alive(organiser)
                        if len(waiting) < _AT_ONCE:
                            format_name = self._chance.choice(sorted(_FORMATS))
                            seats = _FORMATS[format_name]
                            field = self._chance.sample(names, max(seats, 2))
                            await self._ledger.start(organiser, format_name, field, 4, seats=seats)
                        await asyncio.sleep(0.3)
            await asyncio.sleep(0.2)

    async def _let_all_end(self) -> list[str]:
        """Wait for the last matches; what is still alive then hangs."""
        until = time.monotonic() + _LAST_MATCHES_S
        left: Sequence[str] = ["unknown"]
        while left and time.monotonic() < until:
            await asyncio.sleep(0.5)
            with suppress(grpc.aio.AioRpcError):
                async with connected(self._server.address) as channel:
                    left = await alive(Organiser(channel))
        return [f"match {match_id} hangs" for match_id in left]

    # --- faults -----------------------------------------------------------------------------

    async def _fault(self) -> None:
        faults: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "kill": self._kill,
            "freeze": self._freeze,
            "drain": self._drain,
            "cut line": self._cut_line,
            "stalled line": self._stall_line,
            "slow line": self._slow_line,
            "hostile client": self._harass,
        }
        if self._calendar.can_be_set:
            faults["clock step"] = self._step_clock
        name = self._chance.choice([*faults, *self._place.faults])
        self.happened.append(name)
        async with self._down:
            if name in faults:
                await faults[name]()
            else:
                await self._trouble_place(name)

    async def _kill(self) -> None:
        self._server.kill()
        await asyncio.sleep(self._chance.uniform(0.0, 1.0))
        self._server.start()

    async def _freeze(self) -> None:
        self._server.signal(signal.SIGSTOP)
        await asyncio.sleep(self._chance.uniform(0.5, 4.0))
        self._server.signal(signal.SIGCONT)

    async def _drain(self) -> None:
        self._server.signal(signal.SIGTERM)
        await asyncio.sleep(self._chance.uniform(0.5, 3.0))
        self._server.kill()  # an operator who does not wait for the end
        self._server.start()

    def _some_guest(self) -> Guest:
        return self._chance.choice(self._guests)

    async def _cut_line(self) -> None:
        self._some_guest().line.cut()

    async def _stall_line(self) -> None:
        await self._some_guest().line.stall(self._chance.uniform(0.2, 2.0))

    async def _slow_line(self) -> None:
        line = self._some_guest().line
        line.delay = self._chance.uniform(0.02, 0.15)
        await asyncio.sleep(2.0)
        line.delay = 0.0

    async def _harass(self) -> None:
        await harass(self._server.address, self._chance)

    async def _step_clock(self) -> None:
        self._calendar.step(self._chance)

    async def _trouble_place(self, name: str) -> None:
        end = self._place.faults[name](self._server)
        await asyncio.sleep(self._chance.uniform(0.5, 3.0))
        end()

    # --- the audit --------------------------------------------------------------------------

    def _resources(self, memory: float) -> list[str]:
        problems = []
        if memory > _MOST_MEGABYTES:
            problems.append(f"the server has {memory:.0f} MB of memory")
        files = len(os.listdir(f"/proc/{self._pid}/fd"))
        if files > _MOST_FILES:
            problems.append(f"the server has {files} open files")
        if "Traceback" in self._server.said():
            problems.append(f"the server logged a traceback; see {self._server.log.name}")
        return problems

    def _audit(self) -> list[str]:
        database = Database(self._place.address)
        try:
            problems = list(stored_problems(database, HONEST.keys()))
            return problems + list(self._ledger.problems(database))
        finally:
            database.close()


def megabytes(pid: int) -> float:
    """The memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def run(
    kind: str, seed: int, seconds: float, folder: Path, module: str = "paddock_server"
) -> tuple[Outcome, list[str]]:
    """A run on one kind of database; how it ended, and the faults in order."""
    with PLACES[kind](folder) as place:
        chaos = Run(place, folder, Random(seed), module)
        return asyncio.run(chaos.play(seconds)), chaos.happened
