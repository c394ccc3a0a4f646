"""The update of matches with ties, which does not depend on the order of those who tied.

A chain through all seats, as without ties, would have to put those who tied in some order, and the
ratings would depend on it. Here those who share a rank form a group: every two of them performed
within the margin of each other, and it is the group's mean performance that was better than the
next group's. No order is part of that. Groups of one make this the chain, and for two seats that
tie it is what `trueskill` computes; for more it is close to the mean of what `trueskill` gives over
all orders (docs/ratings.md has figures).

Comparing everybody with everybody of the next rank would be symmetric too, but near copies of one
comparison count as independent ones in such an approximation, and ratings move by far too much.
"""

import math
from collections.abc import Sequence
from itertools import combinations, groupby
from typing import Final, NamedTuple

from paddock_ladder.chain import chain
from paddock_ladder.rating import Parameters
from paddock_ladder.truncation import tie

_SWEEPS: Final = 30  # at most, through the ties of a group, and back and forth between groups
_STILL: Final = 1e-5  # of a mean, in its own widths, and of a variance, in parts
_DIGITS: Final = 1e-15  # what the largest and the smallest of one matrix can be told apart by
_LEAST: Final = 1e-30
_THINNEST: Final = 1e-3  # a tie's margin is at least this part of beta


class Group(NamedTuple):
    """A joint belief about the performances of those who share a rank."""

    mean: list[float]
    covariance: list[list[float]]

    def correct(self, column: Sequence[float], shift: float, shrink: float) -> None:
        """Take in what was learnt of a sum of performances, `column` being its covariances."""
        mean, covariance = self
        for seat, part in enumerate(column):
            mean[seat] += shift * part
            scaled = shrink * part
            covariance[seat] = [
                a - scaled * b for a, b in zip(covariance[seat], column, strict=True)
            ]

    def take_in(self, pi: float, tau: float) -> None:
        """Take in a message about the group's mean."""
        count = len(self.mean)
        column = [math.fsum(row) / count for row in self.covariance]
        factor = 1 / (1 + pi * math.fsum(column) / count)
        shift = (tau - pi * math.fsum(self.mean) / count) * factor
        self.correct(column, shift, pi * factor)

    def level(self, pi: float, tau: float) -> tuple[float, float]:
        """Mean and variance of the group's mean performance, had this message not been heard."""
        count = len(self.mean)
        total = math.fsum(map(math.fsum, self.covariance))
        rounding = _DIGITS * max(row[seat] for seat, row in enumerate(self.covariance))
        spread = max(total / count**2, abs(rounding), _LEAST)
        without = max(1 / spread - pi, _DIGITS / spread)
        return (math.fsum(self.mean) / count / spread - tau) / without, 1 / without


def tied(
    means: Sequence[float],
    spreads: Sequence[float],
    ranks: Sequence[int],
    parameters: Parameters,
) -> list[tuple[float, float]]:
    """How far each performance moves, and the variance it has left; the ranks are in order."""
    margin = tie_margin(parameters)
    places = [list(some) for _, some in groupby(range(len(ranks)), key=lambda seat: ranks[seat])]
    moves = [(0.0, 0.0)] * len(ranks)
    levels = [(means[some[0]], spreads[some[0]]) for some in places]
    messages = [(0.0, 0.0)] * len(places)  # what the chain says of each group's mean
    shared = [number for number, some in enumerate(places) if len(some) > 1]
    for sweep in range(_SWEEPS):
        still = sweep > 0
        for number in shared:
            some, message = places[number], messages[number]
            group = together([means[s] for s in some], [spreads[s] for s in some], message, margin)
            level = group.level(*message)
            still = still and _still(levels[number], level)
            levels[number] = level
            for place, seat in enumerate(some):
                left = min(max(group.covariance[place][place], 0.0), spreads[seat])
                moves[seat] = group.mean[place] - means[seat], left
        if still or len(places) == 1:
            break
        heights, widths = zip(*levels, strict=True)
        performed = chain(heights, widths, parameters.margin)
        messages = [
            ((spread - left) / (left * spread), (mean + shift) / left - mean / spread)
            for (mean, spread), (shift, left) in zip(levels, performed, strict=True)
        ]
        for some, one in zip(places, performed, strict=True):
            if len(some) == 1:
                moves[some[0]] = one
    return _alike(moves, list(zip(ranks, means, spreads, strict=True)))


