"""The prior of a format, how far apart strengths lie, fitted to matches (empirical Bayes).

The luck of a match, beta, is the unit. With mu and V the joint posterior under a spread sigma0, and
C = I - 11'/n, the next guess is

    sigma0^2 = [sum (mu_i - mean)^2 + tr(C V C)] / (n - 1)

A ladder keeps its sigma of 8.33 and the numbers that go with it, so what is fitted becomes its
beta: 8.33 over the ratio of sigma0 to beta. With few bots there is nothing to fit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from paddock_ladder.joint.posterior import Posterior
from paddock_ladder.joint.propagation import joint
from paddock_ladder.played import Played
from paddock_ladder.rating import Parameters

USUAL: Final = 1.33
"""The ratio of sigma0 to beta until there are bots enough; among real bots it is 1.1 to 1.4."""

BOTS: Final = 20  # at least, for a fit
_ROUNDS: Final = 4
_LEAST: Final = 0.25  # what a history of nothing but luck, or of no luck, would come to
_MOST: Final = 5.0


class Prior(NamedTuple):
    """A prior: how far apart strengths lie, in units of the luck of a match."""

    ratio: float  # sigma0 over beta
    bots: int  # in the matches; versions of one are one bot
    fitted: bool  # to the matches, or the usual one because there are few bots

    def applied(self, parameters: Parameters) -> Parameters:
        """The parameters of a ladder with this prior: its sigma stays, its beta changes."""
        return replace(parameters, beta=parameters.sigma / self.ratio)

    def spreading(self, parameters: Parameters) -> Parameters:
        """The same in the ladder's own units: its beta stays, its sigma changes."""
        return replace(parameters, sigma=self.ratio * parameters.beta)


def fit_prior(
    matches: Iterable[Played],
    parameters: Parameters,
    parts: Sequence[float] | None = None,
    *,
    bots: int | None = None,
) -> Prior:
    """The prior that fits these matches; of the parameters only the draw probability counts.

    `parts` says how much of every match counts, from 0 to 1. `bots` is how many bots the names
    stand for, where several are versions of one: those tell little of how far apart bots lie.
    """
    played = list(matches)
    if bots is None:
        bots = len({name for seats, _ in played for name in seats})
    if bots < BOTS:
        return Prior(USUAL, bots, fitted=False)
    ratio = USUAL
    earlier = None
    for _ in range(_ROUNDS):
        guess = replace(parameters, sigma=ratio * parameters.beta)
        earlier = joint(played, guess, earlier, parts=parts)
        spread = spread_of(earlier.posterior) / parameters.beta
        ratio = min(max(spread, _LEAST), _MOST)
    return Prior(ratio, bots, fitted=True)


def spread_of(posterior: Posterior) -> float:
    """The standard deviation of the strengths, their uncertainty included."""
    around = posterior.mu - posterior.mu.mean()
    unknown = float((posterior.error**2).sum())  # the trace of C V C
    return float(np.sqrt((around @ around + unknown) / (len(posterior.bots) - 1)))
