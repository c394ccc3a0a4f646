"""The errand of running a bot: in a jail, with its run token outside, until it is stopped."""

import asyncio
from typing import Final

from grpc import aio

from paddock.v1 import runner_pb2, submission_pb2
from paddock_server.basics.errors import ServerError
from paddock_server.hosting.bay import Bay, limits_of
from paddock_server.hosting.bot_jail import BotJail, toolchain_for
from paddock_server.hosting.bot_log import BotLog
from paddock_server.hosting.cell import Cell
from paddock_server.hosting.lines import LineCell
from paddock_server.jails.confined import Toolchain
from paddock_server.packing.manifest import Manifest, read_manifest

_GRACE_SECONDS: Final = 2.0
_PAUSE_SECONDS: Final = 2.0


class HostedBot:
    """A bot that is run for a lease."""

    def __init__(self, bay: Bay, order: runner_pb2.WorkRun) -> None:
        self._bay = bay
        self._order = order

    async def run(self) -> None:
        """Run it to its end; the server hears of it, unless this is cancelled."""
        bay, lease = self._bay, self._order.lease
        cpu = await bay.cores.take()
        try:
            async with bay.artefacts.using(lease, self._order.artefact) as folder:
                manifest = read_manifest(self._order.manifest)
                toolchain = self._toolchain(manifest)
                limits = limits_of(self._order.limits)
                bot = BotJail(bay.jails, folder, manifest, toolchain, limits, cpu=cpu)
                await self._play(bot)
        except aio.AioRpcError as problem:
            await self._trouble(f"the server did not give the files: {problem.details()}")
        except (ServerError, OSError) as problem:
            await self._trouble(str(problem))
        finally:
            bay.cores.give_back(cpu)

    async def _play(self, bot: BotJail) -> None:
        bay, order = self._bay, self._order
        cell = await bot.open(bay.address, name=order.bot, token=order.run_token)
        # An open match began with the share that it was told, perhaps at another runner.
        cell.count_host_time(max(bay.cores.share, order.cpu_share))
        log = BotLog(_output(cell), self._log)
        code: int | None = None
        try:
            share = bay.cores.promised(bay.jails.means.controllers)
            started = runner_pb2.WorkStarted(lease=order.lease, cpu_share=share)
            bay.work.say(started=started)
            code = await cell.jail.wait()
        finally:
            await asyncio.shield(_close(cell, log))
        because = cell.jail.ended_because or f"its process ended with exit code {code}"
        self._log(f"=== the bot ended: {because} ===\n")
        stopped = runner_pb2.WorkStopped(lease=order.lease, crashed=True, sentence=because)
        bay.work.say(stopped=stopped)

    def _log(self, text: str) -> None:
        playing = submission_pb2.LogText(stage=submission_pb2.LOG_STAGE_PLAYING, text=text)
        self._bay.work.say(log=runner_pb2.WorkLog(lease=self._order.lease, text=playing))

    def _toolchain(self, manifest: Manifest) -> Toolchain:
        """The toolchain that it was checked with; the one of its language if that is gone."""
        checked = self._order.toolchain
        for toolchain in self._bay.terms.toolchains:
            if toolchain.name == checked:
                return toolchain
        return toolchain_for(manifest, self._bay.terms.toolchains)

    async def _trouble(self, sentence: str) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)  # the server gives it again at once
        trouble = runner_pb2.WorkTrouble(lease=self._order.lease, sentence=sentence)
        self._bay.work.say(trouble=trouble)


def _output(cell: Cell | LineCell) -> asyncio.StreamReader:
    stream = cell.output if isinstance(cell, LineCell) else cell.jail.process.stdout
    assert stream is not None  # noqa: S101 -- a cell's output is a pipe
    return stream


async def _close(cell: Cell | LineCell, log: BotLog) -> None:
    await cell.close(_GRACE_SECONDS)
    await log.close()
