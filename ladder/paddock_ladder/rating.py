"""Ratings, the beliefs about bots' strengths, and the constants that they are computed with."""

import math
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Final, NamedTuple

MU: Final = 25.0
SIGMA: Final = MU / 3
PROVISIONAL: Final = 20
"""Matches until a rating counts as settled: by then sigma has come from 8.3 to about 1.5 at tables
of four and 2.2 at tables of two, and the next two hundred matches will no more than halve it."""

_LARGEST: Final = 1e9  # of mu and sigma: their squares and ratios are still far from overflowing
_SMALLEST: Final = 1e-9


class BadRating(ValueError):
    """Raised for ratings, ranks or parameters that no match can have."""


class Rating(NamedTuple):
    """A rating: a normal belief about a strength, with mean mu and standard deviation sigma."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def conservative(self) -> float:
        """The conservative rating, mu less three sigma: the strength is almost surely more."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class Parameters:
    """The constants of one ladder; all but the draw probability are those of TrueSkill."""

    draw_probability: float  # that two equal neighbours in the ranking tie, measured by format
    mu: float = MU
    sigma: float = SIGMA
    beta: float = SIGMA / 2  # how far a bot's performance in one match strays from its strength
    tau: float = SIGMA / 100  # how much a strength may have changed since the match before
    margin: float = field(init=False, repr=False)  # performances closer than this tie

    def __post_init__(self) -> None:
        if not 0 <= self.draw_probability < 1:
            raise BadRating(
                f"draw_probability: {self.draw_probability} is out of range; "
                "give 0 or more, but less than 1"
            )
        if not abs(self.mu) <= _LARGEST:
            raise BadRating(f"mu: {self.mu} is not between -{_LARGEST:g} and {_LARGEST:g}")
        for name in ("sigma", "beta"):
            if not _SMALLEST <= getattr(self, name) <= _LARGEST:
                raise BadRating(
                    f"{name}: {getattr(self, name)} is not between {_SMALLEST:g} and {_LARGEST:g}"
                )
        if not 0 <= self.tau <= _LARGEST:
            raise BadRating(f"tau: {self.tau} is not between 0 and {_LARGEST:g}")
        half = NormalDist().inv_cdf((1 + self.draw_probability) / 2)
        object.__setattr__(self, "margin", half * math.sqrt(2) * self.beta)

    @property
    def first(self) -> Rating:
        """The rating of a bot before its first match."""
        return Rating(self.mu, self.sigma)

    def inherit(self, rating: Rating) -> Rating:
        """The rating that a bot's new version starts with: the old mu, and a larger sigma.

        The variance of a change is a quarter of the first variance: sigma becomes at least half of
        a newcomer's, so a version that is as good as the last keeps its place within a few
        matches, and one that is much better or worse is found out about as quickly as a newcomer.
        Nobody is ever less certain than about a newcomer.
        """
        check_rating(rating)
        return Rating(rating.mu, min(math.hypot(rating.sigma, self.sigma / 2), self.sigma))


def check_rating(rating: Rating) -> None:
    """Refuse a rating that is out of range."""
    mu, sigma = rating
    if not (-_LARGEST <= mu <= _LARGEST and _SMALLEST <= sigma <= _LARGEST):
        raise BadRating(
            f"rating: mu {mu}, sigma {sigma} are out of range; give mu from -{_LARGEST:g} to "
            f"{_LARGEST:g} and sigma from {_SMALLEST:g} to {_LARGEST:g}"
        )
