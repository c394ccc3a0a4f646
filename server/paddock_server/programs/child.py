"""A child: a process of ours whose end is always seen, also while nobody reads what it says.

asyncio takes a process for ended when its pipes are at their end, too. But a reader that falls
behind stops reading, and a daemon may hold the pipes: then the end would never be seen.
"""

import asyncio
import os
from asyncio.subprocess import Process, SubprocessStreamProtocol
from contextlib import suppress
from signal import SIGKILL, SIGTERM
from typing import Any, Final

_READ_AHEAD: Final = 64 * 1024
_LAST_WORDS_SECONDS: Final = 1.0  # for what is in its pipes at its end


async def start_child(
    *command: str,
    stdin: int | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
    **options: Any,
) -> "Child":
    """The process of a command, with the options of `subprocess.Popen`.

    Its `wait` returns a second after its end at the latest. What it said before is not lost.
    """
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.subprocess_exec(
        lambda: _ChildProtocol(_READ_AHEAD, loop), *command,
        stdin=stdin, stdout=stdout, stderr=stderr, **options,
    )  # fmt: skip
    return Child(transport, protocol, loop)


class Child(Process):
    """A process that is sent signals without a look whether it has ended.

    The library's own look takes the exit code of a process that just ended, and whoever waits for
    it gets 255 and a warning. Until its end was told, no other process has its number.
    """

    def send_signal(self, signal: int) -> None:
        """Send a signal to the process; nothing happens if it has ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(SIGTERM)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(SIGKILL)


class _ChildProtocol(SubprocessStreamProtocol):
    """The protocol of a child: at its end it takes in what is left, however far a reader is."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._child: Any = transport  # of subprocess_exec, whatever the event loop is

    def process_exited(self) -> None:
        for output in map(self._child.get_pipe_transport, (1, 2)):
            if isinstance(output, asyncio.ReadTransport):
                output.resume_reading()
        asyncio.get_running_loop().call_later(_LAST_WORDS_SECONDS, self._child.close)
        super().process_exited()
