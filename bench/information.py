"""Ladders paired by information: is a table better chosen by what its match would tell?

The information of a match of two is how much less is known of its winner before it than would be if
both strengths were known. With x = (mu_i - mu_j) / (sqrt2 beta), s^2 = (sigma_i^2 + sigma_j^2) /
(2 beta^2) and H the entropy of a yes or no,

    I = H(Phi(x / sqrt(1 + s^2))) - E_z H(Phi(x + s z))

and a table is worth the sum over its pairs. It takes the place of the quality of a match; all else
about pairing is the same.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import combinations
from statistics import NormalDist, fmean, stdev
from typing import Final, NamedTuple

import numpy as np
from tests.ladder.simulated import Ladder, Tables, by_lot, by_pair, ladder

from paddock_ladder.joint import fit_prior, joint
from paddock_ladder.quality import quality
from paddock_ladder.rating import Parameters, Rating

WORTHS: Final = ("by lot", "quality", "information")
_PHI: Final = NormalDist().cdf
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(15)
_STEPS: Final = 20  # per beta: finer differences of strengths and doubts are not looked at


class Cell(NamedTuple):
    """The kind of ladder that is simulated."""

    bots: int
    seats: int
    matches: int  # per bot
    spread: float  # of the true strengths


CELLS: Final = tuple(
    Cell(bots, seats, matches, spread)
    for bots, seats, matches in ((12, 4, 50), (12, 2, 100), (100, 4, 20), (100, 4, 60))
    for spread in (4.2, 8.3)
)


class Compared(NamedTuple):
    """The ladders of a cell, paired in one way."""

    cell: Cell
    worth: str
    error: float  # how far a bot's rank in the standing is from its true one, on average
    doubt: float  # the standard error of that
    top: float  # part of the ladders with the top three in order
    different: float  # part of the tables that no other match had


def compared(ladders: int, parameters: Parameters) -> Iterator[Compared]:
    """Every cell with this number of ladders; the strengths are the same for every worth."""
    for cell in CELLS:
        for worth in WORTHS:
            some = [_climbed(cell, worth, number, parameters) for number in range(ladders)]
            errors = [_error(one, parameters) for one in some]
            yield Compared(
                cell,
                worth,
                error=fmean(error for error, _ in errors),
                doubt=stdev(error for error, _ in errors) / math.sqrt(ladders),
                top=fmean(right for _, right in errors),
                different=fmean(
                    len({frozenset(bots) for bots, _ in one.played}) / len(one.played)
                    for one in some
                ),
            )


def _climbed(cell: Cell, worth: str, number: int, parameters: Parameters) -> Ladder:
    seed = f"{cell.bots} {cell.spread} {number}"
    tables = _tables(cell.seats, worth, parameters)
    return ladder(seed, cell.bots, cell.matches, cell.spread, tables=tables, parameters=parameters)


def _tables(seats: int, worth: str, parameters: Parameters) -> Tables:
    if worth == "by lot":
        return by_lot(seats)
    rule = quality if worth == "quality" else information
    return by_pair(seats, partial(rule, parameters=parameters))


def _error(one: Ladder, parameters: Parameters) -> tuple[float, bool]:
    """How far ranks are off on average, and whether the top three are in order."""
    prior = fit_prior(one.played, parameters).spreading(parameters)
    strengths = joint(one.played, prior).posterior.ratings()
    order = sorted(strengths, key=lambda bot: -strengths[bot].mu)
    off = [abs(rank - one.true_rank(bot)) for rank, bot in enumerate(order, 1)]
    return fmean(off), not any(off[:3])


def information(ratings: Sequence[Rating], parameters: Parameters) -> float:
    """What a match would tell, in nats: the sum over its pairs."""
    unit = _STEPS / (math.sqrt(2) * parameters.beta)
    return math.fsum(
        _of_two(
            round(unit * abs(one.mu - other.mu)), round(unit * math.hypot(one.sigma, other.sigma))
        )
        for one, other in combinations(ratings, 2)
    )


@cache
def _of_two(steps_apart: int, steps_of_doubt: int) -> float:
    apart, doubt = steps_apart / _STEPS, steps_of_doubt / _STEPS
    known = fmean(
        (_entropy(_PHI(apart + doubt * node)) for node in _NODES.tolist()), _WEIGHTS.tolist()
    )
    return _entropy(_PHI(apart / math.sqrt(1 + doubt**2))) - known


def _entropy(chance: float) -> float:
    return -math.fsum(part * math.log(part) for part in (chance, 1 - chance) if part > 0)
