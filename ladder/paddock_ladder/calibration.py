"""Whether predictions keep their word: what was said, what was seen.

A prediction of 70 % is good if it comes true seven times in ten. Predictions below one half are
turned round, so all of them are of the likelier outcome.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from statistics import NormalDist, fmean
from typing import Final, NamedTuple, TypeAlias, TypeVar

from paddock_ladder.rating import BadRating

EDGES: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
_LEAST: Final = 1e-12  # no chance is smaller: a surprise costs 28 nats at most
_NORMAL: Final = NormalDist()
_NARROWEST, _WIDEST = 0.1, 10.0  # spreads that a fit may find
_GOLDEN: Final = (math.sqrt(5) - 1) / 2

T = TypeVar("T")


class Prediction(NamedTuple):
    """A chance that was said, and whether it came true."""

    chance: float
    true: bool


class Band(NamedTuple):
    """Predictions of much the same chance."""

    low: float
    number: int  # of them
    said: float  # on average
    seen: float  # how many came true, as a part
    error: float  # the standard error of that


class Coverage(NamedTuple):
    """How many rank intervals held, and how wide they were."""

    held: float  # as a part of all
    width: float  # ranks, on average


Interval: TypeAlias = tuple[int, int]
"""The best and the worst rank that a bot may have."""


def bands(predictions: Iterable[Prediction], edges: Sequence[float] = EDGES) -> list[Band]:
    """What was said and seen by bands, from each edge to the next; empty bands are left out."""
    by_band: dict[int, list[Prediction]] = {}
    for prediction in map(_likelier, predictions):
        at = bisect_right(edges, prediction.chance) - 1
        by_band.setdefault(max(at, 0), []).append(prediction)
    lines = []
    for at, some in sorted(by_band.items()):
        seen = fmean(one.true for one in some)
        error = math.sqrt(seen * (1 - seen) / len(some))
        lines.append(Band(edges[at], len(some), fmean(one.chance for one in some), seen, error))
    return lines


def log_loss(predictions: Iterable[Prediction]) -> float:
    """The mean surprise, in nats: 0.693 for who knows nothing, less for who knows more."""
    losses = [
        -math.log(max(chance if true else 1 - chance, _LEAST))
        for chance, true in map(_checked, predictions)
    ]
    if not losses:
        raise BadRating("predictions: there are none; give at least one")
    return math.fsum(losses) / len(losses)


def fitted_spread(predictions: Iterable[Prediction]) -> float:
    """By how much chances should have been wider: 1 if they keep their word, more if they say too
    much, less if they say too little.

    A chance is Phi(z); the spread is what z is divided by so that the log-loss is least.
    """
    given = [
        (_NORMAL.inv_cdf(min(max(chance, _LEAST), 1 - _LEAST)), true)
        for chance, true in map(_checked, predictions)
    ]
    if not given:
        raise BadRating("predictions: there are none; give at least one")

    def loss(log_spread: float) -> float:
        scale = math.exp(-log_spread)
        return log_loss(Prediction(_NORMAL.cdf(scale * z), true) for z, true in given)

    low, high = math.log(_NARROWEST), math.log(_WIDEST)
    while high - low > 1e-4:
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if loss(left) < loss(right):
            high = right
        else:
            low = left
    return math.exp((low + high) / 2)


def coverage(
    matches: Sequence[T],
    intervals: Callable[[Sequence[T]], Mapping[str, Interval]],
    true_ranks: Mapping[str, int],
    size: int,
    draws: int,
    seed: int = 0,
) -> Coverage:
    """How often intervals hold that come from so many matches, drawn from all there are.

    `true_ranks` is the truth as far as it is known: by all matches, or by construction.
    """
    if not matches or size < 1 or draws < 1:
        raise BadRating("matches: give some, and draw at least one of them at least once")
    rng = Random(f"coverage {seed}")
    held, widths = [], []
    for _ in range(draws):
        for bot, (best, worst) in intervals(rng.choices(matches, k=size)).items():
            held.append(best <= true_ranks[bot] <= worst)
            widths.append(worst - best + 1)
    return Coverage(fmean(held), fmean(widths))


def _checked(prediction: Prediction) -> Prediction:
    if not 0 <= prediction.chance <= 1:
        raise BadRating(f"chance: {prediction.chance} is not from 0 to 1")
    return prediction


def _likelier(prediction: Prediction) -> Prediction:
    chance, true = _checked(prediction)
    return prediction if chance >= 0.5 else Prediction(1 - chance, not true)
