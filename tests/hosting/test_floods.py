"""Floods of words (hostile submission 15): a runner keeps little of them, and reads them slowly.

A bot that prints megabytes while it is stopped: its end is seen, and its log has its end.
"""

import asyncio
import time
from collections.abc import Callable

import pytest

from paddock_server.hosting.bot_log import BotLog
from paddock_server.hosting.cell import Cell
from paddock_server.hosting.lines import Introduction, LineCell
from paddock_server.jails.confined import Confined
from paddock_server.jails.jail import Jails
from paddock_server.jails.toolchains import host
from paddock_server.programs.output import Output
from paddock_server.programs.processes import BotProcess, BotProgram
from paddock_server.store.submissions import LOG_LETTERS
from paddock_wire.address import address
from tests.hosting.handed_in import run

NOWHERE = address("127.0.0.1:1")  # a bot that floods asks for no server
LONG = 5 << 20  # a bot that prints more than 1 MB a second waits
MOST = 0.05  # of a processor
FLOOD = ("sh", "-c", "yes flood >&2 & yes flood")


async def _grpc(jails: Jails) -> tuple[Cell | LineCell, asyncio.StreamReader]:
    cell = await Cell.open(jails, Confined(FLOOD, host(), folder="/"), NOWHERE)
    assert cell.jail.process.stdout is not None
    return cell, cell.jail.process.stdout


async def _lines(jails: Jails) -> tuple[Cell | LineCell, asyncio.StreamReader]:
    what = Confined(FLOOD, host(), folder="/")
    cell = await LineCell.open(jails, what, Introduction("flood", "1"), NOWHERE)
    return cell, cell.output


@pytest.mark.parametrize("opened", [_grpc, _lines])
@pytest.mark.parametrize("grace", [0.0, 0.5])
def test_a_hosted_bot_that_floods_is_stopped(opened: Callable[..., object], grace: float) -> None:
    sent: list[str] = []
    heard = asyncio.Event()

    def send(text: str) -> None:
        sent.append(text)
        heard.set()

    async def scene() -> int:
        jails = Jails()
        cell, output = await opened(jails)  # type: ignore[misc]
        log = BotLog(output, send)
        await heard.wait()
        await cell.close(grace)
        assert cell.jail.returncode is not None
        await log.close()
        jails.close()
        return int(await cell.jail.wait())

    assert run(scene()) != 0  # a signal ended it
    assert "flood" in sent[0]


def test_a_hosted_bot_that_floods_is_stopped_though_nobody_reads() -> None:
    async def scene() -> int:
        jails = Jails()
        cell, output = await _grpc(jails)
        await output.readline()
        await cell.close()
        jails.close()
        return int(await cell.jail.wait())

    assert run(scene()) != 0


def test_a_bot_of_this_machine_that_floods_is_stopped() -> None:
    heard = asyncio.Event()

    class Heard(Output):
        def write(self, data: bytes) -> None:
            super().write(data)
            heard.set()

    async def scene() -> int | None:
        bot = await BotProcess.start(BotProgram("flood", FLOOD), {}, Heard("flood", None))
        await heard.wait()
        await bot.stop()
        return bot.process.returncode

    assert run(scene()) is not None


def test_a_runner_reads_a_flood_slowly_and_keeps_little() -> None:
    sent: list[str] = []
    jails = Jails()

    async def scene() -> tuple[float, float]:
        script = f"head -c {LONG} /dev/zero | tr '\\0' x >&2"
        what = Confined(("/bin/sh", "-c", script), host(), folder="/")
        jail = await jails.start(what, stderr=asyncio.subprocess.PIPE)
        assert jail.process.stderr is not None
        began, used = time.monotonic(), time.process_time()
        log = BotLog(jail.process.stderr, sent.append)
        assert await jail.wait() == 0
        await log.close()
        return time.monotonic() - began, time.process_time() - used

    took, used = run(scene())
    jails.close()
    assert used < MOST * took
    text = "".join(sent)
    assert text.count("x") < LOG_LETTERS == 64 * 1024
    assert "bytes are left out" in text
