"""Doubt on a live ladder: matches against the same owner again and again, and time.

Both make a rating less sure than its matches alone would.
"""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from paddock_ladder.rating import Parameters, Rating, check_rating

MONTH: Final = 30 * 86_400.0  # seconds, for which meetings are remembered
REMEMBERED: Final = 5  # matches of a bot, at most: what was honest long ago vouches for nothing
_PER_OTHER: Final = 0.5  # meetings with one owner that each meeting with another owner vouches for
_STEEP: Final = 4  # the power by which meetings beyond that count less
_QUARTER: Final = 4  # of a newcomer's sigma, by which an idle bot's grows in a month


class Sitting(NamedTuple):
    """A match of a bot: when it ended, in seconds, and the owners of the other seats."""

    when: float
    others: tuple[str, ...]


class Repeats:
    """A memory of whom every bot met lately: the owners of its opponents, match by match."""

    def __init__(self) -> None:
        self._sittings: defaultdict[str, deque[Sitting]] = defaultdict(
            lambda: deque(maxlen=REMEMBERED)
        )

    def __contains__(self, bot: object) -> bool:
        """Whether anything is remembered of a bot, if only that it never played."""
        return bot in self._sittings

    def remember(self, bot: str, sittings: Sequence[Sitting]) -> None:
        """Take these for all matches of a bot so far, the earliest first."""
        self._sittings[bot] = deque(sittings, maxlen=REMEMBERED)

    def add(self, bots: Sequence[str], owners: Sequence[str], when: float) -> None:
        """Remember a match, seat by seat; add the earliest matches first."""
        for seat, bot in enumerate(bots):
            self._sittings[bot].append(Sitting(when, _others(owners, seat)))

    def parts(self, bots: Sequence[str], owners: Sequence[str], when: float) -> list[float]:
        """How much of a match counts for each seat, from 0 to 1.

        It counts in full while its owners have at most a third of the seats that the bot met
        lately: one meeting with an owner needs two with others. With e meetings too many, as the
        mean over the other seats, it counts for 1 / (1 + e)^4. So a hundred matches with one owner
        and nobody else say as much as a single one, whoever wins them.
        """
        return [
            (1 + self._excess(bot, _others(owners, seat), when)) ** -_STEEP
            for seat, bot in enumerate(bots)
        ]

    def _excess(self, bot: str, others: Sequence[str], when: float) -> float:
        sittings = self._sittings.get(bot, ())
        met = Counter(
            owner for sitting in sittings if sitting.when > when - MONTH for owner in sitting.others
        )
        total = met.total()
        excess = [max(0.0, met[owner] - _PER_OTHER * (total - met[owner])) for owner in others]
        return sum(excess) / len(excess) if excess else 0.0


def _others(owners: Sequence[str], seat: int) -> tuple[str, ...]:
    return (*owners[:seat], *owners[seat + 1 :])


def believed(before: Rating, after: Rating, part: float) -> Rating:
    """The rating after a match of which this part counts: its likelihood to that power.

    More luck instead (a larger beta) would not do: every win would be as much of a surprise as the
    first, and the rating would rise as far, only later.
    """
    check_rating(before)
    check_rating(after)
    old, new = before.sigma**-2, after.sigma**-2
    pi = old + part * (new - old)
    tau = old * before.mu + part * (new * after.mu - old * before.mu)
    return Rating(tau / pi, 1 / math.sqrt(pi)) if part < 1 else after


def idled(rating: Rating, seconds: float, parameters: Parameters) -> Rating:
    """The rating of a bot that did not play for this long: less sure, up to a newcomer's doubt."""
    check_rating(rating)
    growth = (parameters.sigma / _QUARTER) ** 2 * max(0.0, seconds) / MONTH
    most = max(rating.sigma, parameters.sigma)
    return Rating(rating.mu, min(math.sqrt(rating.sigma**2 + growth), most))
