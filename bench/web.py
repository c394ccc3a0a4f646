"""How fast the pages are, with a large server's database behind them, and what watching costs.

Pages are asked for one after another over one connection, each time another bot, match or part of
the ladder, so that nothing is answered from what was just made. Watchers are as browsers are: half
of them have the ladder open and ask for it again whenever something changed, half look at a match
under way. The referee's p99 with them is compared with that without, in turns.
"""

import argparse
import asyncio
import http.client
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random, random
from statistics import median
from typing import Any, Final, NamedTuple

from bench.crowd import Bots, crowd
from bench.full_store import Sizes, fill
from bench.load import (
    FORMAT,
    PROCESSES,
    Order,
    Run,
    bot_names,
    quantile,
    referee_server,
    shared,
)
from bench.measure import Figures, Goal, machine, show, show_json
from bench.processes import processes

from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings

FULL: Final = Sizes(1000, 1_000_000)
QUICK: Final = Sizes(200, 20_000)
MEDIAN_MS_WANTED: Final = 50.0
P99_WANTED: Final = 1.2
WATCHERS: Final = 100
EACH: Final = 8  # matches at once per bot while somebody watches
_LOOK_SECONDS: Final = 4.0  # until somebody looks for another match
_LADDERS: Final = ("/ladder", "/ladder/summer", "/ladder/winter", "/ladder/two-player")
_SORTS: Final = ("rank", "bot", "rating", "matches", "points")


class Timing(NamedTuple):
    """Milliseconds that one kind of page took."""

    page: str
    median: float
    p95: float
    kilobytes: float  # as sent, compressed


def page_server(orders: Connection, database: str) -> None:
    """A server that only shows."""

    async def serve() -> None:
        settings = Settings(database, grpc="127.0.0.1:0", http="127.0.0.1:0", reading=True)
        serving = Serving(settings)
        await serving.start()
        orders.send(serving.http_address)
        await asyncio.to_thread(orders.recv)
        await serving.stop()

    asyncio.run(serve())


def pages(sizes: Sizes, requests: int) -> list[Timing]:
    """Every kind of page, asked for again and again."""
    rng = Random(2)
    with tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder:
        path = Path(folder) / "full.db"
        ids = fill(path, sizes)
        with processes((page_server, str(path))) as (server,):
            host = http.client.HTTPConnection(server.answer())
            last = sizes.bots // 50

            def ladder() -> str:
                query = f"?sort={rng.choice(_SORTS)}&page={rng.randint(1, last)}"
                return rng.choice(_LADDERS) + query

            kinds: dict[str, Callable[[], str]] = {
                "ladder": ladder,
                "bot": lambda: f"/bots/bot-{rng.randrange(sizes.bots)}",
                "match": lambda: f"/matches/{rng.choice(ids)}/turns/{rng.randint(1, 12)}",
                "matches of a bot": lambda: f"/matches?bot=bot-{rng.randrange(sizes.bots)}",
                "home": lambda: "/",
                "ladder as JSON": lambda: f"/api{ladder()}",
            }
            return [_timed(host, kind, address, requests) for kind, address in kinds.items()]


def _timed(
    host: http.client.HTTPConnection, kind: str, address: Callable[[], str], requests: int
) -> Timing:
    took, sizes = [], []
    for number in range(requests + 5):
        wanted = address()
        begin = time.perf_counter()
        host.request("GET", wanted, headers={"Accept-Encoding": "gzip"})
        answer = host.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{wanted}: {answer.status}")
        if number >= 5:  # it is warm
            took.append(1000 * (time.perf_counter() - begin))
            sizes.append(len(body) / 1024)
    return Timing(kind, median(took), quantile(took, 0.95), median(sizes))


# --- watching -------------------------------------------------------------------------------


def watchers(orders: Connection) -> None:
    """Browsers with a page open, as many as there shall be."""
    asyncio.run(_watchers(orders))


async def _watchers(orders: Connection) -> None:
    open_pages: list[asyncio.Task[None]] = []
    while (order := await asyncio.to_thread(orders.recv)) is not None:
        address, count = order
        for task in open_pages:
            task.cancel()
        await asyncio.gather(*open_pages, return_exceptions=True)
        open_pages = [
            asyncio.create_task(_follow(address) if at % 2 else _watch(address))
            for at in range(count)
        ]
        orders.send(True)


async def _follow(address: str) -> None:
    """Somebody with the ladder open."""
    reader, writer = await _get(address, "/events")
    try:
        while line := await reader.readline():
            if line.startswith(b"event: changed"):
                await _whole(address, "/ladder")
    finally:
        writer.close()


