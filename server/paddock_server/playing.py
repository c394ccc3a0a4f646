"""Matches between bots that are processes of their own, on a server of their own."""

import asyncio
import os
import shlex
import signal
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from paddock_server.referee.clock import Clock
from paddock_server.serving import Serving, Settings

SAMPLE_BOTS: Final = ("random", "greedy", "careful", "monte_carlo")
_CONNECT_SECONDS: Final = 30.0
_LAST_LINES: Final = 12


class Entry(NamedTuple):
    """A bot that is to play: its name, and the command that starts it."""

    name: str
    command: tuple[str, ...]


class BotFailed(Exception):
    """Raised when a bot does not come, or dies; the text has its last output."""


def read_entry(text: str) -> Entry:
    """`greedy` for a sample bot, `name=command` for any other."""
    name, equals, command = text.partition("=")
    if equals:
        return Entry(name, tuple(shlex.split(command)))
    module = name.replace("-", "_")
    if module not in SAMPLE_BOTS:
        known = ", ".join(bot.replace("_", "-") for bot in SAMPLE_BOTS)
        raise ValueError(f"no sample bot {name!r}; there are {known}, or give name=command")
    return Entry(name, (sys.executable, "-m", f"paddock.bots.{module}"))


def copies(entries: Sequence[Entry], seats: int) -> list[Entry]:
    """Second copies of the bots, in turn, where there are fewer bots than seats."""
    made = []
    for number in range(len(entries), seats):
        name, command = entries[number % len(entries)]
        made.append(Entry(f"{name}-{number // len(entries) + 1}", command))
    return made


class _Process:
    """A bot's process and the last it said."""

    def __init__(self, entry: Entry, process: asyncio.subprocess.Process) -> None:
        self.entry = entry
        self.process = process
        self.last: deque[str] = deque(maxlen=_LAST_LINES)
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        stream = self.process.stdout
        while stream is not None:
            try:
                line = await stream.readline()
            except ValueError:  # a line without end
                continue
            if not line:
                return
            self.last.append(line.decode(errors="replace").rstrip())

    async def stop(self) -> None:
        """End the process and whatever it started: a shell, `go run`, `npm start`."""
        self._signal(signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(3):
                await self.process.wait()
        self._signal(signal.SIGKILL)
        await self.process.wait()
        self._reader.cancel()

    def _signal(self, signum: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signum)

    def failure(self, what: str) -> BotFailed:
        said = "\n".join(f"  {line}" for line in self.last) or "  (it said nothing)"
        command = shlex.join(self.entry.command)
        return BotFailed(f"{self.entry.name} {what}; it was started as {command}; it said:\n{said}")


class Wanted(NamedTuple):
    """What is to be played."""

    format: str
    games: int
    seats: int | None
    rules: Any
    clock: Clock


async def play_matches(
    entries: Sequence[Entry], wanted: Wanted, finished: Callable[[Mapping[str, Any]], None]
) -> None:
    """Start the bots, have them play, and hand over every record; raises BotFailed."""
    with tempfile.TemporaryDirectory(prefix="paddock-") as folder:
        settings = Settings(
            database=str(Path(folder) / "play.db"), grpc="127.0.0.1:0", clock=wanted.clock
        )
        serving = Serving(settings)
        await serving.start()
        processes: list[_Process] = []
        try:
            for entry in entries:
                processes.append(await _start(entry, serving.address))  # noqa: PERF401 -- see finally
            await _all_connected(serving, processes)
            await _play_all(serving, processes, wanted, finished)
        finally:
            await asyncio.gather(*(process.stop() for process in processes))
            await serving.stop()


async def _start(entry: Entry, address: str) -> _Process:
    env = {**os.environ, "PADDOCK_SERVER": address, "PADDOCK_BOT": entry.name}
    env.pop("PADDOCK_TOKEN", None)
    try:
        process = await asyncio.create_subprocess_exec(
            *entry.command,
            env=env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # so that all it starts can be ended with it
        )
    except OSError as problem:
        raise BotFailed(f"{entry.name} can't be started: {problem}") from None
    return _Process(entry, process)


async def _all_connected(serving: Serving, processes: Sequence[_Process]) -> None:
    sessions = serving.arena.hall.sessions
    deadline = asyncio.get_running_loop().time() + _CONNECT_SECONDS
    while missing := [p for p in processes if p.entry.name not in sessions]:
        for process in missing:
            if process.process.returncode is not None:
                code = process.process.returncode
                raise process.failure(f"ended with {code} before it connected")
        if asyncio.get_running_loop().time() > deadline:
            raise missing[0].failure(f"did not connect within {_CONNECT_SECONDS:.0f} s")
        await asyncio.sleep(0.02)


async def _play_all(
    serving: Serving,
    processes: Sequence[_Process],
    wanted: Wanted,
    finished: Callable[[Mapping[str, Any]], None],
) -> None:
    left = wanted.games
    done = asyncio.Event()

    def on_finish(_table: object, record: Mapping[str, Any], _changes: object) -> None:
        nonlocal left
        left -= 1
        finished(record)
        if left <= 0:
            done.set()

    serving.arena.on_finish.append(on_finish)
    names = [process.entry.name for process in processes]
    await serving.arena.add_matches(wanted.format, names, wanted.games, wanted.seats, wanted.rules)
    waiting = asyncio.create_task(done.wait())
    deaths = {asyncio.create_task(p.process.wait()): p for p in processes}
    ended, _ = await asyncio.wait([waiting, *deaths], return_when=asyncio.FIRST_COMPLETED)
    for task in (waiting, *deaths):
        task.cancel()
    if waiting not in ended:
        dead = deaths[next(iter(ended))]
        await asyncio.sleep(0.1)  # for its last words
        raise dead.failure(f"ended with {dead.process.returncode} while matches were open")
