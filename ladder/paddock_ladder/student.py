"""Student's t distribution, for means of few measurements whose spread is only estimated."""

import math
from typing import Final

_TINY: Final = 1e-300
_CLOSE: Final = 1e-14


def t_chance(t: float, freedom: float) -> float:
    """The chance that Student's t with these degrees of freedom is below t."""
    if math.isinf(t):
        return 1.0 if t > 0 else 0.0
    tail = 0.5 * _beta_part(freedom / (freedom + t * t), freedom / 2, 0.5)
    return 1 - tail if t > 0 else tail


def t_quantile(chance: float, freedom: float) -> float:
    """The t below which Student's t lies with this chance, more than 0 and less than 1."""
    if chance < 0.5:
        return -t_quantile(1 - chance, freedom)
    low, high = 0.0, 1.0
    while t_chance(high, freedom) < chance:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if t_chance(middle, freedom) < chance:
            low = middle
        else:
            high = middle
    return high


def _beta_part(x: float, a: float, b: float) -> float:
    """The incomplete beta function, as a part of the whole."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    log = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(log + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):  # the fraction converges quickly on this side only
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, from the front (Lentz)."""
    c = 1.0
    d = 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return value


def _away(x: float) -> float:
    return x if abs(x) > _TINY else _TINY
