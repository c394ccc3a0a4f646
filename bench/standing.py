"""What the upkeep of standings costs play: the p99 of an ask with a standing computed beside it.

The server has a history of 100,000 matches of 200 bots, and matches are played on it, in turns of
some seconds: alone, and while the process that computes the standing runs. While others play it
takes only a small part of a core. After each of its turns nobody plays for a moment, and it goes on
at full speed, so that turns meet all of its phases, from reading the history to the calibration.
Then it is stopped by a signal until its next turn. When it is done the standing is stored, and it
begins again. With --full-speed it is not told that others play.
"""

import argparse
import asyncio
import os
import resource
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

from bench.crowd import Bots, crowd
from bench.history import SEATS_EACH, fill
from bench.load import FORMAT, PROCESSES, Organiser, Run, bot_names, shared
from bench.measure import Figures, Goal, Spread, machine, show, show_json
from bench.processes import processes

from paddock_ladder.rating import Parameters
from paddock_server.referee.clock import Clock
from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings
from paddock_server.standings.upkeep import computed
from paddock_server.store import standings
from paddock_server.store.epochs import constants_of

P99_WANTED: Final = 1.2
CPU_WANTED: Final = 60.0  # seconds for a standing of the full history
EACH: Final = 8  # matches at once per bot
FULL: Final = (100_000, 200)  # matches, bots
QUICK: Final = (5_000, 50)
BETWEEN: Final = 1.5  # seconds for the computation alone, after each of its turns
_STRENGTHS: Final = 4.2  # how far apart real bots lie


# --- the history ------------------------------------------------------------------------------


def make_history(path: Path, matches: int, bots: int) -> None:
    """A database with a history: tables by lot, ranks from strengths as the model has it."""
    fill(str(path), matches, bots)
    rng = Random("standing")
    constants = constants_of(FORMAT)
    strengths = {f"bot-{number}": rng.gauss(constants.mu, _STRENGTHS) for number in range(bots)}
    connection = sqlite3.connect(path)
    with connection:
        connection.executemany(
            "UPDATE seats SET bot = ?, rank = ?, total = ?, mu_before = ?, mu = ? "
            "WHERE match = ? AND seat = ?",
            _seats(matches, strengths, rng, constants),
        )
    connection.close()


def _seats(
    matches: int, strengths: dict[str, float], rng: Random, constants: Parameters
) -> Iterator[tuple[object, ...]]:
    """The columns of every seat; live ratings are right but for some noise."""
    names = list(strengths)
    for match in range(1, matches + 1):
        table = rng.sample(names, SEATS_EACH)
        performed = [rng.gauss(strengths[bot], constants.beta) for bot in table]
        for seat, (bot, own) in enumerate(zip(table, performed, strict=True)):
            rank = 1 + sum(other > own for other in performed)
            mu = rng.gauss(strengths[bot], 1.0)
            yield bot, rank, 40 - 3 * rank, mu, mu, match, seat


# --- the server -------------------------------------------------------------------------------


class Turn(NamedTuple):
    """An order to the server: so many seconds of play."""

    seconds: float
    beside: bool  # a standing is computed meanwhile


class Upkept(NamedTuple):
    """What was measured in a turn, and how far the computation was by its end."""

    run: Run
    cpus: Sequence[float]  # by complete standing, the seconds of CPU that it took
    share: float  # of a core that the computation had in its turns so far