async def _watch(address: str) -> None:
    """Somebody who looks at one match after another."""
    while True:
        found = json.loads(await _whole(address, "/api/live"))
        if not found["matches"]:
            await asyncio.sleep(_LOOK_SECONDS * random())
            continue
        reader, writer = await _get(
            address, f"/live/{found['matches'][0]['match']['match']}/events"
        )
        try:
            while line := await reader.readline():
                if line.startswith(b"event: end"):
                    break
        finally:
            writer.close()
        await asyncio.sleep(_LOOK_SECONDS * (1 + random()))  # at the end, and for another match


async def _get(address: str, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 22)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    return reader, writer


async def _whole(address: str, path: str) -> bytes:
    reader, writer = await _get(address, path)
    try:
        return (await reader.read()).partition(b"\r\n\r\n")[2]
    finally:
        writer.close()


class Watched(NamedTuple):
    """The referee at work, in turns: without watchers, and with them."""

    alone: Sequence[Run]
    watched: Sequence[Run]

    @property
    def ratio(self) -> float:
        """By how much watching raises the p99 of an ask."""
        return median([b.p99 / a.p99 for a, b in zip(self.alone, self.watched, strict=True)])

    def table(self) -> Figures:
        """For people."""
        rows = []
        for name, runs in (("alone", self.alone), (f"{WATCHERS} watch", self.watched)):
            p99s = [run.p99 for run in runs]
            rows.append((
                name, f"{median(p99s):.2f}", f"{min(p99s):.2f} - {max(p99s):.2f}",
                f"{median(run.rate for run in runs):,.0f}",
                f"{median(run.micros for run in runs):.0f}",
            ))  # fmt: skip
        head = ("", "p99 ms", "low - high", "decisions/s", "server CPU us a decision")
        return Figures(f"the referee, {EACH} matches at once per bot", head, rows)


def watching(repeats: int, seconds: float) -> Watched:
    """Matches without and with watchers, in turn."""
    found: dict[int, list[Run]] = {0: [], WATCHERS: []}
    with (
        tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder,
        processes((referee_server, folder), (watchers,)) as (matches, browsers),
        processes(*[(crowd,)] * PROCESSES) as crowds,
    ):
        plays = matches.answer()
        for process, names in zip(crowds, shared(bot_names(EACH)), strict=True):
            process.ask(Bots(plays, names, FORMAT, EACH))
        address = matches.ask(Order("pages"))
        matches.ask(Order("run", EACH, seconds / 2))  # warm up
        for repeat in range(repeats):
            for count in (0, WATCHERS) if repeat % 2 else (WATCHERS, 0):
                browsers.ask((address, count))
                found[count].append(matches.ask(Order("run", EACH, seconds)))
    return Watched(found[0], found[WATCHERS])


def _facts(seen: Watched) -> dict[str, Any]:
    return {name: [run._asdict() for run in runs] for name, runs in seen._asdict().items()}


def options() -> argparse.Namespace:
    """What the command line wants."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.web", description="How fast the pages are, and what watching costs."
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--quick", action="store_true", help="a small database: a look, no result")
    parser.add_argument(
        "--repeats",
        type=int,
        default=7,
        metavar="N",
        help="turns of watching (default: %(default)s)",
    )
    return parser.parse_args()


def main() -> None:
    """Measure and show."""
    chosen = options()
    where: dict[str, Any] = {**machine(), "repeats": chosen.repeats}
    sizes = QUICK if chosen.quick else FULL
    timings = pages(sizes, 40 if chosen.quick else 200)
    seen = watching(chosen.repeats, 1.0 if chosen.quick else 3.0)
    where["load after"] = [round(load, 2) for load in os.getloadavg()]
    goals = [
        Goal(f"{timing.page}, median ms", timing.median, MEDIAN_MS_WANTED, at_least=False)
        for timing in timings[:3]
    ]
    subject = f"referee's p99 with {WATCHERS} watchers: x without"
    goals.append(Goal(subject, seen.ratio, P99_WANTED, at_least=False))
    if chosen.json:
        facts = {"pages": [timing._asdict() for timing in timings], "watching": _facts(seen)}
        show_json({"benchmark": "web", "machine": where, "sizes": sizes._asdict(), **facts}, goals)
        return
    rows = [(t.page, f"{t.median:.1f}", f"{t.p95:.1f}", f"{t.kilobytes:.1f}") for t in timings]
    title = f"{sizes.bots:,} bots, {sizes.matches:,} matches"
    table = Figures(title, ("page", "median ms", "p95 ms", "KB sent"), rows)
    heading = (
        f"{where['cores']} cores, {where['system']}, {where['python']}, load before "
        f"{where['load']} and after {where['load after']}"
    )
    show(heading, [table, seen.table()], goals)


if __name__ == "__main__":
    main()
