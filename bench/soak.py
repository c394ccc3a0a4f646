"""What a server's memory does over many matches: real bots over gRPC.

Two groups of bots play Draftosaurus and Dino Twist, as many matches as asked for. After every
thousand the table gets a line: resident memory, what Python has allocated, and how many objects of
the server's own kinds are alive, which must not grow. What does grow, and how far, is told by the
two columns behind it: SQLite's page cache (64 MB at most) and the games' choices and pens, of which
there are only so many.
"""

import argparse
import asyncio
import ctypes
import gc
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.crowd import Bots, crowd
from bench.measure import Figures, machine, show, show_json
from bench.processes import processes, usage

from paddock_games import FORMATS
from paddock_server.referee.clock import Clock
from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings
from paddock_server.tables.notices import EndListener

PLAYED: Final = ("winter", "two-player", "dino-twist")  # one group of bots each
EACH: Final = 8  # matches at once per bot
PER_LINE: Final = 1000
_MEGABYTE: Final = 1e6
_LATE: Final = 600.0


class Line(NamedTuple):
    """The server after so many matches."""

    matches: int
    seconds: float  # since the last line
    megabytes: float  # resident
    blocks: int  # that Python has allocated
    own: int  # objects of the server's kinds
    interned: int  # objects of the games' kinds
    cache: float  # megabytes of SQLite's page caches


def names_of(format_name: str) -> list[str]:
    """The bots that play a format."""
    return [f"{format_name}-{seat}" for seat in range(FORMATS[format_name].usual_seats)]


def server(orders: Connection, folder: str) -> None:
    """A whole server that plays a thousand matches when it is told to."""
    asyncio.run(_server(orders, folder))


async def _server(orders: Connection, folder: str) -> None:
    settings = Settings(
        str(Path(folder) / "soak.db"),
        grpc="127.0.0.1:0",
        http="127.0.0.1:0",
        clock=Clock(base=30.0),
        standing_seconds=0.0,
    )
    serving = Serving(settings)
    await serving.start()
    orders.send(serving.address)
    over = bytearray()  # a byte per match, so that it is no memory to speak of
    serving.tables.listeners.append(EndListener(lambda _: over.append(0)))
    while (matches := await asyncio.to_thread(orders.recv)) is not None:
        begun = time.monotonic()
        share, before = matches // len(PLAYED), len(over)
        for format_name in PLAYED:
            await serving.lobby.add_matches(format_name, names_of(format_name), share)
        async with asyncio.timeout(_LATE):
            while len(over) < before + share * len(PLAYED):  # noqa: ASYNC110 -- nobody tells us
                await asyncio.sleep(0.1)
        orders.send(_line(share * len(PLAYED), time.monotonic() - begun))
    await serving.stop()


def _line(matches: int, seconds: float) -> Line:
    gc.collect()
    own = interned = 0
    for each in gc.get_objects():
        module = type(each).__module__
        own += module.startswith("paddock_server.")
        interned += module.startswith("paddock_games.")
    return Line(
        matches,
        seconds,
        usage().kilobytes * 1024 / _MEGABYTE,
        sys.getallocatedblocks(),
        own,
        interned,
        _sqlite_bytes() / _MEGABYTE,
    )


def _sqlite_bytes() -> int:
    """What SQLite has allocated, in this process."""
    library = ctypes.CDLL("libsqlite3.so.0")
    library.sqlite3_memory_used.restype = ctypes.c_int64
    return int(library.sqlite3_memory_used())


def soak(matches: int) -> list[Line]:
    """A line for every thousand matches."""
    lines: list[Line] = []
    with (
        tempfile.TemporaryDirectory(prefix="paddock-bench-") as folder,
        processes((server, folder)) as (plays,),
        processes(*[(crowd,)] * len(PLAYED)) as crowds,
    ):
        address = plays.answer()
        for process, format_name in zip(crowds, PLAYED, strict=True):
            process.ask(Bots(address, names_of(format_name), format_name, EACH))
        played = 0
        while matches - played >= len(PLAYED):
            line = plays.ask(min(PER_LINE, matches - played))
            played += line.matches
            lines.append(line._replace(matches=played))
            said = f"{played:,} matches: {line.megabytes:.1f} MB resident"
            print(said, file=sys.stderr, flush=True)  # a soak that is stopped has said something
    return lines


def table(lines: Sequence[Line]) -> Figures:
    """For people."""
    head = ("matches", "s", "resident MB", "blocks", "own objects", "of the games", "SQLite MB")
    rows = [
        (
            f"{line.matches:,}", f"{line.seconds:.0f}", f"{line.megabytes:.1f}",
            f"{line.blocks:,}", f"{line.own:,}", f"{line.interned:,}", f"{line.cache:.1f}",
        )
        for line in lines
    ]  # fmt: skip
    return Figures("a server's memory", head, rows)


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.soak", description="What a server's memory does over many matches."
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--matches", type=int, default=10_000, metavar="N", help="(default: %(default)s)"
    )
    chosen = parser.parse_args()
    where: dict[str, Any] = machine()
    lines = soak(chosen.matches)
    if chosen.json:
        facts = [line._asdict() for line in lines]
        show_json({"benchmark": "soak", "machine": where, "lines": facts}, [])
        return
    heading = f"{where['cores']} cores, {where['system']}, {where['python']}, load {where['load']}"
    show(heading, [table(lines)], [])


if __name__ == "__main__":
    main()