class Computation:
    """Standings computed again and again, while it is their turn."""

    def __init__(self, serving: Serving, *, paced: bool) -> None:
        self._tables = serving.tables
        self._paced = paced
        self._database = serving.database
        self._address = serving.settings.database
        self._turn = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._begun = self._cpu_begun = 0.0  # its turn
        self._seconds = self._cpu = 0.0  # of its turns so far
        self.cpus: list[float] = []  # of those that are complete

    @property
    def share(self) -> float:
        """The part of a core that it had in its turns."""
        return self._cpu / self._seconds if self._seconds else 0.0

    def go_on(self) -> None:
        """Begin a turn."""
        self._begun, self._cpu_begun = time.monotonic(), _cpu_of_descendants()
        self._turn.set()
        _signal_descendants(signal.SIGCONT)
        if self._task is None:
            self._task = asyncio.create_task(self._compute())

    async def stop(self) -> None:
        """End the turn; raise what the computation failed with, because that measures nothing."""
        self._seconds += time.monotonic() - self._begun
        self._cpu += _cpu_of_descendants() - self._cpu_begun
        if self._paced:
            await asyncio.sleep(BETWEEN)
        self._turn.clear()
        _signal_descendants(signal.SIGSTOP)
        if self._task is not None and self._task.done():
            self._task.result()

    async def close(self) -> None:
        """Give up."""
        self.go_on()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _playing(self) -> bool:
        return self._paced and len(self._tables) > 0

    async def _compute(self) -> None:
        while True:
            await self._turn.wait()
            standing, cpu = await computed(self._address, FORMAT, self._playing)
            await self._database.writer.write(
                lambda connection, done=standing: standings.save(connection, done)  # type: ignore[misc]
            )
            self.cpus.append(cpu)


def _signal_descendants(number: signal.Signals) -> None:
    for process in _descendants(os.getpid()):
        with suppress(ProcessLookupError):
            os.kill(process, number)


def _cpu_of_descendants() -> float:
    """Seconds that the processes ran which this one started: those that ended, and the others."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = 0
    for process in _descendants(os.getpid()):
        with suppress(OSError):  # it is gone already
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])  # in user mode, in system mode
    return ended.ru_utime + ended.ru_stime + ticks / os.sysconf("SC_CLK_TCK")


def _descendants(process: int) -> list[int]:
    """The processes that this one started, and those that they did."""
    children: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):  # it is gone already
            children += map(int, (task / "children").read_text().split())
    return children + [each for child in children for each in _descendants(child)]


def standing_server(orders: Connection, database: str, paced: bool) -> None:
    """A whole server that computes its standing when it is told to."""
    asyncio.run(_standing_server(orders, database, paced=paced))


async def _standing_server(orders: Connection, database: str, *, paced: bool) -> None:
    settings = Settings(
        database, grpc="127.0.0.1:0", clock=Clock(base=10.0), standing_seconds=0.0
    )  # fmt: skip
    serving = Serving(settings)
    await serving.start()
    orders.send(serving.address)
    organiser, computation = Organiser(serving), Computation(serving, paced=paced)
    while (turn := await asyncio.to_thread(orders.recv)) is not None:
        if turn.beside:
            computation.go_on()
        run = await organiser.run(EACH, turn.seconds)
        if turn.beside:
            await computation.stop()
        orders.send(Upkept(run, tuple(computation.cpus), computation.share))
    await computation.close()
    await serving.stop()


# --- measured and shown -----------------------------------------------------------------------


class Measured(NamedTuple):
    """The referee at work, in turns: alone, and with a standing computed beside it."""

    alone: Sequence[Run]
    beside: Sequence[Run]
    cpus: Sequence[float]  # seconds of CPU of each standing that was complete, and stored
    share: float  # of a core that the computation had in its turns

    def ratios(self) -> list[float]:
        """By how much a standing raises the p99 of an ask, turn by turn."""
        return [b.p99 / a.p99 for a, b in zip(self.alone, self.beside, strict=True)]

    @property
    def spread(self) -> Spread:
        """The median of the ratios, and where that of endless turns would lie, at 95 %."""
        ratios = sorted(self.ratios())
        outside = max(0, int((len(ratios) - 1.96 * len(ratios) ** 0.5) / 2))  # on either side
        return Spread(median(ratios), ratios[outside], ratios[-1 - outside])

    def table(self) -> Figures:
        """For people."""
        rows = []
        for name, runs in (("alone", self.alone), ("beside a standing", self.beside)):
            p99s = [run.p99 for run in runs]
            rows.append((
                name, f"{median(run.p50 for run in runs):.2f}", f"{median(p99s):.2f}",
                f"{min(p99s):.2f} - {max(p99s):.2f}", f"{median(run.rate for run in runs):,.0f}",
                f"{sum(run.faults for run in runs)}",
            ))  # fmt: skip
        head = ("", "p50 ms", "p99 ms", "low - high", "decisions/s", "faults")
        return Figures(f"an ask, {EACH} matches at once per bot", head, rows)


def measure(size: tuple[int, int], repeats: int, seconds: float, *, paced: bool) -> Measured:
    """Play alone and beside a computation, in turn; `size` is in matches and bots."""
    runs: dict[bool, list[Run]] = {False: [], True: []}
    cpus: Sequence[float] = ()
    share = 0.0
    with tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder:
        path = Path(folder) / "bench.db"
        make_history(path, *size)
        with (
            processes((standing_server, str(path), paced)) as (server,),
            processes(*[(crowd,)] * PROCESSES) as crowds,
        ):
            address = server.answer()
            for process, names in zip(crowds, shared(bot_names(EACH)), strict=True):
                process.ask(Bots(address, names, FORMAT, EACH))
            server.ask(Turn(seconds / 2, beside=False))  # warm up
            for repeat in range(repeats):
                for beside in (False, True) if repeat % 2 else (True, False):
                    run, cpus, share = server.ask(Turn(seconds, beside))
                    runs[beside].append(run)
    return Measured(runs[False], runs[True], cpus, share)


def options() -> argparse.Namespace:
    """What the command line wants."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.standing",
        description="What a standing that is computed beside a server costs those who play.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--quick", action="store_true", help="a small history: a look, no result")
    parser.add_argument(
        "--repeats", type=int, default=21, metavar="N", help="turns of each (default: %(default)s)"
    )
    parser.add_argument(
        "--full-speed", action="store_true", help="the computation does not rest while others play"
    )
    chosen = parser.parse_args()
    if chosen.repeats < 5:
        parser.error(f"a median wants at least 5 repeats, not {chosen.repeats}")
    return chosen


