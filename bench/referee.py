"""How fast the referee is, beside a server that does nothing but answer.

Matches are real ones: a whole server with its journal on disk, and bots in other processes, each
with a connection of its own, that choose anything. The measure is raw ping-pong: a grpc.aio server
that writes a message as large as an ask and reads what comes back, as many streams as there are
bots, in the same processes. What is compared takes turns; a ratio is that of one turn, and the
median of all turns counts.

The time of an ask is what the server sees, from asking to having the answer. It is compared with
raw ping-pong that has as many messages under way: a stream for every match of every bot, those of
one bot on one connection.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from statistics import median
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from bench.crowd import Bots, Pongs, crowd
from bench.load import (
    BOTS,
    FORMAT,
    PROCESSES,
    Order,
    Run,
    ask_size,
    bot_names,
    raw_server,
    referee_server,
    shared,
)
from bench.measure import Figures, Goal, machine, show, show_json
from bench.processes import Process, processes

RATIOS_WANTED: Final = {1: 0.45, 8: 1.3, 32: 2.2}  # by CPU, by matches at once per bot
P99_WANTED: Final = 1.5
IDLE_KILOBYTES_WANTED: Final = 60.0
IDLE_PERCENT_WANTED: Final = 1.0
FULL: Final = 10_000  # idle bots that the goals are about
ANSWER: Final = bytes(14)  # as long as a frame with one choice

Side: TypeAlias = Literal["raw", "matches"]


# --- playing --------------------------------------------------------------------------------


class Played(NamedTuple):
    """Both sides, by how many matches a bot plays at once; the runs in the order of the turns."""

    ask_bytes: int
    runs: Mapping[tuple[Side, int], Sequence[Run]]

    def ratio(self, each: int, of: Callable[[Run], float], streams: int) -> float:
        """Matches over raw ping-pong with so many streams per bot."""
        both = zip(self.runs["matches", each], self.runs["raw", streams], strict=True)
        return median([of(matches) / of(raw) for matches, raw in both])

    def goals(self) -> list[Goal]:
        """What is to be reached."""
        goals = []
        for each, wanted in RATIOS_WANTED.items():
            subject = f"decisions per server CPU, {each} at once per bot: x raw ping-pong"
            goals.append(Goal(subject, self.ratio(each, lambda run: 1 / run.micros, 1), wanted))
        for each in RATIOS_WANTED:
            subject = f"p99 of an ask, {each} at once per bot: x raw, as much under way"
            measured = self.ratio(each, lambda run: run.p99, each)
            goals.append(Goal(subject, measured, P99_WANTED, at_least=False))
        return goals

    def table(self) -> Figures:
        """For people."""
        rows = []
        for (side, each), runs in self.runs.items():
            name = f"raw, {each} per connection" if side == "raw" else f"matches, {each} per bot"
            rates = [run.rate for run in runs]
            base = self.runs["raw", 1]
            by_cpu = median([b.micros / r.micros for b, r in zip(base, runs, strict=True)])
            by_time = median([r.rate / b.rate for b, r in zip(base, runs, strict=True)])
            rows.append((
                name, f"{median(rates):,.0f}", f"{min(rates):,.0f} - {max(rates):,.0f}",
                f"{by_time:.2f}", f"{median(r.micros for r in runs):.0f}", f"{by_cpu:.2f}",
                f"{median(r.cpu / r.seconds for r in runs):.2f}",
                f"{median(r.p50 for r in runs):.2f}", f"{median(r.p99 for r in runs):.2f}",
            ))  # fmt: skip
        head = (
            "", "decisions/s", "low - high", "x raw", "server CPU us", "x raw by CPU", "cores",
            "p50 ms", "p99 ms",
        )  # fmt: skip
        title = f"{BOTS} bots in {PROCESSES} processes, {FORMAT}, asks of {self.ask_bytes} bytes"
        return Figures(title, head, rows)

    def facts(self) -> dict[str, Any]:
        """For programs."""
        return {
            "ask_bytes": self.ask_bytes,
            "bots": BOTS,
            "runs": {
                f"{side}-{each}": [
                    {**run._asdict(), "rate": run.rate, "micros": run.micros} for run in runs
                ]
                for (side, each), runs in self.runs.items()
            },
        }


def played(repeats: int, seconds: float, loop: str = "asyncio") -> Played:
    """Matches and ping-pong in turn, both on this event loop."""
    size = ask_size()
    runs: dict[tuple[Side, int], list[Run]] = {}
    for each in RATIOS_WANTED:
        runs["raw", each] = []
        runs["matches", each] = []
    with (
        tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder,
        processes((raw_server, size, loop), (referee_server, folder, loop)) as (raw, matches),
        processes(*[(crowd,)] * PROCESSES) as crowds,
    ):
        servers: dict[Side, Process] = {"raw": raw, "matches": matches}
        pongs, plays = raw.answer(), matches.answer()
        for each in RATIOS_WANTED:
            for process, names in zip(crowds, shared(bot_names(each)), strict=True):
                process.ask(Pongs(pongs, len(names), each, each, ANSWER))
                process.ask(Bots(plays, names, FORMAT, each))
        order = list(runs)
        for side, each in order:  # warm up
            servers[side].ask(Order("run", each, seconds / 4))
        for repeat in range(repeats):
            first = repeat * len(order) // repeats  # so that nobody is always first
            for side, each in order[first:] + order[:first]:
                runs[side, each].append(servers[side].ask(Order("run", each, seconds)))
    return Played(size, runs)


# --- idling ---------------------------------------------------------------------------------


class Idle(NamedTuple):
    """What bots cost that are connected and do nothing."""

    bots: int
    kilobytes: float  # of the server, each
    percent_alone: float  # of a core, without any bot
    percent: float  # and with them

    @property
    def percent_full(self) -> float:
        """What it would be with as many as the goal is about, if each costs the same."""
        return self.percent_alone + (self.percent - self.percent_alone) * FULL / self.bots

    def goals(self) -> list[Goal]:
        """What is to be reached."""
        how = "measured" if self.bots == FULL else f"projected from {self.bots:,}"
        return [
            Goal(
                f"server memory per idle bot, KB ({self.bots:,} connected)",
                self.kilobytes, IDLE_KILOBYTES_WANTED, at_least=False,
            ),
            Goal(
                f"% of a core for {FULL:,} idle bots, {how}",
                self.percent_full, IDLE_PERCENT_WANTED, at_least=False,
            ),
        ]  # fmt: skip

    def table(self) -> Figures:
        """For people."""
        head = ("", "KB each", "% of a core", "without bots", f"% for {FULL:,}")
        row = (
            f"{self.bots:,} idle", f"{self.kilobytes:.1f}", f"{self.percent:.2f}",
            f"{self.percent_alone:.2f}", f"{self.percent_full:.2f}",
        )  # fmt: skip
        return Figures("Connected and idle, a connection each, pings included", head, [row])


def idle(bots: int, seconds: float) -> Idle:
    """Connect bots to a fresh server, and let them be."""
    with (
        tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder,
        processes((referee_server, folder)) as (server,),
        processes(*[(crowd,)] * PROCESSES) as crowds,
    ):
        address = server.answer()
        # A first bot has everything made that is made once.
        crowds[0].ask(Bots(address, ["bot-first"], FORMAT, 1))
        alone = _spent(server, seconds / 4)
        server.ask(Order("tidy"))
        before = server.ask(Order("usage"))
        names = [f"bot-{number}" for number in range(bots)]
        for process, some in zip(crowds, shared(names), strict=True):
            process.send(Bots(address, some, FORMAT, 1))
        for process in crowds:
            process.answer()
        time.sleep(seconds / 4)  # until all is quiet
        server.ask(Order("tidy"))
        after = server.ask(Order("usage"))
        percent = _spent(server, seconds)
    return Idle(bots, (after.kilobytes - before.kilobytes) / bots, alone, percent)


def _spent(server: Process, seconds: float) -> float:
    before = server.ask(Order("usage"))
    time.sleep(seconds)
    after = server.ask(Order("usage"))
    return float(100 * (after.cpu - before.cpu) / (after.at - before.at))


def allow_files(wanted: int) -> None:
    """Have as many open files as that takes, or say so."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted and hard != resource.RLIM_INFINITY and hard < wanted:
        sys.exit(f"{wanted} open files are needed, {hard} are allowed; see: ulimit -n")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


