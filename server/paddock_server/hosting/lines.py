"""Bots that speak lines: the program is in a jail, and the bridge outside turns lines into frames.

The bridge is a process of its own: it is the SDK's, which the server's rooms do not know, and it
reads what strangers write.
"""

import asyncio
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from paddock_server.basics.own_process import plain_environment
from paddock_server.hosting.own_folder import own_folder
from paddock_server.hosting.relay import Relay
from paddock_server.jails.confined import Confined
from paddock_server.jails.jail import JailedProcess, Jails
from paddock_server.programs.child import start_child
from paddock_wire.address import Address

_END_SECONDS: Final = 2.0


class Introduction(NamedTuple):
    """The contents of Hello, which the bridge says for a program that speaks lines."""

    name: str
    version: str
    language: str = ""
    formats: tuple[str, ...] = ()  # empty: all
    matches: int = 1


class _Output(NamedTuple):
    """The pipe of all that a program and its bridge print on stderr."""

    reader: asyncio.StreamReader
    pipe: asyncio.ReadTransport


class LineCell:
    """A program in a jail that speaks lines, its bridge, and the relay that the bridge talks to."""

    def __init__(
        self,
        jail: JailedProcess,
        bridge: asyncio.subprocess.Process,
        output: _Output,
        relay: Relay,
        folder: Path,
    ) -> None:
        self.jail = jail
        self.bridge = bridge
        self.output = output.reader  # the stderr of both
        self._pipe = output.pipe
        self._relay = relay
        self._folder = folder

    @classmethod
    async def open(
        cls,
        jails: Jails,
        what: Confined,
        introduction: Introduction,
        server: Address,
        token: str = "",
    ) -> "LineCell":
        """Start a program that speaks lines; raises CannotJail."""
        folder = own_folder("cell")
        relay = Relay(server, token)
        try:
            await relay.start(folder / "s")
            jail, bridge, output = await _start(jails, what, folder / "s", introduction)
        except BaseException:
            await relay.stop()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return cls(jail, bridge, output, relay, folder)

    def count_host_time(self, share: float) -> None:
        """Have the server told what this machine keeps from the bot, of its share of a core."""
        self._relay.count_host_time(self.jail, share)

    async def close(self, grace: float = 0.0) -> None:
        """End the program, `grace` seconds after the end of its input, and all that is with it."""
        if self.bridge.returncode is None:
            self.bridge.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace or _END_SECONDS):
                await self.jail.wait()
        await self.jail.stop()
        with suppress(ProcessLookupError):
            self.bridge.kill()
        await self.bridge.wait()
        self._pipe.resume_reading()  # to its end, which is near: nobody writes any more
        await self._relay.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


async def _start(
    jails: Jails, what: Confined, socket: Path, introduction: Introduction
) -> tuple[JailedProcess, asyncio.subprocess.Process, _Output]:
    to_program, from_bridge = os.pipe()
    to_bridge, from_program = os.pipe()
    errors, error_end = os.pipe()
    try:
        jail = await jails.start(what, stdin=to_program, stdout=from_program, stderr=error_end)
        try:
            bridge = await start_child(
                sys.executable, "-m", "paddock.bridge", "--stdio",
                *_options(socket, introduction),
                env=plain_environment(),
                stdin=to_bridge,
                stdout=from_bridge,
                stderr=error_end,
                start_new_session=True,
            )  # fmt: skip
        except BaseException:
            await jail.stop()
            raise
    except BaseException:
        os.close(errors)
        raise
    finally:
        for pipe in (to_program, from_bridge, to_bridge, from_program, error_end):
            os.close(pipe)
    return jail, bridge, await _output(errors)


async def _output(descriptor: int) -> _Output:
    reader = asyncio.StreamReader()
    file = os.fdopen(descriptor, "rb", buffering=0)
    loop = asyncio.get_running_loop()
    pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    return _Output(reader, pipe)


def _options(socket: Path, introduction: Introduction) -> list[str]:
    options = [
        "--server", f"unix:{socket}", "--name", introduction.name,
        f"--version={introduction.version}", f"--language={introduction.language}",
        "--max-matches", str(introduction.matches),
    ]  # fmt: skip
    if introduction.formats:
        options += ["--formats", ",".join(introduction.formats)]
    return options
