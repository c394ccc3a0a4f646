"""Bots that are processes of their own: started, watched, started again, ended with all theirs."""

import asyncio
import os
import shlex
import shutil
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from paddock_server import tether

SAMPLE_BOTS: Final = ("random", "greedy", "careful", "monte_carlo")
_LAST_LINES: Final = 12
_END_SECONDS: Final = 6.0
_RESTARTS: Final = 5  # of a bot that ends again and again
_PAUSE_SECONDS: Final = 0.5  # before a bot is started again; twice as long every time
_STEADY_SECONDS: Final = 30.0  # after which an end is the first one again


class Entry(NamedTuple):
    """A bot that is to play: its name, and the command that starts it."""

    name: str
    command: tuple[str, ...]


class BotFailed(Exception):
    """Raised when a bot does not come, or dies; the text has its last output."""


def sample_command(name: str) -> tuple[str, ...]:
    """What starts a sample bot; ValueError where there is none of this name."""
    module = name.replace("-", "_")
    if module not in SAMPLE_BOTS:
        known = ", ".join(bot.replace("_", "-") for bot in SAMPLE_BOTS)
        raise ValueError(f"no sample bot {name!r}; there are {known}, or give name=command")
    return (sys.executable, "-m", f"paddock.bots.{module}")


def read_entry(text: str) -> Entry:
    """`greedy` for a sample bot, `name=command` for any other."""
    name, equals, command = text.partition("=")
    if equals:
        return Entry(name, tuple(shlex.split(command)))
    return Entry(name, sample_command(name))


class BotProcess:
    """A bot's process and the last it said."""

    def __init__(self, entry: Entry, process: asyncio.subprocess.Process) -> None:
        self.entry = entry
        self.process = process
        self.last: deque[str] = deque(maxlen=_LAST_LINES)
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, entry: Entry, env: Mapping[str, str]) -> "BotProcess":
        """Start a bot; it can't outlive this process, even one that is killed."""
        if shutil.which(entry.command[0]) is None:
            raise BotFailed(f"{entry.name} can't be started: there is no {entry.command[0]!r}")
        theirs = {**os.environ, "PADDOCK_BOT": entry.name, **env}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", str(Path(tether.__file__)), *entry.command,
            env=theirs,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for us: we end our bots ourselves
        )  # fmt: skip
        return cls(entry, process)

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
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self.process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
        self._reader.cancel()

    def failure(self, what: str) -> BotFailed:
        """That, and what the bot said last."""
        said = "\n".join(f"  {line}" for line in self.last) or "  (it said nothing)"
        command = shlex.join(self.entry.command)
        return BotFailed(f"{self.entry.name} {what}; it was started as {command}; it said:\n{said}")


class Kennel:
    """Bots that are kept running: one that ends is started again, a few times in a row."""

    def __init__(
        self, entries: Sequence[Entry], env: Mapping[str, str], tell: Callable[[str], None]
    ) -> None:
        self._entries = entries
        self._env = env
        self._tell = tell  # what happened to a bot, for a person
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Start the bots."""
        self._tasks = [asyncio.create_task(self._keep(entry)) for entry in self._entries]

    async def close(self) -> None:
        """End the bots, and start none again."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, entry: Entry) -> None:
        ends = 0
        loop = asyncio.get_running_loop()
        while ends <= _RESTARTS:
            began = loop.time()
            try:
                bot = await BotProcess.start(entry, self._env)
            except BotFailed as failed:
                self._tell(str(failed))
                return
            try:
                code = await bot.process.wait()
                await asyncio.sleep(0.1)  # for its last words
            finally:
                await bot.stop()
            ends = 1 if loop.time() - began > _STEADY_SECONDS else ends + 1
            again = "it is started again" if ends <= _RESTARTS else "it is left alone"
            self._tell(f"{bot.failure(f'ended with {code}')}\n{again}")
            await asyncio.sleep(_PAUSE_SECONDS * 2**ends)