# --- showing --------------------------------------------------------------------------------


def options() -> argparse.Namespace:
    """What the command line wants."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.referee",
        description="How fast the referee is, beside raw ping-pong over gRPC.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--quick", action="store_true", help="short runs: a look, not a result")
    parser.add_argument(
        "--repeats", type=int, default=7, metavar="N", help="runs of each (default: %(default)s)"
    )
    parser.add_argument(
        "--idle", type=int, default=1000, metavar="N",
        help=f"idle bots, 0 for none (default: %(default)s; the goal is about {FULL})",
    )  # fmt: skip
    parser.add_argument(
        "--loop", choices=("asyncio", "uvloop"), default="asyncio",
        help="the event loop of both servers; uvloop has to be installed (default: %(default)s)",
    )  # fmt: skip
    chosen = parser.parse_args()
    if chosen.repeats < 5:
        parser.error(f"a median wants at least 5 repeats, not {chosen.repeats}")
    if chosen.idle < 0:
        parser.error("so few can't be connected")
    return chosen


def main() -> None:
    """Measure and show."""
    chosen = options()
    allow_files(chosen.idle + 1000)
    where = {**machine(), "grpcio": version("grpcio"), "repeats": chosen.repeats}
    found = played(chosen.repeats, 0.4 if chosen.quick else 1.5, chosen.loop)
    bored = idle(chosen.idle, 6.0 if chosen.quick else 24.0) if chosen.idle else None
    where["load after"] = [round(load, 2) for load in os.getloadavg()]
    goals, tables, facts = found.goals(), [found.table()], found.facts()
    if bored is not None:
        goals += bored.goals()
        tables.append(bored.table())
        facts["idle"] = bored._asdict()
    if chosen.json:
        show_json({"benchmark": "referee", "machine": where, **facts}, goals)
        return
    faults = sum(run.faults for runs in found.runs.values() for run in runs)
    heading = (
        f"{where['cores']} cores, {where['system']}, {where['python']}, grpcio {where['grpcio']}, "
        f"load before {where['load']} and after {where['load after']}, "
        f"medians of {chosen.repeats} repeats, {faults} faults, {chosen.loop}"
    )
    show(heading, tables, goals)


if __name__ == "__main__":
    main()