def main() -> None:
    """Measure and show."""
    chosen = options()
    matches, bots = QUICK if chosen.quick else FULL
    where: dict[str, Any] = {**machine(), "repeats": chosen.repeats}
    seconds = 1.0 if chosen.quick else 3.0
    paced = not chosen.full_speed
    measured = measure((matches, bots), chosen.repeats, seconds, paced=paced)
    where["load after"] = [round(load, 2) for load in os.getloadavg()]
    if not measured.cpus:
        sys.exit("no standing was complete before the last turn; give more --repeats")
    spread, cpu = measured.spread, median(measured.cpus)
    goals = [
        Goal("p99 of an ask beside a standing: x alone", spread.median, P99_WANTED, at_least=False),
        Goal(f"CPU seconds of a standing of {matches:,} matches", cpu, CPU_WANTED, at_least=False),
    ]
    if chosen.json:
        facts = {
            "alone": [run._asdict() for run in measured.alone],
            "beside": [run._asdict() for run in measured.beside],
            "standings": len(measured.cpus),
            "cpu_seconds": measured.cpus,
            "share": measured.share,
            "ratio": spread._asdict(),
        }
        show_json({"benchmark": "standing", "machine": where, **facts}, goals)
        return
    heading = (
        f"{where['cores']} cores, {where['system']}, {where['python']}, load before "
        f"{where['load']} and after {where['load after']}, {matches:,} matches of {bots} bots, "
        f"{len(measured.cpus)} standings complete with {measured.share:.0%} of a core, "
        f"{cpu:.1f} s of CPU each, "
        f"median ratio of {chosen.repeats} turns {spread.median:.2f} "
        f"(95 %: {spread.low:.2f} - {spread.high:.2f})"
    )
    show(heading, [measured.table()], goals)


if __name__ == "__main__":
    main()
