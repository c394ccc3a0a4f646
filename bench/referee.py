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
import asyncio
import gc
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import grpc
from bench.clients import PING_PONG, Bots, Pongs, crowd
from bench.measure import Goal, Table, machine, show, show_json
from grpc import aio

from paddock_games import FORMATS, Match, Seated, game_of
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask
from paddock_server.serving.server import Serving, Settings
from paddock_server.tables.notices import EndListener, Finished
from paddock_server.wire import items

FORMAT: Final = "winter"
SEATS: Final = FORMATS[FORMAT].usual_seats
TABLES: Final = 2  # groups of bots that always play with each other
PROCESSES: Final = 2  # that the bots live in
BOTS: Final = TABLES * SEATS
RATIOS_WANTED: Final = {1: 0.85, 8: 1.6, 32: 3.5}  # by matches at once per bot
P99_WANTED: Final = 1.5
IDLE_KILOBYTES_WANTED: Final = 60.0
IDLE_PERCENT_WANTED: Final = 1.0
FULL: Final = 10_000  # idle bots that the goals are about
ANSWER: Final = bytes(14)  # as long as a frame with one choice
_LATE: Final = 60.0  # seconds after which something hangs

Side: TypeAlias = Literal["raw", "matches"]


class Run(NamedTuple):
    """One turn of one side, as its server saw it."""

    decisions: int
    seconds: float
    cpu: float  # seconds that the server process ran
    p50: float  # milliseconds from an ask to its answer
    p99: float
    faults: int

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds

    @property
    def micros(self) -> float:
        """Microseconds of the server's CPU a decision."""
        return 1e6 * self.cpu / self.decisions


class Usage(NamedTuple):
    """What a process has taken so far."""

    at: float
    cpu: float
    kilobytes: float


class Order(NamedTuple):
    """What a server process is to do."""

    what: Literal["run", "tidy", "usage", "pages"]
    each: int = 0  # matches (or streams) at once per bot
    seconds: float = 0.0


def usage() -> Usage:
    """This process, now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Usage(time.monotonic(), time.process_time(), pages * resource.getpagesize() / 1024)


def quantile(values: Sequence[float], part: float) -> float:
    """The value that this part of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


async def until(ready: Callable[[], bool]) -> None:
    """Wait for it, though not for ever."""
    async with asyncio.timeout(_LATE):
        while not ready():  # noqa: ASYNC110  # who makes it ready knows nothing of us
            await asyncio.sleep(0.02)


async def window(
    seconds: float, decisions: Callable[[], int], taken: list[float], faults: Callable[[], int]
) -> Run:
    """What happens in so many seconds, or in more of them if there is no time of an ask before.

    `taken` collects those, in milliseconds; matches tell them when they are over.
    """
    await asyncio.sleep(seconds / 4)  # until it runs smoothly
    taken.clear()
    before, at, cpu = decisions(), time.perf_counter(), time.process_time()
    await asyncio.sleep(seconds)
    await until(lambda: bool(taken))
    done, took = decisions() - before, time.perf_counter() - at
    ran = time.process_time() - cpu
    return Run(done, took, ran, quantile(taken, 0.5), quantile(taken, 0.99), faults())


# --- the server processes -------------------------------------------------------------------


def raw_server(orders: Connection, size: int) -> None:
    """Ping-pong with messages of this size."""
    asyncio.run(_raw_server(orders, bytes(size)))


