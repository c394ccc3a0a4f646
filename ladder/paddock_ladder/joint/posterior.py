"""The posterior of all strengths together: their means, and the covariance of their errors.

Errors of bots that met each other go together, so which of two is better may be known well though
neither strength is; ranks come from whole draws of all strengths, not from one bot at a time.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paddock_ladder.joint.tails import Array, mills
from paddock_ladder.rating import BadRating, Rating
from paddock_ladder.standing import LEVEL, Place

DRAWS: Final = 2000
_SEED: Final = 25  # any number: draws are the same each time, so that a table is


class Posterior(NamedTuple):
    """A joint normal belief about strengths."""

    bots: tuple[str, ...]
    mu: Array
    covariance: Array

    @property
    def sigma(self) -> Array:
        """The standard deviation of each strength by itself."""
        sigma: Array = np.sqrt(np.diag(self.covariance))
        return sigma

    @property
    def error(self) -> Array:
        """The standard error of each strength relative to the mean of all."""
        bots = max(len(self.bots), 1)
        across = self.covariance.sum(axis=0) / bots
        variance = np.diag(self.covariance) - 2 * across + across.sum() / bots
        error: Array = np.sqrt(np.maximum(variance, 0.0))
        return error

    def ratings(self) -> dict[str, Rating]:
        """Every bot's own rating."""
        rows = zip(self.bots, self.mu.tolist(), self.sigma.tolist(), strict=True)
        return {bot: Rating(mu, sigma) for bot, mu, sigma in rows}

    def of(self, bots: Sequence[str]) -> "Posterior":
        """The same belief about these bots alone."""
        numbers = {bot: number for number, bot in enumerate(self.bots)}
        rows = np.array([numbers[bot] for bot in bots], dtype=np.intp)
        return Posterior(tuple(bots), self.mu[rows], self.covariance[np.ix_(rows, rows)])

    def superiority(self) -> Array:
        """The chance that the bot of a row is truly better than that of a column, as a matrix."""
        sigma2 = np.diag(self.covariance)
        spread = sigma2[:, None] + sigma2[None, :] - 2 * self.covariance
        np.fill_diagonal(spread, 1.0)
        z = (self.mu[:, None] - self.mu[None, :]) / np.sqrt(np.maximum(spread, 1e-300))
        size = np.abs(z)
        tail = mills(size) * np.exp(-0.5 * size**2) / np.sqrt(2 * np.pi)
        better: Array = np.where(z < 0, tail, 1 - tail)
        return better

    def places(self, level: float = LEVEL, draws: int = DRAWS) -> list[Place]:
        """The table, best mean first, with the fewest ranks that hold at this level."""
        if not 0 < level < 1:
            raise BadRating(f"level: {level} is out of range; give a number between 0 and 1")
        if not self.bots:
            return []
        order: Sequence[int] = np.lexsort((np.arange(len(self.bots)), -self.mu)).tolist()
        ranks = _ranks(self._draw(draws))
        places = []
        for rank, bot in enumerate(order, 1):
            low, high = _fewest(ranks[:, bot], level)
            places.append(Place(self.bots[bot], rank, min(low, rank), max(high, rank)))
        return places

    def _draw(self, draws: int) -> Array:
        """Strengths as they may be, draws x bots."""
        factor = np.linalg.cholesky(self.covariance)
        normal = np.random.default_rng(_SEED).standard_normal((draws, len(self.bots)))
        return self.mu + normal @ factor.T


def _ranks(strengths: Array) -> NDArray[np.intp]:
    """1 for the best of each draw."""
    order = np.argsort(-strengths, axis=1)
    ranks = np.empty(strengths.shape, dtype=np.intp)
    np.put_along_axis(ranks, order, np.arange(1, strengths.shape[1] + 1)[None, :], axis=1)
    return ranks


def _fewest(ranks: NDArray[np.intp], level: float) -> tuple[int, int]:
    """The first and the last of the fewest ranks in a row that hold this part of the draws.

    Ranks are whole numbers, so they hold more than that part. If as few do in several places, those
    that hold most are taken.
    """
    until = np.concatenate(([0], np.cumsum(np.bincount(ranks)[1:])))  # draws up to each rank
    lasts = np.searchsorted(until, until[:-1] + math.ceil(level * len(ranks)))
    firsts = np.flatnonzero(lasts < len(until))
    lasts = lasts[firsts]
    best = np.lexsort((until[firsts] - until[lasts], lasts - firsts))[0]
    return int(firsts[best]) + 1, int(lasts[best])
