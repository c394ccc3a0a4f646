"""Certifying a bot: the whole of `paddock check-bot` in the real jail, and two points more."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Final, NamedTuple

from paddock_server.basics.identity import stamp
from paddock_server.checking.check import check
from paddock_server.checking.program import NAME, CannotStart, Program
from paddock_server.checking.report import Failed, PointResult
from paddock_server.checking.stage import Stage
from paddock_server.checking.subject import Subject
from paddock_server.hosting.bot_jail import BotJail
from paddock_server.hosting.cell import Cell
from paddock_server.hosting.lines import LineCell
from paddock_server.jails.confined import CannotJail
from paddock_wire.address import address

PATIENCE: Final = 20.0
"""Seconds that a bot has from its start to its Hello."""

IDLE_SECONDS: Final = 10.0
_IDLE_SHARE: Final = 0.05  # of a core, that a bot may use while nobody asks it anything
_GRACE_SECONDS: Final = 3.0
STARTS, IDLE = "starts in time", "still there"

Report = Callable[[PointResult], None]


class Certificate(NamedTuple):
    """The certificate of a version of a bot: what its check saw before it was admitted."""

    points: tuple[PointResult, ...]
    toolchain: str
    toolchain_sha256: str  # of its root; empty: it is of the host
    mirror: bool  # whether its build could reach a mirror of packages
    artefact: str  # the SHA-256 of what was checked
    checked: str  # when
    paddock: str  # the version that checked it

    @property
    def failed(self) -> PointResult | None:
        """The first point that the bot did not pass; None where it passed."""
        return next((point for point in self.points if point.passed is False), None)


async def certify(
    bot: BotJail,
    artefact: str,
    *,
    mirror: bool = False,
    report: Report = lambda _: None,
    patience: float = PATIENCE,
    idle_seconds: float = IDLE_SECONDS,
) -> Certificate:
    """The certificate of a bot, each point reported as soon as it is known.

    Raises CannotJail where this machine is at fault.
    """
    jailed = _Starter(bot)
    try:
        points = await check(
            bot.manifest.run, bot.manifest.formats, patience, report, starter=jailed
        )
        if points[0].passed:
            points += await _stay(bot, jailed, patience, idle_seconds, report)
    except CannotStart as problem:
        raise CannotJail(str(problem)) from None
    name, sha256 = bot.toolchain.name, bot.toolchain.sha256
    seen = tuple(points)
    return Certificate(
        seen, name, sha256, mirror, artefact, checked=stamp(), paddock=version("paddock")
    )


class _Starter:
    """Starts a bot in its jail where `check` starts a process, and knows the last one."""

    def __init__(self, bot: BotJail) -> None:
        self._bot = bot
        self.cell: Cell | LineCell | None = None

    async def __call__(
        self, _command: Sequence[str], server: str, name: str, hear: Callable[[str], None], /
    ) -> Program:
        try:
            self.cell = await self._bot.open(address(server), name=name)
        except CannotJail as problem:
            raise CannotStart(str(problem)) from None
        return _Jailed(self.cell, hear)


class _Jailed(Program):
    """The process of a bot that is being checked, in its jail."""

    def __init__(self, cell: Cell | LineCell, hear: Callable[[str], None]) -> None:
        self._cell = cell
        if isinstance(cell, LineCell):
            super().__init__(cell.bridge, hear, cell.output)
        else:
            super().__init__(cell.jail.process, hear)

    def pids(self) -> Iterable[int]:
        """The processes in the jail, and the bridge where there is one."""
        bridge = super().pids() if isinstance(self._cell, LineCell) else ()
        return (*bridge, *self._cell.jail.pids())

    @property
    def end(self) -> str:
        """How it ended, in words; empty while it runs."""
        because = self._cell.jail.ended_because
        return f"its jail ended it: {because}" if because else super().end

    async def terminate(self, seconds: float) -> None:
        """Send SIGTERM to it, or end the input of a program that speaks lines."""
        if isinstance(self._cell, LineCell):
            with suppress(ProcessLookupError):
                self._cell.bridge.terminate()
        else:
            self._cell.jail.terminate()
        await self.ended(seconds)

    async def stop(self) -> None:
        """End it and all that it started: SIGTERM, then SIGKILL."""
        await self._cell.close(_GRACE_SECONDS)
        await self.finish()


async def _stay(
    bot: BotJail, jailed: _Starter, patience: float, idle_seconds: float, report: Report
) -> list[PointResult]:
    """The points of a bot that nobody asks anything."""
    stage = Stage()
    await stage.start()
    subject = Subject(bot.manifest.run, stage, patience, NAME, starter=jailed)
    results = []
    try:
        for name in (STARTS, IDLE):
            try:
                point = _starts(subject) if name == STARTS else _idle(jailed, idle_seconds)
                result = PointResult(name, True, await point)
            except Failed as failed:
                end = await subject.epitaph(0)
                sentence = f"{failed}; {end}" if end else str(failed)
                result = PointResult(name, False, sentence, output=subject.output)
            report(result)
            results.append(result)
            if result.passed is False:
                break
    finally:
        await subject.stop()
        await stage.stop()
    return results


async def _starts(subject: Subject) -> str:
    """The bot says Hello in time, whenever it is started."""
    loop = asyncio.get_running_loop()
    taken = []
    for _ in range(2):
        began = loop.time()
        await subject.start()
        taken.append(loop.time() - began)
    allowed = f"{subject.patience:g} s are allowed"
    return f"Hello {taken[0]:.1f} s and {taken[1]:.1f} s after a start; {allowed}"


async def _idle(jailed: _Starter, seconds: float) -> str:
    """The bot is there and leaves the processor alone while nobody asks it anything."""
    cell = jailed.cell
    if cell is None or cell.jail.returncode is not None:
        raise Failed("it ended while nobody asked it anything")
    before = cell.jail.usage().cpu_seconds
    await asyncio.sleep(seconds)
    if cell.jail.returncode is not None:
        raise Failed(f"it ended within {seconds:g} s in which nobody asked it anything")
    used = max(0.0, cell.jail.usage().cpu_seconds - before)
    if used > _IDLE_SHARE * seconds:
        raise Failed(
            f"it used {used:.1f} s of processor time in {seconds:g} s in which nobody asked it "
            "anything; wait for the next item instead of looking for it"
        )
    return f"{used:.2f} s of processor time in {seconds:g} s in which nobody asked it anything"
