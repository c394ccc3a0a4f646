"""Processes of bots: how they are started, watched, restarted and ended."""

import asyncio
import os
import shlex
import shutil
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from paddock_server.basics.errors import ServerError
from paddock_server.programs import tether
from paddock_server.programs.output import Output

SAMPLE_BOTS: Final = ("random", "greedy", "careful", "monte_carlo")
SAMPLE: Final = "sample:"
CONNECT_SECONDS: Final = 30.0  # from the start of a bot to its Hello, at most
_CHUNK_BYTES: Final = 65536
_END_SECONDS: Final = 6.0
_LAST_WORDS_SECONDS: Final = 2.0
_LOOK_SECONDS: Final = 0.05
_RESTARTS: Final = 5  # in a row
_PAUSE_SECONDS: Final = 0.5  # before a bot is started again; twice as long every time
_STEADY_SECONDS: Final = 30.0  # after which restarts are counted anew


class Entry(NamedTuple):
    """A bot that is to play: its name, and the command that starts it."""

    name: str
    command: tuple[str, ...]


class BotFailed(ServerError):
    """Raised when a bot does not connect, or dies; the text has its last output."""

    reason = "bot/failed"


def sample_command(name: str) -> tuple[str, ...]:
    """The command that starts a sample bot; ValueError if no sample bot has this name."""
    module = name.replace("-", "_")
    if module not in SAMPLE_BOTS:
        known = ", ".join(bot.replace("_", "-") for bot in SAMPLE_BOTS)
        raise ValueError(f"no sample bot {name!r}; use {known}, or name=command")
    return (sys.executable, "-m", f"paddock.bots.{module}")


def read_entry(text: str) -> Entry:
    """`greedy` for a sample bot, `name=sample:greedy` under another name, else `name=command`."""
    name, equals, command = text.partition("=")
    if not equals:
        return Entry(name, sample_command(name))
    if command.startswith(SAMPLE):
        return Entry(name, sample_command(command.removeprefix(SAMPLE)))
    return Entry(name, tuple(shlex.split(command)))


def unstartable(entries: Sequence[Entry]) -> dict[str, BotFailed]:
    """The errors of bots whose command can't be run, by name."""
    problems = {}
    for entry in entries:
        program = entry.command[0]
        if shutil.which(program) is None:
            why = f"program {program!r} not found; give a command that can be run"
            if Path(program).is_file():
                why = f"{program!r} is not executable; chmod +x it, or put its interpreter first"
            problems[entry.name] = BotFailed(f"{entry.name} can't be started: {why}")
    return problems


class BotProcess:
    """A bot's process, and its output."""

    def __init__(self, entry: Entry, process: asyncio.subprocess.Process, output: Output) -> None:
        self.entry = entry
        self.process = process
        self.output = output
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, entry: Entry, env: Mapping[str, str], output: Output) -> "BotProcess":
        """Start a bot; it can't outlive this process, even if this process is killed."""
        theirs = {**os.environ, "PADDOCK_BOT": entry.name, **env}
        output.start(entry.command)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", str(Path(tether.__file__)), *entry.command,
            env=theirs,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for us: we end our bots ourselves
        )  # fmt: skip
        return cls(entry, process, output)

    async def _read(self) -> None:
        stream = self.process.stdout
        while stream is not None and (data := await stream.read(_CHUNK_BYTES)):
            self.output.write(data)

    async def ended(self) -> int:
        """The exit code, when the process has ended and its last output is read."""
        code = await self.process.wait()
        await asyncio.wait([self._reader], timeout=_LAST_WORDS_SECONDS)
        return code

    async def stop(self) -> None:
        """End the process and whatever it started: a shell, `go run`, `npm start`."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self.process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
        await asyncio.wait([self._reader], timeout=_LAST_WORDS_SECONDS)
        self._reader.cancel()
        self.output.end(self.process.returncode)

    def failure(self, what: str) -> BotFailed:
        """An error that says what happened, the command, and the bot's last output."""
        command = shlex.join(self.entry.command)
        return BotFailed(
            f"{self.entry.name} {what}; it was started as {command}; {self.output.summary()}"
        )


class Kennel:
    """A kennel: bots that are kept running. One that ends is started again, a few times in a row.

    A bot that ends before it was ever connected is not started again: its command or its code is
    wrong.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        env: Mapping[str, str],
        tell: Callable[[str], None],
        logs: Path | None = None,
    ) -> None:
        """`tell` gets sentences about the bots; `logs` is the folder of their output."""
        self.failed: dict[str, BotFailed] = unstartable(entries)  # not started again
        self._entries = entries
        self._env = env
        self._tell = tell
        self._logs = logs
        self.began: dict[str, float] = {}  # when a bot was started last, by name
        self._arrived: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Start the bots."""
        if self._logs is not None:
            self._logs.mkdir(parents=True, exist_ok=True)
        for entry in self._entries:
            if entry.name not in self.failed:
                output = Output(entry.name, self._logs, self._tell)
                self._tasks.append(asyncio.create_task(self._keep(entry, output)))

    async def arrive(
        self, present: Callable[[], Awaitable[Collection[str]]], *, despite_failures: bool = False
    ) -> list[str]:
        """Wait until all bots are connected, and return the names of those that are late.

        Returns early if a bot has failed, unless `despite_failures`. From then on a bot that ends
        is started again.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + CONNECT_SECONDS
        missing = {entry.name for entry in self._entries} - self.failed.keys()
        while missing and loop.time() < deadline and (despite_failures or not self.failed):
            here = await present()
            self._arrived.update(here)
            missing.difference_update(here, self.failed)
            await asyncio.sleep(_LOOK_SECONDS if missing else 0)
        self._arrived.update(entry.name for entry in self._entries)
        return sorted(missing)

    async def close(self) -> None:
        """End the bots for good."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, entry: Entry, output: Output) -> None:
        try:
            await self._run_again_and_again(entry, output)
        finally:
            output.close()

    async def _start(self, entry: Entry, output: Output) -> BotProcess:
        """Start a bot; if this is cancelled, its process is ended first."""
        starting = asyncio.create_task(BotProcess.start(entry, self._env, output))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            bot = await starting
            await bot.stop()
            raise

    async def _run_again_and_again(self, entry: Entry, output: Output) -> None:
        ends = 0
        loop = asyncio.get_running_loop()
        while True:
            began = self.began[entry.name] = loop.time()
            bot = await self._start(entry, output)
            try:
                code = await bot.ended()
            finally:
                await bot.stop()
            if entry.name not in self._arrived:
                self.failed[entry.name] = bot.failure(f"ended with {code} before it connected")
                return
            ends = 1 if loop.time() - began > _STEADY_SECONDS else ends + 1
            again = "it is started again" if ends <= _RESTARTS else "it is not started again"
            self._tell(f"{bot.failure(f'ended with {code}')}\n{again}")
            if ends > _RESTARTS:
                why = f"{entry.name} ended {ends} times in a row and is not started again"
                self.failed[entry.name] = BotFailed(why)
                return
            await asyncio.sleep(_PAUSE_SECONDS * 2**ends)
