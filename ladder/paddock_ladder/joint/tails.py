"""The truncated normal distribution for arrays: the v and w of `paddock_ladder.truncation`.

Everything comes from Mills' ratio R(x), the chance of a normal's tail from x on over the density at
x. On x >= 0 it is a smooth function of t = 2 / (2 + x), so a polynomial of t through its values at
Chebyshev's points is exact to rounding.
"""

import math
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.polynomial import chebyshev, polynomial
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating[Any]]

_DENSITY: Final = 1 / math.sqrt(2 * math.pi)
_DEGREE: Final = 24
_STEPS: Final = 400  # of the continued fraction; the smallest x that it is used for wants them
_NEAR: Final = 1.0  # up to here erfc has all digits
_FARTHEST: Final = 37.0  # where the density is about to underflow
_MOST: Final = 1 - 1e-9  # of w: some variance is left, whatever happened


def _mills_at(x: float) -> float:
    if x < _NEAR:
        return 0.5 * math.erfc(x * math.sqrt(0.5)) / (_DENSITY * math.exp(-0.5 * x * x))
    far = x
    for step in range(_STEPS, 0, -1):
        far = x + step / far
    return 1 / far


def _through_points() -> Array:
    """The coefficients of R(x) / t by powers of 2 t - 1; where x is infinite it is 1/2."""
    points = chebyshev.chebpts1(_DEGREE + 1)
    values = [_mills_at(2 / t - 2) / t for t in ((points + 1) / 2).tolist()]
    return chebyshev.cheb2poly(chebyshev.chebfit(points, np.array(values), _DEGREE))


_POLYNOMIAL: Final = _through_points()


def mills(x: Array) -> Array:
    """Mills' ratio for x >= 0."""
    t = 2 / (2 + x)
    return np.multiply(t, polynomial.polyval(2 * t - 1, _POLYNOMIAL))


def win(t: Array, e: Array) -> tuple[Array, Array]:
    """The v and w of wins by more than e."""
    x = t - e
    size = np.abs(x)
    ratio = mills(size)
    density = _DENSITY * np.exp(-0.5 * np.minimum(size, _FARTHEST) ** 2)
    v = np.where(x < 0, 1 / ratio, density / (1 - density * ratio))
    return v, np.clip(v * (v + x), 0.0, _MOST)


def tie(t: Array, e: Array) -> tuple[Array, Array]:
    """The v and w of ties: less than e apart, either way; e is more than 0."""
    s = np.abs(t)
    low, high = s - e, s + e
    less = np.expm1(-2 * s * e)  # the density at the far edge over that at the near one, less 1
    inside = 1 / (_DENSITY * np.exp(-0.5 * np.minimum(np.abs(low), _FARTHEST) ** 2))
    near = np.where(low < 0, inside - mills(np.abs(low)), mills(np.abs(low)))
    chance = near - (1 + less) * mills(high)  # over the density at the near edge
    v = less / chance
    w = v * v + (low * less + 2 * e * (1 + less)) / chance
    return np.where(t < 0, -v, v), np.clip(w, 0.0, _MOST)
