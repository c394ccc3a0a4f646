"""Benchmarks of several parts: each can be measured alone, and all are shown alike."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bench.measure import Figures, Goal, machine, show, show_json


class Part(NamedTuple):
    """The result of one part: facts for programs, a table for people, and goals."""

    facts: Sequence[object]
    table: Figures
    goals: Sequence[Goal]


def parser_of(
    program: str, description: str | None, parts: Iterable[str]
) -> argparse.ArgumentParser:
    """The command line of a benchmark with these parts."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {program}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--quick", action="store_true", help="few ladders: a look, not a result")
    parser.add_argument(
        "--part",
        choices=tuple(parts),
        action="append",
        help="measure this alone; may be given more than once (default: all of it)",
    )
    return parser


def show_parts(parts: Mapping[str, Part], seconds: float, *, as_json: bool) -> None:
    """Print what the parts came to, and how long that took."""
    goals = [goal for part in parts.values() for goal in part.goals]
    if as_json:
        facts = {name: part.facts for name, part in parts.items()}
        show_json({"machine": machine(), "seconds": seconds, **facts}, goals)
    else:
        show(f"{seconds:.0f} s", [part.table for part in parts.values()], goals)
