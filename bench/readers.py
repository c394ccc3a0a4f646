"""What readers cost play: the referee with 200 busy readers, and without, in turn.

Readers have no token. They never wait: who is answered, or refused, asks again at once. A hundred
ask for pages, each from an address of its own and another page each time; 30 export records, 30
ask for standings over gRPC, 20 have a ladder open and ask for it whenever something changed, and 20
watch matches. The server has a history to read from. What counts is the ratio within a pair of
turns, of the p99 of an ask and of decisions a second.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

import grpc
from bench.crowd import Bots, crowd
from bench.full_store import Sizes, fill
from bench.load import FORMAT, PROCESSES, Organiser, Run, bot_names, shared
from bench.measure import Figures, Goal, machine, show, show_json
from bench.processes import processes

from paddock.v1 import ladder_pb2, ladder_pb2_grpc, match_pb2
from paddock_server.referee.clock import Clock
from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings

P99_WANTED: Final = 1.2
RATE_WANTED: Final = 0.85
EACH: Final = 8  # matches at once per bot
PAGES: Final = 100  # readers of each kind
EXPORTS: Final = 30
STANDINGS: Final = 30
LADDERS: Final = 20
WATCHERS: Final = 20
READERS: Final = PAGES + EXPORTS + STANDINGS + LADDERS + WATCHERS
FULL: Final = Sizes(200, 20_000)
QUICK: Final = Sizes(50, 1_000)
_LADDERS: Final = ("/ladder", "/ladder/summer", "/ladder/winter", "/ladder/two-player")
_SORTS: Final = ("rank", "bot", "rating", "matches", "points")
_PAUSE: Final = 0.5  # after a connection was refused by the kernel, and after a match


# --- the server -------------------------------------------------------------------------------


class Where(NamedTuple):
    """The addresses of a server."""

    grpc: str
    http: str


def server(orders: Connection, database: str, web_workers: int) -> None:
    """A whole server, and somebody who always has new matches for it."""
    asyncio.run(_server(orders, database, web_workers))


async def _server(orders: Connection, database: str, web_workers: int) -> None:
    settings = Settings(
        database,
        grpc="127.0.0.1:0",
        http="127.0.0.1:0",
        web_workers=web_workers,
        clock=Clock(base=10.0),
        standing_seconds=0.0,
    )
    serving = Serving(settings)
    await serving.start()
    orders.send(Where(serving.address, serving.http_address or ""))
    organiser = Organiser(serving)
    while (seconds := await asyncio.to_thread(orders.recv)) is not None:
        orders.send(await organiser.run(EACH, seconds))
    await serving.stop()


# --- the readers ------------------------------------------------------------------------------


class Visit(NamedTuple):
    """An order to the readers: where to read, and what; without a place they stop."""

    where: Where | None
    ids: Sequence[str] = ()  # of matches
    bots: int = 0


def readers(orders: Connection) -> None:
    """All readers, in one process."""
    asyncio.run(_readers(orders))


async def _readers(orders: Connection) -> None:
    reading: list[asyncio.Task[None]] = []
    seen: Counter[str] = Counter()  # answers by status
    while (order := await asyncio.to_thread(orders.recv)) is not None:
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        counted, seen = seen, Counter()
        reading = _begun(order, order.where, seen) if order.where else []
        orders.send(counted)


def _begun(order: Visit, where: Where, seen: Counter[str]) -> list[asyncio.Task[None]]:
    kinds: list[tuple[int, Callable[[int], Awaitable[None]]]] = [
        (PAGES, lambda at: _read_pages(where.http, at, order, seen)),
        (EXPORTS, lambda _: _export(where.grpc, seen)),
        (STANDINGS, lambda _: _ask_standings(where.grpc, seen)),
        (LADDERS, lambda at: _follow(where.http, at, seen)),
        (WATCHERS, lambda at: _watch(where.http, at, seen)),
    ]
    return [
        asyncio.create_task(_for_ever(kind, at)) for count, kind in kinds for at in range(count)
    ]


async def _for_ever(read: Callable[[int], Awaitable[None]], at: int) -> None:
    while True:
        try:
            await read(at)
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(_PAUSE)


async def _read_pages(address: str, at: int, order: Visit, seen: Counter[str]) -> None:
    rng = Random(at)
    source = f"127.0.{1 + at // 200}.{1 + at % 200}"
    reader, writer = await _connected(address, source)
    try:
        while True:
            kind = rng.randrange(3)
            if kind == 0:
                wanted = (
                    f"{rng.choice(_LADDERS)}?sort={rng.choice(_SORTS)}&size={rng.randint(9, 99)}"
                )
            elif kind == 1:
                wanted = f"/bots/bot-{rng.randrange(order.bots)}"
            else:
                wanted = f"/matches/{rng.choice(order.ids)}/turns/{rng.randint(1, 12)}"
            writer.write(f"GET {wanted} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            seen[f"page {await _answered(reader)}"] += 1
    finally:
        writer.close()


async def _answered(reader: asyncio.StreamReader) -> str:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = head.partition("content-length: ")[2].partition("\r\n")[0]
    await reader.readexactly(int(length or 0))
    return head.split()[1]


async def _follow(address: str, at: int, seen: Counter[str]) -> None:
    """Somebody with the ladder open."""
    source = f"127.0.9.{1 + at}"
    reader, writer = await _connected(address, source)
    try:
        writer.write(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
        while line := await reader.readline():
            if line.startswith(b"event: changed"):
                pages, asking = await _connected(address, source)
                asking.write(b"GET /ladder HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                seen[f"ladder {await _answered(pages)}"] += 1
                asking.close()
    finally:
        writer.close()


async def _watch(address: str, at: int, seen: Counter[str]) -> None:
    """Somebody who looks at one match after another."""
    source = f"127.0.10.{1 + at}"
    reader, writer = await _connected(address, source)
    writer.write(b"GET /api/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    found = (await reader.read()).partition(b"\r\n\r\n")[2]
    writer.close()
    matches = json.loads(found).get("matches") if found.startswith(b"{") else None
    if not matches:
        await asyncio.sleep(_PAUSE)
        return
    match = matches[at % len(matches)]["match"]["match"]
    reader, writer = await _connected(address, source)
    try:
        writer.write(f"GET /live/{match}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b"event: table"):
                seen["pictures"] += 1
            if line.startswith(b"event: end"):
                break
    finally:
        writer.close()


async def _connected(
    address: str, source: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = address.rpartition(":")
    return await asyncio.open_connection(host, int(port), limit=1 << 22, local_addr=(source, 0))


async def _export(address: str, seen: Counter[str]) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        export: Any = channel.unary_stream(
            "/paddock.v1.MatchService/ExportRecords",
            request_serializer=match_pb2.ExportRecordsRequest.SerializeToString,
            response_deserializer=match_pb2.ExportRecordsResponse.FromString,
        )
        while True:
            try:
                async for _ in export(match_pb2.ExportRecordsRequest()):
                    seen["records"] += 1
            except grpc.aio.AioRpcError as refused:
                seen[f"export {refused.code().name}"] += 1


async def _ask_standings(address: str, seen: Counter[str]) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        ladder: Any = ladder_pb2_grpc.LadderServiceStub(channel)
        while True:
            try:
                await ladder.ListStandings(ladder_pb2.ListStandingsRequest(format="winter"))
                seen["standings"] += 1
            except grpc.aio.AioRpcError as refused:
                seen[f"standings {refused.code().name}"] += 1


# --- measured and shown -----------------------------------------------------------------------


class Measured(NamedTuple):
    """The referee at work, in turns: alone, and with readers."""

    alone: Sequence[Run]
    beside: Sequence[Run]
    answers: Counter[str]  # that readers got
    seconds: float  # in which they got them

    @property
    def p99(self) -> float:
        """By how much readers raise the p99 of an ask."""
        return median([b.p99 / a.p99 for a, b in zip(self.alone, self.beside, strict=True)])

    @property
    def rate(self) -> float:
        """What they leave of the decisions a second."""
        return median([b.rate / a.rate for a, b in zip(self.alone, self.beside, strict=True)])

    def tables(self) -> list[Figures]:
        """For people."""
        rows = []
        for name, runs in (("alone", self.alone), (f"{READERS} read", self.beside)):
            p99s = [run.p99 for run in runs]
            rows.append((
                name, f"{median(run.p50 for run in runs):.2f}", f"{median(p99s):.2f}",
                f"{min(p99s):.2f} - {max(p99s):.2f}", f"{median(run.rate for run in runs):,.0f}",
                f"{median(run.micros for run in runs):.0f}", f"{sum(r.faults for r in runs)}",
            ))  # fmt: skip
        head = ("", "p50 ms", "p99 ms", "low - high", "decisions/s", "CPU us a decision", "faults")
        answered = [
            (name, f"{count / self.seconds:,.1f}") for name, count in sorted(self.answers.items())
        ]
        return [
            Figures(f"the referee, {EACH} matches at once per bot", head, rows),
            Figures("what readers got", ("answer", "a second"), answered),
        ]


def measure(sizes: Sizes, repeats: int, seconds: float, web_workers: int) -> Measured:
    """Play without and with readers, in turn."""
    runs: dict[bool, list[Run]] = {False: [], True: []}
    answers: Counter[str] = Counter()
    read = 0.0
    with tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder:
        path = Path(folder) / "bench.db"
        ids = fill(path, sizes)
        with (
            processes((server, str(path), web_workers), (readers,)) as (plays, visits),
            processes(*[(crowd,)] * PROCESSES) as crowds,
        ):
            where = plays.answer()
            for process, names in zip(crowds, shared(bot_names(EACH)), strict=True):
                process.ask(Bots(where.grpc, names, FORMAT, EACH))
            plays.ask(seconds / 2)  # warm up
            for repeat in range(repeats):
                for beside in (False, True) if repeat % 2 else (True, False):
                    visits.ask(Visit(where, ids, sizes.bots) if beside else Visit(None))
                    begun = time.monotonic()
                    runs[beside].append(plays.ask(seconds))
                    if beside:
                        answers += visits.ask(Visit(None))
                        read += time.monotonic() - begun
    return Measured(runs[False], runs[True], answers, read)


def options() -> argparse.Namespace:
    """What the command line wants."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.readers", description="What busy readers cost those who play."
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--quick", action="store_true", help="a small history: a look, no result")
    parser.add_argument(
        "--repeats", type=int, default=9, metavar="N", help="turns of each (default: %(default)s)"
    )
    parser.add_argument(
        "--web-workers", type=int, default=0, metavar="N", help="processes for pages (default: 0)"
    )
    return parser.parse_args()


