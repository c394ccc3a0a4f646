"""Doubt on a live ladder: surprises by the same owner again and again, and time.

Both make a rating less sure than its matches alone would.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from paddock_ladder.rating import Parameters, Rating, check_rating

MONTH: Final = 30 * 86_400.0  # seconds, for which meetings are remembered
REMEMBERED: Final = 3  # matches of a bot: what was honest long ago vouches for nothing
TWO: Final = 2  # owners, who are all there are
_VOUCHED: Final = 3  # meetings, for each with an owner, itself one: no surprise is more than 2
_STEEP: Final = 6  # the power by which matches count less beyond that
_ROOT_HALF: Final = math.sqrt(0.5)
_QUARTER: Final = 4  # of a newcomer's sigma, by which an idle bot's grows in a month


class Showing(NamedTuple):
    """A seat of a match: its rank, and the rating that its bot had before."""

    rank: int
    before: Rating


class Guest(NamedTuple):
    """A bot at a table: its owner, and what it showed there."""

    bot: str
    owner: str
    showing: Showing


class Appearance:
    """A match of a bot: when it ended, in seconds, and whom the bot met there.

    How surprising that went is worked out when somebody asks, which is seldom at larger tables.
    """

    __slots__ = ("_above", "_look", "owners", "spare", "when")

    def __init__(
        self, when: float, owners: Sequence[str], look: Callable[[], Sequence[float]]
    ) -> None:
        """`look` finds the surprises, by opponent as the owners."""
        self.when = when
        self.owners = owners
        self._look = look
        self._above: Sequence[float] | None = None
        most = 1 if len(set(owners)) == len(owners) else max(map(owners.count, owners))
        self.spare = len(owners) - _VOUCHED * most
        """The meetings beyond what any owner's surprises could need to be believed."""

    @property
    def surprises(self) -> Sequence[float]:
        """How far the bot did better than expected, by opponent as the owners."""
        if self._above is None:
            self._above = self._look()
        return self._above


def surprise(one: Showing, other: Showing, parameters: Parameters) -> float:
    """How far one did better against the other than expected: a win among equals is 1, a loss -1,
    a win of which nobody had a doubt 0."""
    rank, (mu, sigma) = one
    their_rank, (their_mu, their_sigma) = other
    spread = math.hypot(parameters.beta, parameters.beta, sigma, their_sigma)
    expected = math.erf((mu - their_mu) / spread * _ROOT_HALF)
    return (rank < their_rank) - (rank > their_rank) - expected


class Repeats:
    """A memory of whom every bot met lately, and how surprising that went, match by match."""

    def __init__(self, owners: Iterable[str] = ()) -> None:
        """`owners` are those who played so far; of many, a few will do."""
        self._sittings: dict[str, deque[Appearance]] = {}
        self._owners = set(owners)

    @property
    def alone(self) -> bool:
        """Whether only two owners ever played: there is nobody else whom they could deceive."""
        return len(self._owners) <= TWO

    def __contains__(self, bot: object) -> bool:
        """Whether anything is remembered of a bot, if only that it never played."""
        return bot in self._sittings

    def remember(self, bot: str, sittings: Iterable[Appearance]) -> None:
        """Take these for all matches of a bot so far, the earliest first."""
        self._sittings[bot] = deque(sittings, maxlen=REMEMBERED)

    def add(self, bot: str, sitting: Appearance) -> None:
        """Remember a match of a bot; add the earliest matches first."""
        if bot in self._sittings:
            self._sittings[bot].append(sitting)
        else:
            self.remember(bot, [sitting])

    def parts(self, table: Sequence[Guest], when: float, parameters: Parameters) -> list[float]:
        """How much of a match counts for each seat; from now on it is remembered."""
        owners = [guest.owner for guest in table]
        self._owners.update(owners)
        parts = []
        for seat, guest in enumerate(table):
            others = owners[:seat] + owners[seat + 1 :]
            parts.append(self.part(guest.bot, others, when))
            look = partial(surprises_of, table, seat, parameters)
            self.add(guest.bot, Appearance(when, others, look))
        return parts

    def part(self, bot: str, others: Sequence[str], when: float) -> float:
        """How much of a match counts for a bot, from 0 to 1, by the owners of the other seats.

        Surprises by one owner add up, good and bad ones against each other. They are believed as
        far as meetings with other owners vouch for them, each for a win among equals. With a
        surprise of e beyond that, as the mean over the other seats, the match counts for
        1 / (1 + e)^6. So a hundred matches that one owner throws say about as much as one.
        """
        since = when - MONTH
        lately = [one for one in self._sittings.get(bot, ()) if one.when > since]
        if sum([one.spare for one in lately]) >= 0:
            return 1.0
        total, met, sums = 0, dict.fromkeys(others, 0), dict.fromkeys(others, 0.0)
        for one in lately:
            total += len(one.owners)
            for owner, above in zip(one.owners, one.surprises, strict=True):
                if owner in met:
                    met[owner] += 1
                    sums[owner] += above
        beyond = [abs(sums[owner]) - (total - met[owner]) for owner in others]
        excess = sum([one for one in beyond if one > 0]) / len(beyond) if beyond else 0.0
        return float((1 + excess) ** -_STEEP)


def surprises_of(table: Sequence[Guest], seat: int, parameters: Parameters) -> list[float]:
    """How far a seat did better than expected, by opponent."""
    mine = table[seat].showing
    return [
        surprise(mine, guest.showing, parameters)
        for other, guest in enumerate(table)
        if other != seat
    ]


def believed(before: Rating, after: Rating, part: float) -> Rating:
    """The rating after a match of which this part counts: its likelihood to that power.

    More luck instead (a larger beta) would not do: every win would be as much of a surprise as the
    first, and the rating would rise as far, only later.
    """
    if part >= 1:
        return after
    check_rating(before)
    check_rating(after)
    old, new = before.sigma**-2, after.sigma**-2
    pi = old + part * (new - old)
    tau = old * before.mu + part * (new * after.mu - old * before.mu)
    return Rating(tau / pi, 1 / math.sqrt(pi))


def idled(rating: Rating, seconds: float, parameters: Parameters) -> Rating:
    """The rating of a bot that did not play for this long: less sure, up to a newcomer's doubt."""
    check_rating(rating)
    mu, sigma = rating
    growth = (parameters.sigma / _QUARTER) ** 2 * max(0.0, seconds) / MONTH
    return Rating(mu, min(math.sqrt(sigma**2 + growth), max(sigma, parameters.sigma)))
