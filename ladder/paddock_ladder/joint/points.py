"""The points table: how many more points per match a bot makes than the others would.

Points of a match are its own level, plus the bot's strength, plus luck:

    y = match + s_bot + e,    s ~ N(0, t^2),  e ~ N(0, noise^2)

What all seats of a match share does not count: within a match, points are taken as differences
from its mean. With G the sum over matches of I - 11'/k, strengths are N(V h, V) with
V^-1 = I / t^2 + G / noise^2. Both variances are fitted to the matches (expectation maximisation).

Points say more than ranks do. But they can be given away: who loses on purpose can give points to
others. So this table is shown beside the ratings and is not a rating.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paddock_ladder.joint.posterior import Posterior
from paddock_ladder.joint.tails import Array
from paddock_ladder.rating import BadRating

_ROUNDS: Final = 500  # at most
_STILL: Final = 1e-6  # of both variances, in parts
_LEAST: Final = 1e-6  # of a variance, in points squared: where everybody has the same points


class Scored(NamedTuple):
    """A match: who sat there, and their points."""

    bots: Sequence[str]
    points: Sequence[float]


class PointsLine(NamedTuple):
    """A line of the points table: one bot."""

    rank: int
    best: int  # the true rank is within these two, at 90 %
    worst: int
    bot: str
    points: float  # per match, compared with the mean of all bots
    error: float  # the standard error of that


class PointsTable(NamedTuple):
    """The points table: all strengths in points, and the variances of the model."""

    posterior: Posterior
    spread: float  # t: how far apart bots lie
    noise: float  # how far apart two results of one bot lie, for no reason

    def lines(self) -> list[PointsLine]:
        """The table, best first."""
        mean = float(self.posterior.mu.mean()) if self.posterior.bots else 0.0
        points = dict(zip(self.posterior.bots, (self.posterior.mu - mean).tolist(), strict=True))
        errors = dict(zip(self.posterior.bots, self.posterior.error.tolist(), strict=True))
        return [
            PointsLine(
                rank=rank, best=best, worst=worst, bot=bot, points=points[bot], error=errors[bot]
            )
            for bot, rank, best, worst in self.posterior.places()
        ]


class _Sums(NamedTuple):
    """The sums that the fit needs of the matches."""

    between: Array  # G
    toward: Array  # h times noise^2
    squares: float  # of all differences
    freedom: int


def points_table(matches: Iterable[Scored]) -> PointsTable:
    """The table by points of these matches, which may come in any order."""
    names, rows = _in_order(matches)
    if not names:
        return PointsTable(Posterior((), np.zeros(0), np.zeros((0, 0))), 0.0, 0.0)
    sums = _sums(rows, len(names))
    bots = len(names)
    noise = max(sums.squares / sums.freedom, _LEAST)
    spread = noise
    for _ in range(_ROUNDS):
        covariance = np.linalg.inv(np.eye(bots) / spread + sums.between / noise)
        mean = covariance @ sums.toward / noise
        left = sums.squares - 2 * mean @ sums.toward + mean @ sums.between @ mean
        unknown = float(np.sum(covariance * sums.between))
        before = spread, noise
        spread = max(float(mean @ mean + np.trace(covariance)) / bots, _LEAST)
        noise = max((float(left) + unknown) / sums.freedom, _LEAST)
        if all(
            abs(now - old) <= _STILL * now for now, old in zip((spread, noise), before, strict=True)
        ):
            break
    covariance = (covariance + covariance.T) / 2
    posterior = Posterior(tuple(names), mean, covariance)
    return PointsTable(posterior, math.sqrt(spread), math.sqrt(noise))


class _Row(NamedTuple):
    """A match with its bots in order."""

    bots: tuple[int, ...]
    points: tuple[float, ...]


def _in_order(matches: Iterable[Scored]) -> tuple[list[str], list[_Row]]:
    """Names and matches in a canonical order, whatever order they came in."""
    sorted_seats = []
    for number, (bots, points) in enumerate(matches, 1):
        if not 2 <= len(bots) == len(set(bots)) == len(points):
            raise BadRating(
                f"match {number}: bots {list(bots)}, points {list(points)}; "
                "a match has two different bots or more and points for each"
            )
        if not all(map(math.isfinite, points)):
            raise BadRating(f"match {number}: points {list(points)}; give numbers")
        sorted_seats.append(sorted(zip(bots, points, strict=True)))
    names = sorted({bot for seats in sorted_seats for bot, _ in seats})
    numbers = {name: number for number, name in enumerate(names)}
    rows = []
    for seats in sorted_seats:
        bots, points = zip(*seats, strict=True)
        rows.append(_Row(tuple([numbers[bot] for bot in bots]), points))
    return names, sorted(rows, key=lambda row: (len(row.bots), row))


def _sums(rows: Sequence[_Row], bots: int) -> _Sums:
    between, toward = np.zeros((bots, bots)), np.zeros(bots)
    squares, freedom = 0.0, 0
    for seats, some in groupby(rows, key=lambda row: len(row.bots)):
        same = list(some)
        numbers: NDArray[np.intp] = np.array([row.bots for row in same], dtype=np.intp)
        points = np.array([row.points for row in same])
        points = points - points.mean(axis=1, keepdims=True)
        apart = np.broadcast_to(np.eye(seats) - 1 / seats, (len(same), seats, seats))
        np.add.at(between, (numbers[:, :, None], numbers[:, None, :]), apart)
        np.add.at(toward, numbers, points)
        squares += float((points * points).sum())
        freedom += len(same) * (seats - 1)
    return _Sums(between, toward, squares, freedom)