def main() -> None:
    """Measure and show."""
    chosen = options()
    where: dict[str, Any] = {**machine(), "repeats": chosen.repeats}
    sizes, seconds = (QUICK, 2.0) if chosen.quick else (FULL, 4.0)
    measured = measure(sizes, chosen.repeats, seconds, chosen.web_workers)
    where["load after"] = [round(load, 2) for load in os.getloadavg()]
    goals = [
        Goal(f"p99 of an ask with {READERS} readers: x without", measured.p99, P99_WANTED,
             at_least=False),
        Goal(f"decisions/s with {READERS} readers: x without", measured.rate, RATE_WANTED),
    ]  # fmt: skip
    if chosen.json:
        facts = {
            "alone": [run._asdict() for run in measured.alone],
            "beside": [run._asdict() for run in measured.beside],
            "answers": dict(measured.answers),
        }
        show_json({"benchmark": "readers", "machine": where, **facts}, goals)
        return
    heading = (
        f"{where['cores']} cores, {where['system']}, {where['python']}, load before "
        f"{where['load']} and after {where['load after']}, {sizes.matches:,} matches of "
        f"{sizes.bots} bots, {chosen.repeats} turns of each, {chosen.web_workers} web workers"
    )
    show(heading, measured.tables(), goals)


if __name__ == "__main__":
    main()
