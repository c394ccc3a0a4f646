"""The truncated normal distribution: what a result does to a belief about a difference.

Before the match a difference of performances is believed to be N(t, 1), in units of its own width.
A win says that it was above `e`, a tie that it was between `-e` and `e`. The belief that is left is
made normal again: its mean moves by v, its variance becomes 1 - w. These are TrueSkill's v and w;
they are computed so that no difference is too large and no margin too small.
"""

import math
from typing import Final

_exp, _erfc = math.exp, math.erfc
ROOT_HALF: Final = math.sqrt(0.5)
_DENSITY: Final = 1 / math.sqrt(2 * math.pi)
TWICE_DENSITY: Final = 2 * _DENSITY
FAR: Final = -30.0  # from here on erfc comes close to underflow, and the tail's series is exact
_THIN: Final = 1e-2  # ties thinner than this: differences of erfc would have too few digits left
MOST: Final = 1 - 1e-10  # of w: some variance is left, whatever happened


def win(t: float, e: float) -> tuple[float, float]:
    """The v and w of a win by more than e."""
    x = t - e
    if x > FAR:
        tail = _erfc(-x * ROOT_HALF)
        v = TWICE_DENSITY * _exp(-0.5 * x * x) / tail
        w = v * (v + x)
        return v, w if w < MOST else MOST
    return _beyond(-x) - x, min(1 - _left(-x), MOST)


def tie(t: float, e: float) -> tuple[float, float]:
    """The v and w of a tie: less than e apart, either way; e is more than 0."""
    s = abs(t)
    low, high = s - e, s + e
    if e >= _THIN and low < -FAR:
        chance = 0.5 * (_erfc(low * ROOT_HALF) - _erfc(high * ROOT_HALF))
        at_low, at_high = _DENSITY * _exp(-0.5 * low * low), _DENSITY * _exp(-0.5 * high * high)
        v = (at_high - at_low) / chance
        w = v * v + (high * at_high - low * at_low) / chance
    elif 2 * e * low > 40:  # the far edge is out of sight: all that is left hugs the near one
        v = -low - _beyond(low)
        w = 1 - _left(low)
    else:  # in so little room a normal density is an exponential one, of its slope in the middle
        y = (s - e * _langevin(s * e)) * e
        v = e * _langevin(y) - s
        w = 1 - e * e * _langevin_slope(y)
    return (-v if t < 0 else v), max(0.0, min(w, MOST))


def _beyond(x: float) -> float:
    """How far beyond x > 0 the mean of a normal's tail from x on lies: Mills' ratio, inverted."""
    far = x
    for k in range(12, 1, -1):
        far = x + k / far
    return 1 / far


def _left(x: float) -> float:
    """The variance of a normal's tail from a far x on, where 1 - v * (v - x) has no digits left."""
    square = 1 / (x * x)
    return square * (1 - square * (6 - 50 * square))


def _langevin(y: float) -> float:
    """The mean of the density exp(y * u) on -1 < u < 1."""
    if y < 0.01:
        return y / 3 * (1 - y * y / 15)
    return 1 / math.tanh(y) - 1 / y


def _langevin_slope(y: float) -> float:
    """The variance of the density exp(y * u) on -1 < u < 1."""
    if y < 0.01:
        return (1 - y * y / 5) / 3
    return 1 / (y * y) - (1 / math.sinh(y) ** 2 if y < 300 else 0.0)
