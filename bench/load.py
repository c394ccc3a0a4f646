"""Servers under load: raw ping-pong, and a whole server whose tables are always busy."""

import asyncio
import gc
import time
from collections.abc import Callable, Coroutine, Sequence
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any, Final, Literal, NamedTuple

import grpc
from bench.crowd import PING_PONG
from bench.processes import LATE, usage
from grpc import aio

from paddock_games import FORMATS, Match, Seated, game_of
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask
from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings
from paddock_server.tables.notices import EndListener, Finished
from paddock_server.wire import items

FORMAT: Final = "winter"
SEATS: Final = FORMATS[FORMAT].usual_seats
TABLES: Final = 2  # groups of bots that always play with each other
PROCESSES: Final = 2  # that the bots live in
BOTS: Final = TABLES * SEATS
AT_ONCE: Final = (1, 8, 32)  # matches per bot


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


class Order(NamedTuple):
    """What a server process is to do."""

    what: Literal["run", "tidy", "usage", "pages"]
    each: int = 0  # matches (or streams) at once per bot
    seconds: float = 0.0


def quantile(values: Sequence[float], part: float) -> float:
    """The value that this part of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


async def until(ready: Callable[[], bool]) -> None:
    """Wait for it, though not for ever."""
    async with asyncio.timeout(LATE):
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


def run_on(loop: str, main: Coroutine[Any, Any, None]) -> None:
    """Run this on asyncio's own event loop, or on that of another package: uvloop."""
    made = None if loop == "asyncio" else import_module(loop).new_event_loop
    with asyncio.Runner(loop_factory=made) as runner:
        runner.run(main)


def raw_server(orders: Connection, size: int, loop: str = "asyncio") -> None:
    """Ping-pong with messages of this size."""
    run_on(loop, _raw_server(orders, bytes(size)))


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
    lanes = {each: _Lane() for each in AT_ONCE}

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


def referee_server(orders: Connection, folder: str, loop: str = "asyncio") -> None:
    """A whole server, and somebody who always has new matches for it."""
    run_on(loop, _referee_server(orders, folder))


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
        bots = sorted(finished.plan.bots)
        self._waiting[bots[0]] -= 1
        for step in finished.played.steps:
            for timing in step.timings.values():
                self._taken.append(timing.ms)
                self._faults += timing.fault is not None
        if self._each and self._waiting[bots[0]] <= self._each:
            task = asyncio.get_running_loop().create_task(self._add(bots, self._each))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


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
