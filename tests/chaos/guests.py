"""The guests of a chaos run: honest bots as processes, one that is late, and a hostile client."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import grpc.aio

from paddock.v1 import arena_pb2
from tests.chaos.line import Line
from tests.server.process import Process
from tests.server.raw import PLAY, connected

HONEST: Final = {"ada": "random", "bob": "greedy", "cyd": "careful", "dan": "random"}
LATE: Final = "late"

_LATE_BOT: Final = '''
"""A bot that now and then thinks for longer than it may."""
import random, time
from paddock import Bot, run

class Late(Bot):
    def choose(self, ask):
        if random.random() < 0.01:
            time.sleep(SECONDS)
        return random.choice(ask.legal)

run(Late())
'''


class Guest:
    """A bot as a process, with a line of its own."""

    def __init__(self, name: str, command: Sequence[str], folder: Path, server: str) -> None:
        self.name = name
        self.line = Line(server)
        self._command = command
        self._log = folder / f"{name}.log"
        self._process: Process | None = None

    async def start(self) -> None:
        """Open the line, and start the bot."""
        await self.line.open()
        self._process = Process(
            self._log, *self._command, PADDOCK_SERVER=self.line.address, PADDOCK_BOT=self.name
        )

    async def stop(self) -> None:
        """End the bot, then its line."""
        if self._process is not None:
            self._process.kill()
        await self.line.close()

    def said(self) -> str:
        """Its own log."""
        return self._log.read_text(errors="replace")

    def problems(self) -> list[str]:
        """What its own log says to be wrong."""
        said = self.said()
        wrong = [
            word for word in ("Traceback", "not the one the server committed to") if word in said
        ]
        if self._process is not None and self._process.code is not None:
            wrong.append(f"exit code {self._process.code}")
        return [f"{self.name}: {sign}; see {self._log.name}" for sign in wrong]


def late_bot(folder: Path, seconds: float = 30.0) -> Path:
    """The program of the bot that is late, by so many seconds."""
    program = folder / "late_bot.py"
    program.write_text(_LATE_BOT.replace("SECONDS", str(seconds)))
    return program


def guests(folder: Path, server: str) -> list[Guest]:
    """The bots of a run."""
    honest = [
        Guest(name, (sys.executable, "-m", f"paddock.bots.{sample}"), folder, server)
        for name, sample in HONEST.items()
    ]
    return [*honest, Guest(LATE, (sys.executable, str(late_bot(folder))), folder, server)]


async def harass(server: str, chance: Random) -> None:
    """Connect as a hostile client, send nonsense for a moment, and leave without a word."""
    hello = arena_pb2.Hello(bot="mallory", protocol=1, max_matches=64)
    greeting = arena_pb2.PlayRequest(items=[arena_pb2.BotItem(hello=hello)]).SerializeToString()
    nonsense = [
        chance.randbytes(chance.randrange(1, 60_000)),
        arena_pb2.PlayRequest(items=[arena_pb2.BotItem()] * 30_000).SerializeToString(),
        arena_pb2.PlayRequest(
            items=[
                arena_pb2.BotItem(
                    choice=arena_pb2.Choice(ask_id=chance.getrandbits(40), number=number)
                )
                for number in range(1000)
            ]
        ).SerializeToString(),
        b"",
    ]
    async with connected(server) as channel:
        call: Any = channel.stream_stream(PLAY)()
        # Whatever the server does to it, it may not matter.
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
            async with asyncio.timeout(2.0):
                if chance.random() < 0.8:
                    await call.write(greeting)
                for _ in range(chance.randrange(1, 20)):
                    await call.write(chance.choice(nonsense))
        call.cancel()
