"""A real server in the test's own loop, and bots as real processes that play on it."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from paddock_games import BadRecord, read_record, replay, verify, write_record
from paddock_games.field import Field
from paddock_server.referee.clock import Clock
from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings
from paddock_server.tables.notices import EndListener, Finished

ROOT = Path(__file__).parents[2]
GUARD_S = 240  # nothing is measured by it: it only keeps a broken test from hanging
PATIENT = Clock(base=60.0, bank=60.0)  # on the slowest machine nobody is late

Record = Mapping[str, Any]


def run(scene: Coroutine[Any, Any, None]) -> None:
    """Play a scene, and not for ever."""

    async def guarded() -> None:
        async with asyncio.timeout(GUARD_S):
            await scene

    asyncio.run(guarded())


class Arena:
    """A server, and the matches that are over."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._records: dict[str, Record] = {}
        self._more = asyncio.Event()
        serving.tables.listeners.append(EndListener(self._finished))

    @property
    def address(self) -> str:
        return self._serving.address

    def _finished(self, finished: Finished) -> None:
        self._records[finished.id] = write_record(*finished.played)
        self._more.set()

    async def play(
        self, bots: list[str], *formats: str, count: int = 1, rules: object = None
    ) -> list[Record]:
        """So many matches of each format, as their records, each of which checks out."""
        wanted: list[str] = []
        for name in formats:
            seats = bots[:2] if name.startswith("two-player") else bots
            wanted += await self._serving.lobby.add_matches(name, seats, count, rules=rules)
        while not self._records.keys() >= set(wanted):
            self._more.clear()
            await self._more.wait()
        records = [self._records[match] for match in wanted]
        for record in records:
            verify(read_record(json.dumps(record)))
        return records


@asynccontextmanager
async def serving(
    folder: Path, clock: Clock = PATIENT, grpc: str = "127.0.0.1:0"
) -> AsyncIterator[Arena]:
    """A server that keeps its database in the folder."""
    server = Serving(Settings(database=str(folder / "paddock.db"), grpc=grpc, clock=clock))
    await server.start()
    try:
        yield Arena(server)
    finally:
        await server.stop()


async def free_address(folder: Path) -> str:
    """An address on which servers can come and go."""
    async with serving(folder) as arena:
        return arena.address


class Bot:
    """A bot's process; what it says on stdout and stderr is kept in a file."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def said(self) -> str:
        return self._log.read_text()

    async def during(self, playing: Coroutine[Any, Any, list[Record]]) -> list[Record]:
        """What comes of this; a bot that ends before it does fails the test with its last words."""
        task = asyncio.create_task(playing)
        ended = asyncio.create_task(self.process.wait())
        try:
            await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
            assert task.done(), f"the bot ended: {self.said}"
            return task.result()
        finally:
            task.cancel()
            ended.cancel()
            await asyncio.gather(task, ended, return_exceptions=True)

    async def end(self) -> int:
        """Its exit code after SIGTERM."""
        self.process.terminate()
        return await self.process.wait()


@asynccontextmanager
async def running(folder: Path, *command: object, **environment: str) -> AsyncIterator[Bot]:
    """A bot that plays; it is gone when this is over, however it ends."""
    log = folder / "bot.log"
    process = await _start(log, [str(word) for word in command], environment)
    try:
        yield Bot(process, log)
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), 30)
            except TimeoutError:
                process.kill()
                await process.wait()


async def _start(
    log: Path, command: list[str], environment: Mapping[str, str]
) -> asyncio.subprocess.Process:
    with log.open("wb") as file:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=file,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, **environment},
        )


def bridge(server: str, *command: object, options: tuple[str, ...] = ()) -> list[object]:
    """The command that lets a program play as `mine`."""
    start = [sys.executable, "-m", "paddock.bridge", "--server", server, "--name", "mine"]
    return [*start, *options, "--", *command]


@asynccontextmanager
async def bridged(
    folder: Path, *command: object, clock: Clock = PATIENT, options: tuple[str, ...] = ()
) -> AsyncIterator[tuple[Arena, Bot]]:
    """A server, and a program that plays there as `mine`."""
    async with serving(folder, clock) as arena:
        line = bridge(arena.address, *command, options=options)
        async with running(folder, *line) as bot:
            yield arena, bot


def python(folder: Path, program: str) -> tuple[object, ...]:
    """The command of a bot that is written in the test; `said()` gives its lines as objects."""
    path = folder / "mine.py"
    path.write_text(_LISTENING + program)
    return sys.executable, path


_LISTENING = """
import json, sys

def said():
    return map(json.loads, sys.stdin)

def say(answer):
    print(answer if isinstance(answer, str) else json.dumps(answer), flush=True)

"""


def seat_of(record: Record, bot: str = "mine") -> int:
    """Where the bot sat."""
    return [seat["bot"] for seat in record["seats"]].index(bot)


def faults_of(record: Record, bot: str = "mine") -> list[str | None]:
    """Why the referee chose, for every decision of the bot's; None where the bot did."""
    seat = seat_of(record, bot)
    steps = replay(Field(record, "", BadRecord)).steps
    return [step.timings[seat].fault for step in steps if seat in step.timings]


def fallbacks_of(record: Record, bot: str = "mine") -> list[str | None]:
    """Why the client chose, for every decision of the bot's; None where the bot did."""
    seat = seat_of(record, bot)
    steps = replay(Field(record, "", BadRecord)).steps
    return [step.timings[seat].fallback for step in steps if seat in step.timings]
