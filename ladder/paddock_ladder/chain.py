"""A chain of performances, each better than the next by more than a margin.

Messages run down the row and up again as in the package `trueskill`, in the same order and to the
same end, so the numbers are its numbers, as far as its erfc has digits.
"""

import math
from collections.abc import Sequence
from typing import Final

from paddock_ladder.truncation import win

_SWEEPS: Final = 10  # at most, down and up; the package's, like _STILL
_STILL: Final = 1e-4  # of tau, and of the root of pi: smaller changes end the sweeps
_STILL_PI: Final = 1.0000000000000002e-08  # the largest of pi whose root is that small


def chain(
    means: Sequence[float], spreads: Sequence[float], margin: float
) -> list[tuple[float, float]]:
    """How far each performance moves, and the variance it has left, best rank first.

    A link is a seat and the next in rank. What it says of their difference is its site; what that
    says of one of them, given the other, is a message. Both are a precision, and it times a mean.
    """
    last = len(means) - 1
    prior_pi = [1 / spread for spread in spreads]
    prior_tau = [mean / spread for mean, spread in zip(means, spreads, strict=True)]
    above_pi, above_tau = [0.0] * (last + 1), [0.0] * (last + 1)  # messages from the link above
    below_pi, below_tau = [0.0] * (last + 1), [0.0] * (last + 1)
    site_pi, site_tau = [0.0] * last, [0.0] * last
    down = [(link, True) for link in range(max(1, last - 1))]
    sweep = [*down, *((link, False) for link in range(last - 1, 0, -1))]
    for _ in range(_SWEEPS if last > 1 else 1):
        still = True
        for link, downwards in sweep:
            upper = 1 / (prior_pi[link] + above_pi[link])
            lower = 1 / (prior_pi[link + 1] + below_pi[link + 1])
            upper_mean = upper * (prior_tau[link] + above_tau[link])
            lower_mean = lower * (prior_tau[link + 1] + below_tau[link + 1])
            spread = upper + lower
            root = math.sqrt(spread)
            t = (upper_mean - lower_mean) / root
            v, w = win(t, margin / root)
            left = 1 - w
            pi, tau = w / (left * spread), (t * w + v) / (left * root)
            if still:
                still = (
                    -_STILL <= tau - site_tau[link] <= _STILL
                    and -_STILL_PI <= pi - site_pi[link] <= _STILL_PI
                )
            site_pi[link], site_tau[link] = pi, tau
            if downwards:
                shrunk = 1 / (1 + upper * pi)
                above_pi[link + 1] = pi * shrunk
                above_tau[link + 1] = (pi * upper_mean - tau) * shrunk
            else:
                shrunk = 1 / (1 + lower * pi)
                below_pi[link] = pi * shrunk
                below_tau[link] = (pi * lower_mean + tau) * shrunk
        if still:
            break
    # The ends get their messages last: nobody has asked for them before.
    pi, tau = prior_pi[1] + below_pi[1], prior_tau[1] + below_tau[1]
    shrunk = 1 / (pi + site_pi[0])
    below_pi[0] = site_pi[0] * pi * shrunk
    below_tau[0] = (site_pi[0] * tau + site_tau[0] * pi) * shrunk
    pi, tau = prior_pi[-2] + above_pi[-2], prior_tau[-2] + above_tau[-2]
    shrunk = 1 / (pi + site_pi[-1])
    above_pi[-1] = site_pi[-1] * pi * shrunk
    above_tau[-1] = (site_pi[-1] * tau - site_tau[-1] * pi) * shrunk
    performed = []
    for seat, spread in enumerate(spreads):
        pi = above_pi[seat] + below_pi[seat]
        left = spread / (1 + spread * pi)
        performed.append((left * (above_tau[seat] + below_tau[seat] - pi * means[seat]), left))
    return performed
