"""The sequential test behind `paddock compare`: is NEW better than OLD? As few blocks as it takes.

It looks at one number a block, the points of NEW less those of OLD on the same deal. The effect is
the mean of these differences in units of their standard deviation, which nobody knows beforehand.
The test weighs "the effect is `effect`" against "it is 0" by the likelihood ratio of Student's t
(the sequential t-test): what the data say of the standard deviation is integrated out, so nothing
has to be guessed. Looking after every block is allowed: where the ratio is at least 1 / alpha NEW
is accepted, where it is at most beta NEW is rejected, and by Ville's inequality

- a NEW that is not better (effect <= 0) is accepted with a probability of at most alpha,
- a NEW that is better by `effect` or more is rejected with a probability of at most beta,

exactly for normal differences, and closely for the discrete ones of games.
"""

from collections.abc import Iterable
from enum import Enum
from math import exp, inf, lgamma, log, sqrt
from typing import NamedTuple

from paddock_ladder.blocks import Estimate

_STEP = 0.5  # of the width of the hill that is summed up
_NEGLIGIBLE = 1e-13  # beside the top of the hill


class Decision(Enum):
    """How a comparison stands."""

    ACCEPTED = "accepted"  # NEW is better
    REJECTED = "rejected"  # NEW is not better by the effect that was asked for
    OPEN = "open"  # more blocks are needed


class SequentialTest(NamedTuple):
    """What is promised: the smallest effect that matters, and how often the test may be wrong."""

    effect: float = 0.2  # in standard deviations of a block's difference
    alpha: float = 0.05  # accepting a NEW that is not better
    beta: float = 0.05  # rejecting a NEW that is better by the effect

    def check(self) -> None:
        """Refuse numbers that promise nothing."""
        if not 0 < self.effect < inf:
            raise ValueError(f"effect: {self.effect} is no improvement; give a number above 0")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name}: {rate} is no error rate; give a number from 0 to 0.5")

    def verdict(self, differences: Iterable[float] = ()) -> "Verdict":
        """The verdict after these block differences, in order; the first decision stays."""
        self.check()
        verdict = Verdict(self, 0, 0.0, 0.0)
        for difference in differences:
            verdict = verdict.after(difference)
        return verdict


class Verdict(NamedTuple):
    """A comparison as it stands, a value: `after` gives the next one."""

    test: SequentialTest
    blocks: int
    total: float  # of the differences
    squares: float
    llr: float = 0.0  # the log of the likelihood ratio

    def after(self, difference: float) -> "Verdict":
        """The verdict with one block more; a decision that was made stays, so it is unchanged then.

        Give blocks in the order in which they were begun, each when all before it are complete:
        quick ones first would count what happened to end quickly more.
        """
        if self.decision is not Decision.OPEN:
            return self
        blocks = self.blocks + 1
        total = self.total + difference
        squares = self.squares + difference * difference
        llr = log_likelihood_ratio(blocks, total, squares, self.test.effect)
        return Verdict(self.test, blocks, total, squares, llr)

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log of the ratio is at or below the first NEW is rejected, at or above the
        second accepted."""
        return log(self.test.beta), -log(self.test.alpha)

    @property
    def decision(self) -> Decision:
        """Accepted, rejected or open."""
        lower, upper = self.bounds
        if self.llr >= upper:
            return Decision.ACCEPTED
        return Decision.REJECTED if self.llr <= lower else Decision.OPEN

    @property
    def deviation(self) -> float | None:
        """The standard deviation of a block's difference; None with fewer than two blocks."""
        if self.blocks < 2:
            return None
        return sqrt(max(0.0, self.squares - self.total**2 / self.blocks) / (self.blocks - 1))

    @property
    def estimate(self) -> Estimate:
        """The mean difference a block, in points, with its standard error.

        Its interval is that of a number of blocks fixed beforehand. A test that ends early ends
        on a good or bad run, so after a decision the estimate leans a little to that side.
        """
        mean = self.total / self.blocks if self.blocks else 0.0
        error = None if self.deviation is None else self.deviation / sqrt(self.blocks)
        return Estimate(mean, error, self.blocks, self.blocks)


def log_likelihood_ratio(blocks: int, total: float, squares: float, effect: float) -> float:
    """The log of how much likelier the differences are with this effect than with none.

    With u the inverse of the standard deviation, in units that make the squares sum up to 1, and
    c = total / sqrt(squares), the ratio is exp(-n effect^2 / 2) times the integral of
    u^(n-1) exp(-u^2 / 2 + effect c u) over that of u^(n-1) exp(-u^2 / 2). Over log u the integrand
    is one smooth hill, for which a sum over equal steps is as good as exact.
    """
    tilt = effect * total / sqrt(squares) if squares else 0.0
    top = (tilt + sqrt(tilt * tilt + 4 * blocks)) / 2
    step = _STEP / sqrt(top * top + blocks)
    hill = 1.0
    for stride in (step, -step):
        ratio = exp(stride)
        u, height, climbed = top, 1.0, 0.0
        while height > _NEGLIGIBLE:
            u *= ratio
            climbed += blocks * stride
            height = exp(climbed + (u - top) * (tilt - (u + top) / 2))
            hill += height
    peak = blocks * log(top) - top * top / 2 + tilt * top
    plain = lgamma(blocks / 2) + (blocks / 2 - 1) * log(2)
    return peak + log(hill * step) - plain - blocks * effect * effect / 2
