"""The runner: it takes orders from a server, and prepares and runs bots in jails.

It knows its own token and the run tokens of its bots. Everything that it does has a lease, which
the server renews; a lease that was not renewed in time is over, and what runs for it is ended.
"""

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final

from paddock.v1 import runner_pb2
from paddock_server.hosting.artefacts import Artefacts
from paddock_server.hosting.bay import Bay, RunnerTerms
from paddock_server.hosting.blobs import BlobCalls
from paddock_server.hosting.cores import Cores
from paddock_server.hosting.hosted_bot import HostedBot
from paddock_server.hosting.prepare_errand import PrepareErrand
from paddock_server.hosting.work import Work
from paddock_server.jails.jail import Jails
from paddock_wire.address import Address

_LOG = logging.getLogger("paddock.runner")
_HEARTBEAT_SECONDS: Final = 5.0  # until the server says otherwise
_LEASE_SECONDS: Final = 20.0
_LAST_WORDS_SECONDS: Final = 2.0


@dataclass
class _Errand:
    """An errand: work that is done for a lease."""

    task: "asyncio.Task[None]"
    renewed: float  # by the clock of the event loop


class Runner:
    """A runner of one server."""

    def __init__(self, address: Address, token: str, jails: Jails, terms: RunnerTerms) -> None:
        blobs = BlobCalls(address, token)
        self._work = Work(address, token, self)
        self._terms = terms
        self._bay = Bay(
            address, jails, self._work, terms, blobs,
            artefacts=Artefacts(jails, blobs, terms.folder),
            cores=Cores(terms.cores, terms.slots),
        )  # fmt: skip
        self._errands: dict[str, _Errand] = {}  # by lease
        self._welcomed = asyncio.Event()
        self._heartbeat = _HEARTBEAT_SECONDS
        self._lease_seconds = _LEASE_SECONDS

    async def run(self) -> None:
        """Work until this is cancelled; raises RunnerRefused where the server does not want it."""
        work = asyncio.create_task(self._work.run())
        beats = asyncio.create_task(self._keep_leases())
        try:
            await asyncio.wait([work, beats], return_when=asyncio.FIRST_COMPLETED)
        finally:
            leases = list(self._errands)
            await self._end(leases)
            if not work.done():  # so that nobody has to wait until they are lost
                for lease in leases:
                    trouble = runner_pb2.WorkTrouble(lease=lease, sentence="the runner is stopped")
                    self._work.say(trouble=trouble)
                await self._work.settled(_LAST_WORDS_SECONDS)
            for task in (work, beats):
                task.cancel()
            await asyncio.gather(work, beats, return_exceptions=True)
        if work.done() and not work.cancelled() and (problem := work.exception()):
            raise problem

    # --- what the stream hears ----------------------------------------------------------------

    def ready(self) -> runner_pb2.WorkReady:
        """What this runner can do, and the leases that it still works on."""
        return runner_pb2.WorkReady(
            slots=self._terms.slots,
            cores=len(self._terms.cores),
            toolchains=[
                runner_pb2.Toolchain(name=each.name, language=each.language, sha256=each.sha256)
                for each in self._terms.toolchains
            ],
            weaknesses=self._terms.weaknesses,
            leases=list(self._errands),
            paddock=version("paddock"),
            preparing=self._terms.preparing,
        )

    def welcome(self, welcome: runner_pb2.WorkWelcome) -> None:
        """Follow the server's times, and end what is this runner's no more."""
        self._heartbeat = welcome.heartbeat_ms / 1000 or _HEARTBEAT_SECONDS
        self._lease_seconds = welcome.lease_ms / 1000 or _LEASE_SECONDS
        now = asyncio.get_running_loop().time()
        for lease, errand in self._errands.items():
            if lease not in welcome.lost:
                errand.renewed = now
        self._cancel(welcome.lost)
        self._welcomed.set()

    def take(self, order: runner_pb2.WorkResponse) -> None:
        """Do what the server wants."""
        kind = order.WhichOneof("said")
        if kind == "prepare":
            self._begin(order.prepare.lease, PrepareErrand(self._bay, order.prepare).run())
        elif kind == "run":
            self._begin(order.run.lease, HostedBot(self._bay, order.run).run())
        elif kind == "stop":
            self._stop(order.stop.lease)

    def noted(self, said: runner_pb2.WorkRequest, sent: float) -> None:
        """A heartbeat that the server heard renews its leases, from when it was sent."""
        for lease in said.heartbeat.leases:
            if lease in self._errands:
                self._errands[lease].renewed = sent

    # --- errands ------------------------------------------------------------------------------

    def _begin(self, lease: str, errand: Coroutine[Any, Any, None]) -> None:
        now = asyncio.get_running_loop().time()
        task = asyncio.create_task(self._do(lease, errand))
        self._errands[lease] = _Errand(task, now)

    async def _do(self, lease: str, errand: Coroutine[Any, Any, None]) -> None:
        try:
            await errand
        except Exception as problem:  # noqa: BLE001 -- one errand must not end the others
            _LOG.exception("errand failed: lease %s", lease)
            trouble = runner_pb2.WorkTrouble(lease=lease, sentence=f"the runner failed: {problem}")
            self._work.say(trouble=trouble)
        finally:
            self._errands.pop(lease, None)

    def _stop(self, lease: str) -> None:
        errand = self._errands.get(lease)
        if errand is not None:
            errand.task.cancel()
            errand.task.add_done_callback(lambda _: self._say_stopped(lease))
        else:  # it ended a moment ago, or never began
            self._say_stopped(lease)

    def _say_stopped(self, lease: str) -> None:
        self._work.say(stopped=runner_pb2.WorkStopped(lease=lease))

    def _cancel(self, leases: Iterable[str]) -> None:
        for lease in leases:
            if lease in self._errands:
                self._errands[lease].task.cancel()

    async def _end(self, leases: Iterable[str]) -> None:
        tasks = [self._errands[lease].task for lease in leases if lease in self._errands]
        self._cancel(leases)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_leases(self) -> None:
        """Renew all leases, and end what was not renewed in time: then somebody else has it."""
        loop = asyncio.get_running_loop()
        while True:
            beat = runner_pb2.WorkHeartbeat(leases=list(self._errands))
            self._work.say(heartbeat=beat)
            self._welcomed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._heartbeat):
                    await self._welcomed.wait()  # its times may be shorter
            late = loop.time() - self._lease_seconds
            lost = [lease for lease, errand in self._errands.items() if errand.renewed < late]
            for lease in lost:
                _LOG.warning("lease lost: %s was not renewed in time", lease)
            self._cancel(lost)
