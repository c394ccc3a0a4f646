"""Statistics of duplicate blocks: the block is the unit, because its matches share one deal.

Matches of one block are not independent: a rich deal is rich in every rotation. So a mean's
standard error counts blocks. Within a block everybody plays every hand from every seat, so the
luck of the deal and of the seat cancels in a difference; that is what blocks save.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import fmean, variance
from typing import NamedTuple, Protocol

from paddock_ladder.student import t_quantile


class BlockMatch(Protocol):
    """A match as these statistics need it; an Outcome is one."""

    @property
    def bots(self) -> tuple[str, ...]:
        """Who played, by seat."""

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat."""

    @property
    def block(self) -> str:
        """The block it belongs to."""

    @property
    def declared(self) -> bool:
        """Whether it was decided without being played."""


class Estimate(NamedTuple):
    """An estimated mean with its standard error."""

    mean: float
    error: float | None  # the standard error by blocks; None with fewer than two
    blocks: int
    matches: int

    def interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """Where the true mean is, at this level of confidence (Student's t); None if unknown."""
        if self.error is None:
            return None
        reach = t_quantile(0.5 + level / 2, self.blocks - 1) * self.error
        return self.mean - reach, self.mean + reach


def estimate(blocks: Iterable[Sequence[float]]) -> Estimate:
    """The mean over all matches, from the values of each block's; empty blocks don't count.

    Blocks weigh as many matches as they have (a ratio estimate), so an incomplete block counts for
    what it is. With blocks of one size this is the mean of the block means and its usual error.
    """
    sums = [(sum(values), len(values)) for values in blocks if values]
    matches = sum(size for _, size in sums)
    if not matches:
        return Estimate(0.0, None, 0, 0)
    mean = sum(total for total, _ in sums) / matches
    count = len(sums)
    if count < 2:
        return Estimate(mean, None, count, matches)
    squares = sum((total - mean * size) ** 2 for total, size in sums)
    return Estimate(mean, sqrt(squares * count / (count - 1)) / matches, count, matches)


def differences(matches: Iterable[BlockMatch], one: str, other: str) -> dict[str, list[float]]:
    """By block, the points of one bot less the other's in every match that had both at the table.

    Declared matches have no points and are left out.
    """
    by_block: dict[str, list[float]] = defaultdict(list)
    for match in matches:
        if not match.declared and one in match.bots and other in match.bots:
            points = dict(zip(match.bots, match.totals, strict=True))
            by_block[match.block].append(float(points[one] - points[other]))
    return dict(by_block)


def complete(blocks: Mapping[str, Sequence[float]], size: int) -> dict[str, Sequence[float]]:
    """The blocks that have all their matches; only in those do deal and seat cancel."""
    return {name: values for name, values in blocks.items() if len(values) == size}


def saving(blocks: Iterable[Sequence[float]]) -> float:
    """The number of matches on independent deals that say as much as one match in these blocks.

    It is the variance of a match over the variance of a block's mean times the block's size. All
    blocks must have the same size, and there must be two of them; `inf` where blocks don't vary.
    """
    rows = [list(values) for values in blocks]
    sizes = {len(values) for values in rows}
    if len(rows) < 2 or len(sizes) != 1:
        raise ValueError("blocks: give two or more blocks, all of the same size")
    (size,) = sizes
    means = variance([fmean(values) for values in rows])
    # Within a block matches hang together, so a match's variance is put together from both parts.
    single = means + fmean([sum((x - fmean(row)) ** 2 for x in row) / size for row in rows])
    return single / (size * means) if means else float("inf")
