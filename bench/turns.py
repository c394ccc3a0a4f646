"""How fast several copies of the rules are, in turn: plain and compiled ones, or before and now.

Each copy is a folder with `paddock_games` in it, and has a process of its own that waits while the
others play. Ratios are those within a turn, so a machine whose speed changes does little to them.
The first folder counts 1. Time is CPU time of the process that plays.

    python -m bench.turns plain=games compiled=build/compiled
    python -m bench.turns --format dino-twist --brain careful --turns 21 before=/tmp/old now=games
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from statistics import median
from typing import Any, Final

from bench.measure import Figures, machine, show, show_json

from paddock_games import FORMATS, GAMES, Chance, State, play
from paddock_games.chance import NO_NONCE, SEED_BYTES

WARM_UP: Final = 1000  # matches, so that what is made when first needed is there
WAYS: Final = ("dealt", "given")


class Copy:
    """A copy of the rules in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def turn(self, form: str, brain: str, way: str, seconds: float) -> float:
        """Decisions a second of CPU time, in one turn."""
        assert self._process.stdin is not None  # noqa: S101 -- it is a pipe
        assert self._process.stdout is not None  # noqa: S101
        self._process.stdin.write(json.dumps([form, brain, way, seconds]) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


@contextmanager
def waiting(folder: str) -> Iterator[Copy]:
    """The copy in this folder, ready to take its turn."""
    environment = {**os.environ, "PYTHONPATH": os.path.abspath(folder)}
    command = [sys.executable, "-m", "bench.turns", "--copy"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Copy(process)
        finally:
            process.kill()


def _take_turns() -> None:
    """Play whenever a line says what."""
    warm: set[tuple[str, str]] = set()
    for line in sys.stdin:
        form, brain, way, seconds = json.loads(line)
        if (form, brain) not in warm:
            warm.add((form, brain))
            for number in range(WARM_UP if brain == "random" else WARM_UP // 10):
                _played(_started(form, number), brain, Random(number))
        print(_decisions_per_second(form, brain, way, seconds), flush=True)


def _decisions_per_second(form: str, brain: str, way: str, seconds: float) -> float:
    """The matches are the same in every copy."""
    decisions, spent, batch = 0, 0.0, 0
    while spent < seconds:
        numbers = range(batch, batch + 20)
        states = [_started(form, number) for number in numbers] if way == "given" else []
        rng = Random(batch)
        begin = time.process_time()
        for state in states or (_started(form, number) for number in numbers):
            decisions += _played(state, brain, rng)
        spent += time.process_time() - begin
        batch += 20
    return decisions / spent


def _started(form: str, number: int) -> State:
    game, seats = GAMES[FORMATS[form].game], FORMATS[form].usual_seats
    chance = Chance(Random(number).randbytes(SEED_BYTES), [NO_NONCE] * seats)
    state: State = game.start(form, seats, game.rules(None), chance)
    return state


def _played(state: State, brain: str, rng: Random) -> int:
    if brain != "random":
        seats = state.view(0).table.setting.seats
        player = GAMES[FORMATS[state.table.setting.format].game].brains[brain]
        steps, _ = play(state, [player] * seats, [rng] * seats)
        return sum(len(step.choices) for step in steps)
    decisions = 0
    while seats_to_move := state.to_move:
        state = state.step({seat: rng.choice(state.legal(seat)) for seat in seats_to_move})
        decisions += len(seats_to_move)
    return decisions


def measured(
    folders: dict[str, str], forms: list[str], brain: str, turns: int, seconds: float
) -> Iterator[tuple[str, str, str, dict[str, list[float]]]]:
    """By format, brain and way: the decisions a second of every turn, by copy."""
    with ExitStack() as stack:
        copies = {name: stack.enter_context(waiting(path)) for name, path in folders.items()}
        names = list(copies)
        for form in forms:
            for way in WAYS:
                rates: dict[str, list[float]] = {name: [] for name in names}
                for turn in range(turns):
                    first = turn % len(names)
                    for name in names[first:] + names[:first]:
                        rates[name].append(copies[name].turn(form, brain, way, seconds))
                yield form, brain, way, rates


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(prog="python -m bench.turns", description=__doc__)
    parser.add_argument("folders", nargs="*", metavar="NAME=FOLDER", help="copies of the rules")
    parser.add_argument("--copy", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--format", action="append", choices=list(FORMATS), help="default: all")
    parser.add_argument("--brain", default="random", help="who plays (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=9, help="of each (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.3, help="of CPU time in a turn")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    chosen = parser.parse_args()
    if chosen.copy:
        _take_turns()
        return
    folders = dict(each.split("=", 1) for each in chosen.folders)
    rows, facts = [], []
    where: dict[str, Any] = machine()
    found = measured(
        folders, chosen.format or list(FORMATS), chosen.brain, chosen.turns, chosen.seconds
    )
    for form, brain, way, rates in found:
        first = next(iter(rates.values()))
        ratios = {
            name: median(rate / base for rate, base in zip(some, first, strict=True))
            for name, some in rates.items()
        }
        cells = (f"{median(some):,.0f} ({ratios[name]:.2f})" for name, some in rates.items())
        rows.append((form, brain, way, *cells))
        facts.append({"format": form, "brain": brain, "way": way, "rates": rates, "ratios": ratios})
    if chosen.json:
        show_json({"benchmark": "turns", "machine": where, "rows": facts}, [])
    else:
        title = "Decisions a second (x the first, median of the turns)"
        show(str(where), [Figures(title, ("", "brain", "from", *folders), rows)], [])


if __name__ == "__main__":
    main()
