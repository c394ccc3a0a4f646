"""The calibration of predictions: a comparison of what they said with what happened.

A prediction of 70 % is good if it comes true seven times in ten. Predictions below one half are
turned round, so all of them are of the likelier outcome.
"""

import math
from bisect import bisect_right
from collections import Counter
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
_GRID: Final = 0.002  # sigmas: a fit takes predictions that lie closer for equal
_CERTAIN: Final = _NORMAL.inv_cdf(0.975)  # sigmas of an interval that holds at 95 %

T = TypeVar("T")


class Prediction(NamedTuple):
    """A predicted chance, and whether the event happened."""

    chance: float
    true: bool
    match: int | None = None  # predictions of one match share its luck; None: it shares none


class Interval95(NamedTuple):
    """The interval in which a true part lies with a likelihood of 95 %."""

    low: float
    high: float

    def holds(self, part: float) -> bool:
        """Whether a part lies in it."""
        return self.low <= part <= self.high


class Band(NamedTuple):
    """A band of predictions with about the same chance."""

    low: float
    number: int  # of them
    said: float  # on average
    seen: float  # how many came true, as a part
    error: float  # the standard error of that, with predictions of one match taken together

    @property
    def interval(self) -> Interval95:
        """Where the true part lies, by Wilson's score.

        Predictions of one match weigh as many independent ones as have the same error.
        """
        variance = self.seen * (1 - self.seen)
        weight = variance / self.error**2 if self.error else float(self.number)
        squared = _CERTAIN**2
        middle = (self.seen + squared / (2 * weight)) / (1 + squared / weight)
        inside = variance / weight + squared / (4 * weight**2)
        reach = _CERTAIN * math.sqrt(inside) / (1 + squared / weight)
        low, high = min(middle - reach, self.seen), max(middle + reach, self.seen)  # rounding
        return Interval95(max(low, 0.0), min(high, 1.0))


class Coverage(NamedTuple):
    """The coverage of rank intervals: how many held, and how wide they were."""

    held: float  # as a part of all
    width: float  # ranks, on average


class Calibration(NamedTuple):
    """A comparison of what a ladder predicted with the results, by pairs that did not tie."""

    matches: int
    predictions: int
    log_loss: float  # 0.693 without any knowledge
    spread: float  # 1: predictions are right; more: they are too sure
    bands: tuple[Band, ...]
    coverage: Coverage | None = None  # of rank intervals, where that was measured


Interval: TypeAlias = tuple[int, int]
"""The best and the worst rank that a bot may have."""


def calibration(matches: int, predictions: Sequence[Prediction]) -> Calibration | None:
    """How well the predictions of these matches came true; None where there are no predictions."""
    if not predictions:
        return None
    return Calibration(
        matches,
        len(predictions),
        log_loss(predictions),
        fitted_spread(predictions),
        tuple(bands(predictions)),
    )


def bands(predictions: Iterable[Prediction], edges: Sequence[float] = EDGES) -> list[Band]:
    """What was said and seen by bands, from each edge to the next; empty bands are left out."""
    by_band: dict[int, list[Prediction]] = {}
    for prediction in map(_likelier, predictions):
        number = bisect_right(edges, prediction.chance) - 1
        by_band.setdefault(max(number, 0), []).append(prediction)
    return [_band(edges[number], some) for number, some in sorted(by_band.items())]


def _band(low: float, predictions: Sequence[Prediction]) -> Band:
    seen = fmean(one.true for one in predictions)
    alone = 0.0  # squared deviations
    by_match: dict[int, float] = {}
    for one in predictions:
        if one.match is None:
            alone += (one.true - seen) ** 2
        else:
            by_match[one.match] = by_match.get(one.match, 0.0) + one.true - seen
    squares = alone + math.fsum(together**2 for together in by_match.values())
    said = fmean(one.chance for one in predictions)
    return Band(low, len(predictions), said, seen, math.sqrt(squares) / len(predictions))


def log_loss(predictions: Iterable[Prediction]) -> float:
    """The mean log-loss, in nats: 0.693 without any knowledge, less is better."""
    losses = [
        -math.log(max(chance if true else 1 - chance, _LEAST))
        for chance, true, _ in map(_checked, predictions)
    ]
    if not losses:
        raise BadRating("predictions: the list is empty; give at least one prediction")
    return math.fsum(losses) / len(losses)


def fitted_spread(predictions: Iterable[Prediction]) -> float:
    """The factor by which chances should have been wider: 1 if they are right, more if they are
    too sure, less if they are not sure enough.

    A chance is Phi(z); the spread is what z is divided by so that the log-loss is least.
    """
    counts: Counter[tuple[int, bool]] = Counter()  # by z on a grid: a fit looks at all of it often
    for chance, true, _ in map(_checked, predictions):
        z = _NORMAL.inv_cdf(min(max(chance, _LEAST), 1 - _LEAST))
        counts[round(z / _GRID), true] += 1
    if not counts:
        raise BadRating("predictions: the list is empty; give at least one prediction")

    def loss(log_spread: float) -> float:
        scale = _GRID * math.exp(-log_spread)
        return -math.fsum(
            count * math.log(max(_NORMAL.cdf(scale * (z if true else -z)), _LEAST))
            for (z, true), count in counts.items()
        )

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
    """The coverage of the intervals that come from `size` matches, drawn from all of them.

    `true_ranks` is the truth as far as it is known: by all matches, or by construction.
    """
    if not matches or size < 1 or draws < 1:
        raise BadRating(
            "matches: give at least one match, a size of at least 1 and at least one draw"
        )
    rng = Random(f"coverage {seed}")
    held, widths = [], []
    for _ in range(draws):
        for bot, (best, worst) in intervals(rng.choices(matches, k=size)).items():
            held.append(best <= true_ranks[bot] <= worst)
            widths.append(worst - best + 1)
    return Coverage(fmean(held), fmean(widths))


def _checked(prediction: Prediction) -> Prediction:
    if not 0 <= prediction.chance <= 1:
        raise BadRating(f"chance: {prediction.chance} is out of range; give a number from 0 to 1")
    return prediction


def _likelier(prediction: Prediction) -> Prediction:
    chance, true, match = _checked(prediction)
    return prediction if chance >= 0.5 else Prediction(1 - chance, not true, match)
