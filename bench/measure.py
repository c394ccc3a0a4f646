"""What every benchmark needs: things timed in turn, medians, goals, and tables of them.

A machine's speed changes while it is being measured, so whatever is compared takes turns in one
run, and only ratios of the medians mean anything.
"""

import argparse
import gc
import json
import math
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple, TypeAlias, TypeVar

from rich import box, table
from rich.console import Console

K = TypeVar("K")
Clock: TypeAlias = Callable[[], float]

Run: TypeAlias = Callable[[], int]
"""What is timed: does its rounds and tells how many units of work that was."""

Work: TypeAlias = Callable[[int], Run]
"""Makes everything ready, off the clock, for a run of so many rounds."""


class Spread(NamedTuple):
    """What the repeats gave."""

    median: float
    low: float
    high: float


class Timed(NamedTuple):
    """The repeats of one work: units of work and seconds by repeat, rounds in each."""

    rounds: int
    units: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def rate(self) -> Spread:
        """Units a second."""
        rates = [units / took for units, took in zip(self.units, self.seconds, strict=True)]
        return Spread(median(rates), min(rates), max(rates))


class Goal(NamedTuple):
    """Something to reach: at least, or else at most, the number wanted."""

    subject: str
    measured: float
    wanted: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        """Whether it is reached."""
        return self.measured >= self.wanted if self.at_least else self.measured <= self.wanted


class Figures(NamedTuple):
    """Rows for people, the first column being names."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def alternate(
    works: Mapping[K, Work], repeats: int, seconds: float, clock: Clock = time.perf_counter
) -> dict[K, Timed]:
    """Every work in turn, again and again; each run is sized to take about so many seconds."""
    rounds = {name: _sized(work, seconds, clock) for name, work in works.items()}
    runs: dict[K, list[tuple[int, float]]] = {name: [] for name in works}
    names = list(works)
    for repeat in range(repeats):
        gc.collect()
        first = repeat * len(names) // repeats  # so that nobody is always first, or always last
        for name in names[first:] + names[:first]:
            runs[name].append(_timed(works[name], rounds[name], clock))
    return {
        name: Timed(rounds[name], tuple(u for u, _ in done), tuple(s for _, s in done))
        for name, done in runs.items()
    }


def _timed(work: Work, rounds: int, clock: Clock) -> tuple[int, float]:
    run = work(rounds)
    begin = clock()
    return run(), clock() - begin


def _sized(work: Work, seconds: float, clock: Clock) -> int:
    rounds = 1
    while (took := _timed(work, rounds, clock)[1]) < seconds / 2:
        rounds *= 2
    return math.ceil(rounds * seconds / took)


def machine() -> dict[str, Any]:
    """Where this runs, and how busy it is at the moment."""
    return {
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def options(name: str, description: str) -> argparse.Namespace:
    """The options that all benchmarks take: json, quick, repeats."""
    parser = argparse.ArgumentParser(prog=f"python -m bench.{name}", description=description)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--quick", action="store_true", help="short runs: a look, not a result")
    parser.add_argument(
        "--repeats", type=int, default=15, metavar="N", help="runs of each (default: %(default)s)"
    )
    chosen = parser.parse_args()
    if chosen.repeats < 5:
        parser.error(f"a median wants at least 5 repeats, not {chosen.repeats}")
    return chosen


def show_json(facts: Mapping[str, Any], goals: Sequence[Goal]) -> None:
    """All of it for programs."""
    print(json.dumps({**facts, "goals": [{**g._asdict(), "met": g.met} for g in goals]}, indent=1))


def show(heading: str, tables: Sequence[Figures], goals: Sequence[Goal]) -> None:
    """All of it for people, the tables in a form that Markdown takes as well."""
    console = Console(width=200, highlight=False)  # a narrow terminal wraps, nothing is cut off
    rows = []
    for goal in goals:
        wanted = f"{'>=' if goal.at_least else '<='} {goal.wanted:g}"
        rows.append((goal.subject, f"{goal.measured:.2f}", wanted, "met" if goal.met else "MISSED"))
    console.print(heading)
    reached = [Figures("Goals", ("goal", "measured", "wanted", "is"), rows)] if rows else []
    for one in (*tables, *reached):
        shown = table.Table(box=box.MARKDOWN)
        for at, column in enumerate(one.columns):
            shown.add_column(column, justify="right" if at else "left", no_wrap=True)
        for row in one.rows:
            shown.add_row(*row)
        console.print(f"\n{one.title}", shown)
