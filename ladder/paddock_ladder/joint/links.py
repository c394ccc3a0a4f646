"""The links of many matches of one shape: what they say of the strengths of their bots.

A match compares its seats by links, each a difference d of performances. The mean of those who
share a rank was better than the mean of those who share the next, by more than the margin; every
two who share a rank were within the margin of each other. With x = D s, the same differences of
the strengths s, the performances differ by x + N(0, beta^2 D D').

Every link has a site, precision pi and shift tau: what it says of its difference, given all else.
So a match says of x the precision Q = (I + beta^2 Pi D D')^-1 Pi and the shift
q = (I + beta^2 Pi D D')^-1 tau. From what all matches together say of x, N(m, W), comes what the
others say of it, its cavity: (I - W Q)^-1 (m - W q), (I - W Q)^-1 W.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paddock_ladder.joint.tails import Array, tie, win
from paddock_ladder.rating import Parameters
from paddock_ladder.ties import tie_margin

DAMPING: Final = 0.6  # how far a match goes from what it said last to what it would say now
_ROUNDS: Final = 3  # through a match's links while little is known, one later
_LEAST: Final = 1e-9


class Shape(NamedTuple):
    """The links of matches in which the same numbers of bots share each rank."""

    differences: Array  # links x seats
    won: tuple[bool, ...]  # by link: a win; the others are ties

    @classmethod
    def of(cls, sizes: Sequence[int]) -> "Shape":
        """The shape of matches with groups of these sizes, best first."""
        ends = np.cumsum(sizes)
        groups = [range(end - size, end) for size, end in zip(sizes, ends, strict=True)]
        rows: list[Array] = []
        won: list[bool] = []
        for better, worse in pairwise(groups):
            row = np.zeros(ends[-1])
            row[list(better)], row[list(worse)] = 1 / len(better), -1 / len(worse)
            rows.append(row)
            won.append(True)
        for group in groups:
            for one, other in combinations(group, 2):
                row = np.zeros(ends[-1])
                row[one], row[other] = 1.0, -1.0
                rows.append(row)
                won.append(False)
        return cls(np.array(rows), tuple(won))


class Sites(NamedTuple):
    """The evidence of matches, from sweep to sweep and from one posterior to the next."""

    pi: Array  # matches x links
    tau: Array
    precision: Array  # Q: matches x links x links
    shift: Array  # q: matches x links

    @classmethod
    def silent(cls, matches: int, links: int) -> "Sites":
        """The sites before the first sweep, which say nothing."""
        flat = np.zeros((matches, links))
        return cls(flat, flat.copy(), np.zeros((matches, links, links)), flat.copy())


class Batch:
    """A batch of matches of one shape, with their evidence about the strengths."""

    def __init__(
        self,
        bots: NDArray[np.intp],
        times: Array,
        parts: Array,
        sizes: tuple[int, ...],
        parameters: Parameters,
    ) -> None:
        """`bots` is matches x seats, best first; `times` is how often a match went like that,
        `parts` how much of it counts each time."""
        self.bots = bots
        self.sizes = sizes
        self.times = times
        self.parts = parts
        self._shape = Shape.of(sizes)
        self._luck: Array = parameters.beta**2 * self._shape.differences @ self._shape.differences.T
        self._margins = [
            parameters.margin if won else tie_margin(parameters) for won in self._shape.won
        ]
        self.sites = Sites.silent(len(bots), len(self._shape.won))

    def says(self) -> tuple[Array, Array]:
        """What each match says of its bots, as often as it took place: precision and shift."""
        across = self._shape.differences
        _, _, precision, shift = self.sites
        count = self.times * self.parts
        return (
            count[:, None, None] * (across.T @ precision @ across),
            count[:, None] * (shift @ across),
        )

    def hear(self, mu: Array, covariance: Array, damping: float, *, first: bool) -> None:
        """Weigh the matches again, given all that is known of all bots."""
        pi, tau, precision, shift = self.sites
        across = self._shape.differences
        eye = np.eye(len(across))
        known = across @ covariance[self.bots[:, :, None], self.bots[:, None, :]] @ across.T
        gap = mu[self.bots] @ across.T
        # The cavity: everything but this match, of which a part was said.
        said, moved = self.parts[:, None, None] * precision, self.parts[:, None] * shift
        spread, mean = _solved(eye - known @ said, known, gap - _times(known, moved))
        spread = _even(spread + self._luck)
        # What was said of the links before still holds, until it is heard again.
        informed = eye + spread * pi[:, None, :]
        spread, mean = _solved(informed, spread, mean + _times(spread, tau))
        pi, tau = self._links(spread, mean, pi, tau, _ROUNDS if first else 1)
        new, moves = _solved(eye + pi[:, :, None] * self._luck, eye * pi[:, None, :], tau)
        new = _even(new)
        self.sites = Sites(
            pi,
            tau,
            precision + damping * (new - precision),
            shift + damping * (moves - shift),
        )

    def _links(
        self, spread: Array, mean: Array, pi: Array, tau: Array, rounds: int
    ) -> tuple[Array, Array]:
        """The sites of all links, heard one after another, for this number of rounds."""
        pi, tau = pi.copy(), tau.copy()
        for _ in range(rounds):
            for link, (won, margin) in enumerate(zip(self._shape.won, self._margins, strict=True)):
                column = spread[:, :, link]
                width = np.maximum(column[:, link], _LEAST)
                gap = mean[:, link]
                without = np.maximum(1 / width - pi[:, link], _LEAST / width)
                root = np.sqrt(without)
                t = (gap / width - tau[:, link]) / root
                v, w = (win if won else tie)(t, margin * root)
                new_pi, new_tau = without * w / (1 - w), root * (t * w + v) / (1 - w)
                more = new_pi - pi[:, link]
                part = 1 / (1 + more * width)
                move = (new_tau - tau[:, link] - more * gap) * part
                mean = mean + column * move[:, None]
                spread = spread - (more * part)[:, None, None] * (
                    column[:, :, None] * column[:, None, :]
                )
                pi[:, link], tau[:, link] = new_pi, new_tau
        return pi, tau


def _solved(by: Array, matrices: Array, vectors: Array) -> tuple[Array, Array]:
    """Matrices and vectors, match by match, divided by these from the left."""
    both = np.linalg.solve(by, np.concatenate((matrices, vectors[:, :, None]), axis=2))
    return both[:, :, :-1], both[:, :, -1]


def _even(matrices: Array) -> Array:
    """The same matrices, symmetric to the last bit."""
    return (matrices + matrices.transpose(0, 2, 1)) / 2


def _times(matrices: Array, vectors: Array) -> Array:
    """Matrix times vector, match by match."""
    product: Array = np.einsum("mij,mj->mi", matrices, vectors)
    return product
