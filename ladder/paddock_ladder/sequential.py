"""The sequential test of `paddock compare`: is NEW better than OLD, in as few blocks as possible.

It looks at one number per block, the points of NEW less those of OLD on the same deal. The effect
is the mean of these differences in units of their standard deviation, which is not known before.
The likelihood of an effect is that of Student's t: what the data say of the standard deviation is
integrated out, so nothing has to be guessed.

The test is a 2-SPRT (Lorden): two tests at once, both with half the effect in the middle.

- NEW is accepted where half the effect is much likelier than none: log of the ratio at least
  ln(0.55 / alpha);
- NEW is rejected where half the effect is much likelier than the whole effect: at least
  ln(0.55 / beta).

Looking after every block is allowed. The error rates are those of simulations, not of a theorem:
with the 0.55 a NEW that is not better is accepted in 4.7 % of 4,000 runs at alpha 5 %, and one that
is better by the effect is rejected in 4.4 % at beta 5 % (`python -m bench.sequential`). A plain
sequential test keeps the same rates and is a little quicker where the truth lies at either end, but
takes up to twice as many blocks in its slowest twentieth and where the truth lies in the middle.
"""

from collections.abc import Iterable
from enum import Enum
from math import exp, inf, lgamma, log, sqrt
from typing import NamedTuple

from paddock_ladder.blocks import Estimate

_STEP = 0.5  # of the width of the hill that is summed up
_NEGLIGIBLE = 1e-13  # beside the top of the hill
_BOTH = 0.55  # of an error rate; two tests at once are wrong less often than each of them
_SPREAD = 0.04  # of the anytime interval: where it is narrow, around 1 / 0.04 blocks and more


class Decision(Enum):
    """The decision of a comparison."""

    ACCEPTED = "accepted"  # NEW is better
    REJECTED = "rejected"  # NEW is not better by the effect that was asked for
    FORFEITS = "forfeits"  # NEW has more points, but forfeits more matches than OLD
    OPEN = "open"  # more blocks are needed


class SequentialTest(NamedTuple):
    """The terms of a test: the smallest effect that matters, and how often it may be wrong."""

    effect: float = 0.2  # in standard deviations of a block's difference
    alpha: float = 0.05  # accepting a NEW that is not better
    beta: float = 0.05  # rejecting a NEW that is better by the effect

    def check(self) -> None:
        """Refuse numbers that are out of range."""
        if not 0 < self.effect < inf:
            raise ValueError(f"effect: {self.effect} is out of range; give a number above 0")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name}: {rate} is out of range; give a number between 0 and 0.5")

    def verdict(self, differences: Iterable[float] = ()) -> "Verdict":
        """The verdict after these block differences, in order; the first decision stays."""
        self.check()
        verdict = Verdict(self)
        for difference in differences:
            verdict = verdict.after(difference)
        return verdict


class Forfeits(NamedTuple):
    """Matches that the sides of a comparison forfeited."""

    new: int = 0
    old: int = 0


class Verdict(NamedTuple):
    """The state of a comparison after a block, a value; `after` gives the next one."""

    test: SequentialTest
    blocks: int = 0
    total: float = 0.0  # of the differences
    squares: float = 0.0
    better: float = 0.0  # log of how much likelier half the effect is than none
    short: float = 0.0  # log of how much likelier half the effect is than the whole
    forfeits: Forfeits = Forfeits()

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
        half = log_likelihood_ratio(blocks, total, squares, self.test.effect / 2)
        whole = log_likelihood_ratio(blocks, total, squares, self.test.effect)
        return Verdict(
            test=self.test,
            blocks=blocks,
            total=total,
            squares=squares,
            better=half,
            short=half - whole,
            forfeits=self.forfeits,
        )

    @property
    def bounds(self) -> tuple[float, float]:
        """NEW is rejected where `short` reaches the first, accepted where `better` reaches the
        second."""
        return log(_BOTH / self.test.beta), log(_BOTH / self.test.alpha)

    @property
    def decision(self) -> Decision:
        """How the comparison stands. Points can't make up for forfeits that OLD does not have."""
        rejected, accepted = self.bounds
        if self.better >= accepted:
            more = self.forfeits.new > self.forfeits.old
            return Decision.FORFEITS if more else Decision.ACCEPTED
        return Decision.REJECTED if self.short >= rejected else Decision.OPEN

    @property
    def deviation(self) -> float | None:
        """The standard deviation of a block's difference; None with fewer than two blocks."""
        if self.blocks < 2:
            return None
        return sqrt(max(0.0, self.squares - self.total**2 / self.blocks) / (self.blocks - 1))

    @property
    def estimate(self) -> Estimate:
        """The mean difference per block, in points, with its standard error.

        Its interval is that of a number of blocks fixed beforehand. A test that ends early ends
        on a good or bad run, so after a decision the estimate leans a little to that side.
        """
        mean = self.total / self.blocks if self.blocks else 0.0
        error = None if self.deviation is None else self.deviation / sqrt(self.blocks)
        return Estimate(mean, error, self.blocks, self.blocks)

    def anytime_interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """Where the true mean is, however often anybody looked; None with fewer than two blocks."""
        if self.deviation is None:
            return None
        spread = self.blocks * _SPREAD
        reach = self.deviation * sqrt(
            2 * (spread + 1) / (self.blocks * spread) * log(1 + sqrt(spread + 1) / (1 - level) / 2)
        )
        mean = self.total / self.blocks
        return mean - reach, mean + reach


def log_likelihood_ratio(blocks: int, total: float, squares: float, effect: float) -> float:
    """The log of how much likelier the differences are with this effect than with none.

    With u the inverse of the standard deviation, in units that make the squares sum up to 1, and
    c = total / sqrt(squares), the ratio is exp(-n effect^2 / 2) times the integral of
    u^(n-1) exp(-u^2 / 2 + effect c u) over that of u^(n-1) exp(-u^2 / 2). Over log u the integrand
    is one smooth hill, for which a sum over equal steps is almost exact.
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