def tie_margin(parameters: Parameters) -> float:
    """How close performances are that tied; more than nothing, even if ties were not expected."""
    return max(parameters.margin, _THINNEST * parameters.beta)


def _still(before: tuple[float, float], after: tuple[float, float]) -> bool:
    mean, spread = after
    return (
        abs(mean - before[0]) <= _STILL * math.sqrt(spread)
        and abs(spread - before[1]) <= _STILL * spread
    )


def together(
    means: Sequence[float], spreads: Sequence[float], message: tuple[float, float], margin: float
) -> Group:
    """The belief about a group that tied, when others have sent this message about its mean."""
    count = len(means)
    if count == 2:
        return _pair(means, spreads, message, margin)
    group = Group(list(means), [[0.0] * count for _ in means])
    for seat, spread in enumerate(spreads):
        group.covariance[seat][seat] = spread
    group.take_in(*message)
    ties = list(combinations(range(count), 2))
    sites = [(0.0, 0.0)] * len(ties)  # what each tie says: a precision, and it times a mean
    for _ in range(_SWEEPS):
        still = True
        for number, (one, other) in enumerate(ties):
            rows = group.covariance
            column = [a - b for a, b in zip(rows[one], rows[other], strict=True)]
            spread = column[one] - column[other]
            site_pi, site_tau = sites[number]
            if spread <= 0 or (pi := 1 / spread - site_pi) <= 0:
                continue  # known to the last digit: there is nothing to correct
            gap = group.mean[one] - group.mean[other]
            root = math.sqrt(pi)
            t = (gap / spread - site_tau) / root
            v, w = tie(t, margin * root)
            new_pi, new_tau = pi * w / (1 - w), root * (t * w + v) / (1 - w)
            sites[number] = new_pi, new_tau
            more = new_pi - site_pi
            factor = 1 / (1 + more * spread)
            shift = (new_tau - site_tau - more * gap) * factor
            if abs(shift) * math.sqrt(spread) > _STILL or abs(more) * factor * spread > _STILL:
                still = False
            group.correct(column, shift, more * factor)
        if still:
            break
    return group


def _pair(
    means: Sequence[float], spreads: Sequence[float], message: tuple[float, float], margin: float
) -> Group:
    """What `together` gives for two, the usual case: one tie, and so one step."""
    pi, tau = message
    one, other = means
    a, b = spreads
    factor = 1 / (1 + pi * (a + b) / 4)
    shift, shrink = (tau - pi * (one + other) / 2) * factor / 2, pi * factor / 4
    one, other = one + shift * a, other + shift * b
    first, second, both = a - shrink * a * a, b - shrink * b * b, -shrink * a * b
    spread = first + second - 2 * both
    root = math.sqrt(spread)
    v, w = tie((one - other) / root, margin / root)
    up, down = (first - both) / root, (both - second) / root
    return Group(
        [one + up * v, other + down * v],
        [
            [first - up * up * w, both - up * down * w],
            [both - up * down * w, second - down * down * w],
        ],
    )


def _alike(
    performed: list[tuple[float, float]], seats: Sequence[tuple[float, float, float]]
) -> list[tuple[float, float]]:
    """The same for seats that are the same: where sweeps end, the last digits know an order."""
    if len(set(seats)) == len(seats):
        return performed
    by_seat: dict[tuple[float, float, float], list[tuple[float, float]]] = {}
    for seat, one in zip(seats, performed, strict=True):
        by_seat.setdefault(seat, []).append(one)
    shared = {
        seat: (
            math.fsum(shift for shift, _ in some) / len(some),
            math.fsum(left for _, left in some) / len(some),
        )
        for seat, some in by_seat.items()
    }
    return [shared[seat] for seat in seats]
