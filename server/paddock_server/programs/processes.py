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
from paddock_server.programs.child import start_child
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


class BotProgram(NamedTuple):
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


def read_program(text: str) -> BotProgram:
    """`greedy` for a sample bot, `name=sample:greedy` under another name, else `name=command`."""
    name, equals, command = text.partition("=")
    if not equals:
        return BotProgram(name, sample_command(name))
    if command.startswith(SAMPLE):
        return BotProgram(name, sample_command(command.removeprefix(SAMPLE)))
    return BotProgram(name, tuple(shlex.split(command)))


def unstartable(programs: Sequence[BotProgram]) -> dict[str, BotFailed]:
    """The errors of bots whose command can't be run, by name."""
    problems = {}
    for program in programs:
        first = program.command[0]
        if shutil.which(first) is None:
            why = f"program {first!r} not found; give a command that can be run"
            if Path(first).is_file():
                why = f"{first!r} is not executable; chmod +x it, or put its interpreter first"
            problems[program.name] = BotFailed(f"{program.name} can't be started: {why}")
    return problems


class BotProcess:
    """A bot's process, and its output."""

    def __init__(
        self, program: BotProgram, process: asyncio.subprocess.Process, output: Output
    ) -> None:
        self.program = program
        self.process = process
        self.output = output
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(
        cls, program: BotProgram, env: Mapping[str, str], output: Output
    ) -> "BotProcess":
        """Start a bot; it can't outlive this process, even if this process is killed."""
        theirs = {**os.environ, "PADDOCK_BOT": program.name, **env}
        output.start(program.command)
        process = await start_child(
            sys.executable, "-I", "-S", str(Path(tether.__file__)), *program.command,
            env=theirs,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for us: we end our bots ourselves
        )  # fmt: skip
        return cls(program, process, output)

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
        await self.end()
        await asyncio.wait([self._reader], timeout=_LAST_WORDS_SECONDS)
        self._reader.cancel()
        self.output.end(self.process.returncode)

    async def end(self) -> None:
        """End the process; its last output may still be unread."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self.process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()

    def failure(self, what: str) -> BotFailed:
        """An error that says what happened, the command, and the bot's last output."""
        command = shlex.join(self.program.command)
        return BotFailed(
            f"{self.program.name} {what}; it was started as {command}; {self.output.summary()}"
        )


Starter = Callable[[BotProgram, Mapping[str, str], Output], Awaitable[BotProcess]]
"""Starts a bot with an environment: `BotProcess.start`, or in a jail; raises BotFailed."""


class Kennel:
    """A kennel: bots that are kept running. One that ends is started again, a few times in a row.

    A bot that ends before it was ever connected is not started again: its command or its code is
    wrong.
    """

    def __init__(
        self,
        programs: Sequence[BotProgram],
        env: Mapping[str, str],
        tell: Callable[[str], None],
        logs: Path | None = None,
        *,
        starter: Starter = BotProcess.start,
    ) -> None:
        """`tell` gets sentences about the bots; `logs` is the folder of their output."""
        self.failed: dict[str, BotFailed] = unstartable(programs)  # not started again
        self._programs = programs
        self._env = env
        self._tell = tell
        self._logs = logs
        self._starter = starter
        self.began: dict[str, float] = {}  # when a bot was started last, by name
        self._arrived: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Start the bots."""
        if self._logs is not None:
            self._logs.mkdir(parents=True, exist_ok=True)
        for program in self._programs:
            if program.name not in self.failed:
                output = Output(program.name, self._logs, self._tell)
                self._tasks.append(asyncio.create_task(self._keep(program, output)))

    async def arrive(
        self, present: Callable[[], Awaitable[Collection[str]]], *, despite_failures: bool = False
    ) -> list[str]:
        """Wait until all bots are connected, and return the names of those that are late.

        Returns early if a bot has failed, unless `despite_failures`. From then on a bot that ends
        is started again.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + CONNECT_SECONDS
        missing = {program.name for program in self._programs} - self.failed.keys()
        while missing and loop.time() < deadline and (despite_failures or not self.failed):
            here = await present()
            self._arrived.update(here)
            missing.difference_update(here, self.failed)
            await asyncio.sleep(_LOOK_SECONDS if missing else 0)
        self._arrived.update(program.name for program in self._programs)
        return sorted(missing)

    async def close(self) -> None:
        """End the bots for good."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, program: BotProgram, output: Output) -> None:
        try:
            await self._run_again_and_again(program, output)
        finally:
            output.close()

    async def _start(self, program: BotProgram, output: Output) -> BotProcess:
        """Start a bot; if this is cancelled, its process is ended first."""
        starting = asyncio.ensure_future(self._starter(program, self._env, output))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            bot = await starting
            await bot.stop()
            raise

    async def _run_again_and_again(self, program: BotProgram, output: Output) -> None:
        ends = 0
        loop = asyncio.get_running_loop()
        while True:
            began = self.began[program.name] = loop.time()
            try:
                bot = await self._start(program, output)
            except BotFailed as failed:
                self.failed[program.name] = failed
                return
            try:
                code = await bot.ended()
            finally:
                await bot.stop()
            if program.name not in self._arrived:
                self.failed[program.name] = bot.failure(f"ended with {code} before it connected")
                return
            ends = 1 if loop.time() - began > _STEADY_SECONDS else ends + 1
            again = "it is started again" if ends <= _RESTARTS else "it is not started again"
            self._tell(f"{bot.failure(f'ended with {code}')}\n{again}")
            if ends > _RESTARTS:
                why = f"{program.name} ended {ends} times in a row and is not started again"
                self.failed[program.name] = BotFailed(why)
                return
            await asyncio.sleep(_PAUSE_SECONDS * 2**ends)
