"""How a ladder mixes its tables, and what that costs: simulated ladders, without a server.

Bots have different strengths, their ratings move as matches end, and a match takes a second or a
minute. A table is different if no earlier match had the same bots. Bots are idle while they have
room for a match.

    python -m bench.mixing                 two minutes of one core
    python -m bench.mixing --no-waiting    as it were if stale tables did not wait
    python -m bench.mixing --quick         few ladders: a look, not a result
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from bench.measure import Figures, Goal, machine, show, show_json
from tests.ladder.arena import Arena, bots, rated_matches

from paddock_ladder.schedules import Seating

SPREAD: Final = 4.2  # of the strengths: how far apart real bots lie
DIFFERENT: Final = 100  # tables wanted of 150
LENGTHS: Final[dict[str, Callable[[Random], float]]] = {
    "1 s": lambda rng: rng.uniform(0.7, 1.3),
    "58-62 s": lambda rng: rng.uniform(58, 62),
    "40-80 s": lambda rng: rng.uniform(40, 80),
    "20-180 s": lambda rng: 60 * math.exp(rng.gauss(0, 0.6)),  # nine of ten are within
}


class Cell(NamedTuple):
    """A kind of ladder."""

    bots: int
    seats: int
    at_once: int  # matches of a bot
    length: str  # of a match
    matches: int = 150


CELLS: Final = (
    *(
        Cell(12, seats, at_once, length)
        for seats in (4, 2)
        for at_once in (1, 2)
        for length in LENGTHS
    ),
    *(Cell(8, 4, at_once, length) for at_once in (1, 2) for length in ("1 s", "40-80 s")),
    *(Cell(100, 4, at_once, length, 1000) for at_once in (1, 2) for length in ("1 s", "40-80 s")),
)


class Mixed(NamedTuple):
    """The ladders of a cell."""

    cell: Cell
    ladders: int
    different: float  # tables, on average
    fewest: int
    met: int  # others that a bot met, at least
    idle: float  # part of the bots' time
    longest: float  # seconds that a bot was idle between two matches


def mixed(cell: Cell, ladders: int, *, stale_wait: bool = True) -> Mixed:
    """Simulate a cell."""
    different, met, idle, longest = [], [], [], 0.0
    for seed in range(ladders):
        seating = Seating("any", cell.seats, min(cell.seats, 3))
        present = bots(cell.bots, ("any",), cell.at_once)
        arena = Arena(present, (seating,), seed, LENGTHS[cell.length], stale_wait=stale_wait)
        tables: set[frozenset[str]] = set()
        others: dict[str, set[str]] = {one.bot: set() for one in present}
        ended: dict[str, float] = {}
        for table, begun, end in rated_matches(arena, SPREAD, cell.matches, seed):
            tables.add(frozenset(table.bots))
            for one, other in combinations(table.bots, 2):
                others[one].add(other)
                others[other].add(one)
            for bot in table.bots:
                if cell.at_once == 1:
                    longest = max(longest, begun - ended.get(bot, begun))
                ended[bot] = end
        different.append(len(tables))
        met.append(min(map(len, others.values())))
        idle.append(arena.idle())
    return Mixed(cell, ladders, fmean(different), min(different), min(met), fmean(idle), longest)


def _rows(lines: list[Mixed]) -> Iterator[tuple[str, ...]]:
    for line in lines:
        cell = line.cell
        wait = f"{line.longest:.0f} s" if cell.at_once == 1 else ""
        yield (
            f"{cell.bots}", f"{cell.seats}", f"{cell.at_once}", cell.length,
            f"{line.different:.0f} of {cell.matches}", f"{line.fewest}",
            f"{line.met}", f"{100 * line.idle:.1f} %", wait,
        )  # fmt: skip


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.mixing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--quick", action="store_true", help="few ladders: a look, not a result")
    parser.add_argument(
        "--no-waiting",
        action="store_true",
        help="everybody plays again after two seconds, at stale tables too; there is no goal then",
    )
    chosen = parser.parse_args()
    begun = time.perf_counter()
    ladders = 2 if chosen.quick else 10
    lines = [
        mixed(cell, 1 if cell.bots == 100 else ladders, stale_wait=not chosen.no_waiting)
        for cell in CELLS
    ]
    goals = [
        Goal(
            f"{c.bots} bots, {c.seats} seats, {c.at_once} at once, {c.length}: different tables",
            line.different,
            DIFFERENT,
        )
        for line in lines
        if (c := line.cell).bots == 12 and c.seats == 4 and not chosen.no_waiting
    ]
    seconds = time.perf_counter() - begun
    if chosen.json:
        facts = [{**line._asdict(), "cell": line.cell._asdict()} for line in lines]
        show_json({"benchmark": "mixing", "machine": machine(), "ladders": facts}, goals)
        return
    columns = (
        "bots", "seats", "at once", "a match", "different tables", "fewest", "met at least",
        "idle", "longest wait",
    )  # fmt: skip
    table = Figures("Ladders of bots of unequal strength", columns, list(_rows(lines)))
    show(f"{seconds:.0f} s, {ladders} ladders a line, of 100 bots one", [table], goals)


if __name__ == "__main__":
    main()