class _Lane:
    """Streams that are used together."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.done = 0
        self.taken: list[float] = []

    def count(self) -> int:
        """How often something came back."""
        return self.done


async def _raw_server(orders: Connection, ask: bytes) -> None:
    lanes = {each: _Lane() for each in RATIOS_WANTED}

    async def stream(_requests: Any, context: Any) -> None:
        lane = lanes[int(await context.read())]
        while True:
            await lane.go.wait()
            asked = time.perf_counter()
            await context.write(ask)
            if await context.read() is aio.EOF:
                return
            lane.taken.append(1000 * (time.perf_counter() - asked))
            lane.done += 1

    _, service, method = PING_PONG.split("/")
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(stream)
    server = aio.server()
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(service, {method: handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    orders.send(f"127.0.0.1:{port}")
    while (order := await asyncio.to_thread(orders.recv)) is not None:
        lane = lanes[order.each]
        lane.go.set()
        run = await window(order.seconds, lane.count, lane.taken, lambda: 0)
        lane.go.clear()
        await asyncio.sleep(0.1)  # what is under way comes back
        orders.send(run)
    await server.stop(None)


def bot_names(each: int) -> list[str]:
    """The bots that play so many matches at once."""
    return [f"bot-{each}-{number}" for number in range(BOTS)]


def referee_server(orders: Connection, folder: str) -> None:
    """A whole server, and somebody who always has new matches for it."""
    asyncio.run(_referee_server(orders, folder))


async def _referee_server(orders: Connection, folder: str) -> None:
    settings = Settings(
        database=str(Path(folder) / "bench.db"),
        grpc="127.0.0.1:0",
        http="127.0.0.1:0",
        clock=Clock(base=10.0),
    )
    serving = Serving(settings)
    await serving.start()
    orders.send(serving.address)
    organiser = Organiser(serving)
    while (order := await asyncio.to_thread(orders.recv)) is not None:
        if order.what == "tidy":
            orders.send(gc.collect())
        elif order.what == "usage":
            orders.send(usage())
        elif order.what == "pages":
            orders.send(serving.http_address)
        else:
            orders.send(await organiser.run(order.each, order.seconds))
    await serving.stop()


class Organiser:
    """Keeps every table busy: as many matches wait as are under way."""

    def __init__(self, serving: Serving) -> None:
        self._lobby = serving.lobby
        self._metrics = serving.metrics
        self._each = 0
        self._waiting: dict[str, int] = {}  # matches to be finished yet, by a table's first bot
        self._taken: list[float] = []
        self._faults = 0
        self._tasks: set[asyncio.Task[None]] = set()
        serving.tables.listeners.append(EndListener(self._finished))

    async def run(self, each: int, seconds: float) -> Run:
        """Play for so many seconds with so many matches at once per bot, then let them end."""
        names = bot_names(each)
        self._each = each
        self._faults = 0
        for first in range(0, BOTS, SEATS):
            await self._add(names[first : first + SEATS], 2 * each)
        run = await window(seconds, self._decisions, self._taken, lambda: self._faults)
        self._each = 0
        await until(lambda: not any(self._waiting.values()))
        return run

    async def _add(self, bots: Sequence[str], count: int) -> None:
        table = min(bots)
        self._waiting[table] = self._waiting.get(table, 0) + count
        await self._lobby.add_matches(FORMAT, bots, count)

    def _decisions(self) -> int:
        return int(self._metrics.registry.get_sample_value("paddock_asks_total") or 0)

    def _finished(self, finished: Finished) -> None:
        record = finished.record
        bots = sorted(seat["bot"] for seat in record["seats"])
        self._waiting[bots[0]] -= 1
        for placed in _placements(record):
            self._taken.append(placed["ms"])
            self._faults += placed["fault"] is not None
        if self._each and self._waiting[bots[0]] <= self._each:
            task = asyncio.get_running_loop().create_task(self._add(bots, self._each))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


def _placements(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for game in record["games"]:
        for turn in game["turns"]:
            yield from turn["placements"]


# --- all processes --------------------------------------------------------------------------


class Process:
    """A process of ours, and how it is talked to."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, orders = context.Pipe()
        self._process = context.Process(target=work, args=(orders, *arguments), daemon=True)
        self._process.start()
        orders.close()

    def send(self, order: Any) -> None:
        """Tell it what to do."""
        self._pipe.send(order)

    def answer(self) -> Any:
        """What it says; it may take its time."""
        if not self._pipe.poll(3 * _LATE):
            raise TimeoutError("a process of the benchmark does not answer")
        return self._pipe.recv()

    def ask(self, order: Any) -> Any:
        """Tell it, and wait for what it says."""
        self.send(order)
        return self.answer()

    def end(self) -> None:
        """Have it end, one way or another."""
        with suppress(OSError):  # it is gone already
            self._pipe.send(None)
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


@contextmanager
def processes(*wanted: tuple[Any, ...]) -> Iterator[list[Process]]:
    """Processes that end with the block."""
    with ExitStack() as stack:
        made = []
        for work, *arguments in wanted:
            process = Process(work, *arguments)
            stack.callback(process.end)
            made.append(process)
        yield made


def shared(names: Sequence[str]) -> list[Sequence[str]]:
    """The same names, shared out to the processes of bots."""
    return [names[process::PROCESSES] for process in range(PROCESSES)]


def ask_size() -> int:
    """How large an ask is, in bytes: the median of a match."""
    seats = [Seated(f"bot-1-{seat}", "1", f"bot-1-{seat}", NO_NONCE) for seat in range(SEATS)]
    match = Match("0" * 26, FORMAT, game_of(FORMAT).rules(None), seats, bytes(SEED_BYTES))
    state = match.start()
    sizes: list[int] = []
    while state.to_move:
        table = items.table(match, state)
        asks = [Ask(seat, 1 << 24, state, state.legal(seat), 60.0, 10.0) for seat in state.to_move]
        sizes += [len(items.ask(match, ask, table)) for ask in asks]
        state = state.step({seat: state.legal(seat)[0] for seat in state.to_move})
    return int(median(sizes))


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
            subject = f"decisions/s, {each} at once per bot: x raw ping-pong"
            goals.append(Goal(subject, self.ratio(each, lambda run: run.rate, 1), wanted))
        for each in RATIOS_WANTED:
            subject = f"p99 of an ask, {each} at once per bot: x raw, as much under way"
            measured = self.ratio(each, lambda run: run.p99, each)
            goals.append(Goal(subject, measured, P99_WANTED, at_least=False))
        return goals

    def table(self) -> Table:
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
        return Table(title, head, rows)

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


def played(repeats: int, seconds: float) -> Played:
    """Matches and ping-pong in turn."""
    size = ask_size()
    runs: dict[tuple[Side, int], list[Run]] = {}
    for each in RATIOS_WANTED:
        runs["raw", each] = []
        runs["matches", each] = []
    with (
        tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder,
        processes((raw_server, size), (referee_server, folder)) as (raw, matches),
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

    def table(self) -> Table:
        """For people."""
        head = ("", "KB each", "% of a core", "without bots", f"% for {FULL:,}")
        row = (
            f"{self.bots:,} idle", f"{self.kilobytes:.1f}", f"{self.percent:.2f}",
            f"{self.percent_alone:.2f}", f"{self.percent_full:.2f}",
        )  # fmt: skip
        return Table("Connected and idle, a connection each, pings included", head, [row])


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
    found = played(chosen.repeats, 0.4 if chosen.quick else 1.5)
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
        f"medians of {chosen.repeats} repeats, {faults} faults"
    )
    show(heading, tables, goals)


if __name__ == "__main__":
    main()
