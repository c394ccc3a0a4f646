"""What makes a match say less, and a rating less sure: owners who meet again and again; time."""

import math
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from paddock_ladder.rating import Parameters, Rating, check_rating

DAY: Final = 86_400.0  # seconds, for which meetings of owners are remembered
MONTH: Final = 30 * DAY
_QUARTERED: Final = 5  # earlier meetings after which a match says a quarter as much
_QUARTER: Final = 4  # of a newcomer's sigma, by which an idle bot's grows in a month


class _Sitting(NamedTuple):
    """Owners who sat together, and when, in seconds."""

    when: float
    owners: tuple[str, ...]


class Repeats:
    """How often the same owners met within a day; older meetings are forgotten."""

    def __init__(self) -> None:
        self._sittings: deque[_Sitting] = deque()
        self._pairs: Counter[tuple[str, str]] = Counter()

    def add(self, owners: Sequence[str], when: float) -> None:
        """These met; tell the earliest meetings first."""
        self._forget(when)
        self._sittings.append(_Sitting(when, tuple(owners)))
        self._pairs.update(_pairs(owners))

    def of(self, owners: Sequence[str], when: float) -> float:
        """How often those at a table met before within a day, as the mean over its pairs."""
        self._forget(when)
        pairs = list(_pairs(owners))
        return sum(self._pairs[pair] for pair in pairs) / len(pairs) if pairs else 0.0

    def _forget(self, now: float) -> None:
        while self._sittings and self._sittings[0].when <= now - DAY:
            for pair in _pairs(self._sittings.popleft().owners):
                self._pairs[pair] -= 1
                if not self._pairs[pair]:
                    del self._pairs[pair]


def _pairs(owners: Sequence[str]) -> Iterator[tuple[str, str]]:
    return combinations(sorted(owners), 2)


def believed(before: Rating, after: Rating, repeats: float) -> Rating:
    """The rating after a match whose owners met so often before: a part of what the match says.

    The part is 1 after no meetings, a quarter after five, a ninth after ten, so that all meetings
    of a day together say as much as five or six: the likelihood of the result counts to that
    power. More luck instead (a larger beta) would not do: every win would
    be as much of a surprise as the first, and the rating would rise as far, only later.
    """
    check_rating(before)
    check_rating(after)
    part = (1 + max(0.0, repeats) / _QUARTERED) ** -2
    old, new = before.sigma**-2, after.sigma**-2
    pi = old + part * (new - old)
    tau = old * before.mu + part * (new * after.mu - old * before.mu)
    return Rating(tau / pi, 1 / math.sqrt(pi)) if part < 1 else after


def idled(rating: Rating, seconds: float, parameters: Parameters) -> Rating:
    """The rating of a bot that has not played for so long: less sure, up to a newcomer's doubt."""
    check_rating(rating)
    growth = (parameters.sigma / _QUARTER) ** 2 * max(0.0, seconds) / MONTH
    most = max(rating.sigma, parameters.sigma)
    return Rating(rating.mu, min(math.sqrt(rating.sigma**2 + growth), most))
