"""The process of a bot, and the last lines of its output."""

import asyncio
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, Protocol

from paddock_server.basics.errors import ServerError
from paddock_server.jails.processes import tree
from paddock_server.programs.child import start_child

NAME: Final = "checked"
"""The name of the bot during the check."""

_LAST_LINES: Final = 40  # enough for a traceback
_GRACE_SECONDS: Final = 3.0


class Starter(Protocol):
    """Starts the process of a bot: `Program.start`, or in a jail."""

    async def __call__(
        self, command: Sequence[str], address: str, name: str, hear: Callable[[str], None], /
    ) -> "Program":
        """The process of this command; `hear` gets every line of its output."""


class CannotStart(ServerError):
    """Raised when a command can't be started; the text says why."""

    reason = "bot/failed"


class Program:
    """The process of a bot that is being checked."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        hear: Callable[[str], None],
        output: asyncio.StreamReader | None = None,
    ) -> None:
        """Its output is the stdout of the process, if it is not given."""
        self._process = process
        self._stream = output or process.stdout
        self._hear = hear
        self._last: deque[str] = deque(maxlen=_LAST_LINES)
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(
        cls, command: Sequence[str], address: str, name: str, hear: Callable[[str], None]
    ) -> "Program":
        """The process of this command, with the same environment as in `paddock play`; `hear` gets
        every line of its output."""
        env = {**os.environ, "PADDOCK_SERVER": address, "PADDOCK_BOT": name}
        env.pop("PADDOCK_TOKEN", None)
        try:
            process = await start_child(
                *command,
                env=env,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,  # so that what it starts can be ended with it
            )
        except (OSError, ValueError) as problem:
            raise CannotStart(f"{command[0]} can't be started: {problem}") from None
        return cls(process, hear)

    def pids(self) -> Iterable[int]:
        """Its process and all below it."""
        return tree(self._process.pid)

    @property
    def code(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.returncode

    @property
    def end(self) -> str:
        """How it ended, in words; empty while it runs."""
        code = self.code
        if code is None:
            return ""
        if code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with exit code {code}"

    @property
    def output(self) -> tuple[str, ...]:
        """The last lines of its output."""
        return tuple(self._last)

    async def ended(self, seconds: float) -> bool:
        """Whether it ends within this many seconds; the end of its output is read then."""
        try:
            async with asyncio.timeout(seconds):
                await self._process.wait()
                await asyncio.shield(self._reader)
        except TimeoutError:
            pass
        return self.code is not None

    async def terminate(self, seconds: float) -> None:
        """Send SIGTERM to it alone, as a service manager does, and wait so long for its end."""
        with suppress(ProcessLookupError):
            self._process.terminate()
        await self.ended(seconds)

    async def stop(self) -> None:
        """End it and all that it started: SIGTERM, then SIGKILL."""
        if self.code is None:
            self._signal(signal.SIGTERM)
            await self.ended(_GRACE_SECONDS)
        self._signal(signal.SIGKILL)
        await self.finish()

    async def finish(self) -> None:
        """Wait for the end of the process, and read no more."""
        await self._process.wait()
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _read(self) -> None:
        stream = self._stream
        while stream is not None:
            try:
                line = await stream.readline()
            except ValueError:  # a line without end
                continue
            if not line:
                return
            text = line.decode(errors="replace").rstrip()
            self._last.append(text)
            self._hear(text)
