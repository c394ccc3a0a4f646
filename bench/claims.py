"""What a table says of itself: how likely its intervals hold, and its best are in order."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from paddock_ladder.joint import Posterior

_DRAWS: Final = 5000


def said_held(posterior: Posterior, intervals: Mapping[str, Sequence[int]]) -> float:
    """The chance that a bot's true rank is within its interval, as the mean over the bots.

    Ranks are whole numbers, so it is more than the chance that was asked for.
    """
    ranks = np.empty((_DRAWS, len(posterior.bots)), dtype=np.intp)
    np.put_along_axis(ranks, _orders(posterior), np.arange(1, len(posterior.bots) + 1)[None], 1)
    low, high = np.array([intervals[bot] for bot in posterior.bots]).T
    return float(((low <= ranks) & (ranks <= high)).mean())


def said_top(posterior: Posterior, top: int) -> float:
    """The chance that its best so many are the true best, in this order."""
    best = np.argsort(-posterior.mu, kind="stable")[:top]
    return float((_orders(posterior)[:, :top] == best).all(axis=1).mean())


def _orders(posterior: Posterior) -> NDArray[np.intp]:
    """Draws of all strengths: the bots of each by number, the best first."""
    rng = np.random.default_rng(12)  # any number, but that of the draws that make the intervals
    normal = rng.standard_normal((_DRAWS, len(posterior.bots)))
    strengths = posterior.mu + normal @ np.linalg.cholesky(posterior.covariance).T
    return np.argsort(-strengths, axis=1)
