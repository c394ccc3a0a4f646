"""Standings of bots: their ranks, and the intervals in which the true ranks lie.

The place of a bot is one more than the number of bots that are truly stronger. Nobody knows it;
what the ratings say of it is an interval, "3rd, 90 %: 2-5". Two things make it wide. The bot's own
strength is uncertain, and with it how many are stronger; and of each of the others it is uncertain
on which side of that strength it is. The first is read off the number of stronger bots expected at
the ends of the bot's own interval, the second is a sum of chances. Both are added as independent
errors are, by their squares, upwards and downwards each for itself. Ranks are whole, so among few
bots an interval holds a little more often than it says.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

from paddock_ladder.rating import BadRating, Rating, check_rating

LEVEL: Final = 0.9
_POINTS: Final = 120  # of the grid of strengths
_REACH: Final = 5.0  # sigmas, beyond which a bot is surely on one side
_ROOT_HALF: Final = math.sqrt(0.5)


class Place(NamedTuple):
    """A bot's rank, and the best and the worst rank that it may truly have."""

    bot: str
    rank: int  # equals share one: 1, 1, 3
    best: int
    worst: int


def places(ratings: Mapping[str, Rating], level: float = LEVEL) -> list[Place]:
    """The table, best conservative rating first, with rank intervals that hold at this level."""
    if not 0 < level < 1:
        raise BadRating(f"level: {level} is out of range; give a number between 0 and 1")
    table = sorted(ratings.items(), key=lambda one: (-one[1].conservative, -one[1].mu, one[0]))
    for _, rating in table:
        check_rating(rating)
    intervals = _intervals([rating for _, rating in table], level)
    lines: list[Place] = []
    last = math.nan
    for place, ((bot, rating), (best, worst)) in enumerate(zip(table, intervals, strict=True), 1):
        rank = lines[-1].rank if rating.conservative == last else place
        lines.append(Place(bot, rank, best, worst))
        last = rating.conservative
    return lines


class _Field:
    """The field: how many bots are stronger than a strength, as expected number and variance."""

    def __init__(self, ratings: Sequence[Rating], asked: Sequence[float]) -> None:
        """`asked` are the strengths that will be asked for; the grid is as dense as they are."""
        points = sorted(set(asked))
        if len(points) > _POINTS:
            last = len(points) - 1
            points = [points[round(last * index / (_POINTS - 1))] for index in range(_POINTS)]
        self._points = points
        self._expected = [0.0] * len(points)
        self._variance = [0.0] * len(points)
        surely = [0] * (len(points) + 1)  # bots that are stronger than all points before this one
        for mu, sigma in ratings:
            first = bisect_left(points, mu - _REACH * sigma)
            scale = _ROOT_HALF / sigma
            surely[first] += 1
            for index in range(first, bisect_right(points, mu + _REACH * sigma)):
                chance = 0.5 * math.erfc((points[index] - mu) * scale)
                self._expected[index] += chance
                self._variance[index] += chance * (1 - chance)
        above = 0
        for index in range(len(points) - 1, -1, -1):
            above += surely[index + 1]
            self._expected[index] += above

    def above(self, rating: Rating, strength: float) -> tuple[float, float]:
        """Expected number of others that are stronger, and its variance; the bot not counted."""
        after = min(max(bisect_right(self._points, strength), 1), len(self._points) - 1)
        low, high = self._points[after - 1], self._points[after]
        part = (strength - low) / (high - low)
        own = 0.5 * math.erfc((strength - rating.mu) * _ROOT_HALF / rating.sigma)
        expected, variance = (
            values[after - 1] + part * (values[after] - values[after - 1])
            for values in (self._expected, self._variance)
        )
        return expected - own, max(0.0, variance - own * (1 - own))


def _intervals(ratings: Sequence[Rating], level: float) -> list[tuple[int, int]]:
    """By bot, the best and the worst rank that it may truly have."""
    if len(ratings) < 2:
        return [(1, 1)] * len(ratings)
    z = NormalDist().inv_cdf((1 + level) / 2)
    field = _Field(ratings, [mu + step * sigma for mu, sigma in ratings for step in (-z, 0.0, z)])
    intervals = []
    for rating in ratings:
        middle, variance = field.above(rating, rating.mu)
        if_strong, _ = field.above(rating, rating.mu + z * rating.sigma)
        if_weak, _ = field.above(rating, rating.mu - z * rating.sigma)
        others = z * z * variance
        fewest = middle - math.sqrt((middle - if_strong) ** 2 + others)
        most = middle + math.sqrt((if_weak - middle) ** 2 + others)
        best = min(max(1 + round(fewest), 1), len(ratings))
        intervals.append((best, min(max(1 + round(most), best), len(ratings))))
    return intervals
