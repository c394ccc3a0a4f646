"""How often the test of `paddock compare` is wrong, and how many blocks it takes.

Thousands of comparisons at once, with block differences of a known effect: normal ones, and ones as
games have them (discrete, a tenth of them wide). The 2-SPRT that is used stands beside the plain
sequential t-test. The likelihoods are computed for all runs together with numpy, by the formula
of `paddock_ladder.sequential`.
"""

import argparse
from math import lgamma, log
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from bench.measure import Figures, machine, show, show_json

from paddock_ladder.sequential import SequentialTest

Runs: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

EFFECTS: Final = (-0.2, 0.0, 0.1, 0.2, 0.4)
SHAPES: Final = ("normal", "games")
TESTS: Final = ("2-SPRT", "plain")
BLOCKS_AT_MOST: Final = 2000
GRID: Final = np.arange(-24, 25) * 0.35  # in widths of the hill that is summed up


class Row(NamedTuple):
    """One test in one situation."""

    shape: str
    effect: float
    test: str
    accepted: float
    rejected: float
    mean: float
    half: float  # of the runs are done by this many blocks
    most: float  # 95 % are done by this many blocks


def log_ratio(blocks: int, total: Runs, squares: Runs, effect: float) -> Runs:
    """The log likelihood ratio of an effect against none, for all runs."""
    tilt = effect * np.divide(total, np.sqrt(squares), out=np.zeros_like(total), where=squares > 0)
    top = (tilt + np.sqrt(tilt * tilt + 4 * blocks)) / 2
    width = 1 / np.sqrt(top * top + blocks)
    x = np.log(top)[:, None] + GRID[None, :] * width[:, None]
    u = np.exp(x)
    heights = blocks * x - u * u / 2 + tilt[:, None] * u
    peak = heights.max(axis=1)
    hill = np.log(np.exp(heights - peak[:, None]).sum(axis=1) * 0.35 * width) + peak
    plain = lgamma(blocks / 2) + (blocks / 2 - 1) * log(2)
    ratio: Runs = hill - plain - blocks * effect * effect / 2
    return ratio


def differences(rng: np.random.Generator, runs: int, shape: str, effect: float) -> Runs:
    """One block of every run."""
    values = rng.standard_normal(runs)
    if shape == "games":
        wide = rng.random(runs) < 0.1
        values = np.where(wide, values * 2.2, values * 0.75) / np.sqrt(0.1 * 2.2**2 + 0.9 * 0.75**2)
        return np.asarray(np.round((values + effect) * 6) / 6)
    return np.asarray(values + effect)


def simulate(test: SequentialTest, shape: str, effect: float, runs: int, seed: int) -> list[Row]:
    """How both tests fare on the same differences."""
    rng = np.random.default_rng(seed)
    total, squares = np.zeros(runs), np.zeros(runs)
    decided = {name: np.zeros(runs, int) for name in TESTS}
    blocks = {name: np.full(runs, BLOCKS_AT_MOST) for name in TESTS}
    rejected_at, accepted_at = test.verdict().bounds
    for number in range(1, BLOCKS_AT_MOST + 1):
        values = differences(rng, runs, shape, effect)
        total += values
        squares += values * values
        (left,) = np.nonzero((decided["2-SPRT"] == 0) | (decided["plain"] == 0))
        if not len(left):
            break
        whole = log_ratio(number, total[left], squares[left], test.effect)
        half = log_ratio(number, total[left], squares[left], test.effect / 2)
        verdicts = {
            "2-SPRT": (half >= accepted_at, half - whole >= rejected_at),
            "plain": (whole >= -log(test.alpha), whole <= log(test.beta)),
        }
        for name, (accepted, rejected) in verdicts.items():
            still = decided[name][left] == 0
            decided[name][left[still & accepted]] = 1
            decided[name][left[still & rejected & ~accepted]] = -1
            blocks[name][left[still & (accepted | rejected)]] = number
    return [
        Row(
            shape, effect, name,
            float(np.mean(decided[name] == 1)), float(np.mean(decided[name] == -1)),
            float(blocks[name].mean()), float(np.median(blocks[name])),
            float(np.quantile(blocks[name], 0.95)),
        )
        for name in TESTS
    ]  # fmt: skip


def main() -> None:
    """Simulate and show."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.sequential", description="How often the test of compare is wrong."
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--runs", type=int, default=4000, help="of each (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the runs (default: %(default)s)")
    chosen = parser.parse_args()
    test = SequentialTest()
    rows = [
        row
        for shape in SHAPES
        for effect in EFFECTS
        for row in simulate(test, shape, effect, chosen.runs, chosen.seed)
    ]
    if chosen.json:
        facts = [row._asdict() for row in rows]
        show_json({"benchmark": "sequential", "machine": machine(), "rows": facts}, ())
        return
    head = ("differences", "true effect", "test", "accepted", "rejected", "mean", "50 %", "95 %")
    cells = [
        (
            row.shape, f"{row.effect:+.1f}", row.test, f"{row.accepted:.1%}",
            f"{row.rejected:.1%}", f"{row.mean:.0f}", f"{row.half:.0f}", f"{row.most:.0f}",
        )
        for row in rows
    ]  # fmt: skip
    title = f"effect {test.effect}, alpha {test.alpha:.0%}, beta {test.beta:.0%}"
    show(f"{chosen.runs:,} runs of each", [Figures(title, head, cells)], ())


if __name__ == "__main__":
    main()
