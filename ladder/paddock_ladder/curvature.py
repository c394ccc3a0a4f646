"""The curvature of the evidence: how strongly matches tie the strengths of bots together."""

import math
from collections.abc import Sequence
from operator import mul
from typing import Final

_CLOSE: Final = 1e-6  # of the pull's square: what may be left of it


class Curvature:
    """Springs between bots: the more matches compare two, the stronger they are tied together.

    This is the curvature of the evidence as a function of all strengths: what one bot's strength
    says of another's. It steers the way to a result, and is no part of the result.
    """

    def __init__(self, bots: int, prior: float) -> None:
        self._prior = prior  # the precision that holds every bot by itself
        self._springs: list[dict[int, float]] = [{} for _ in range(bots)]

    def tie(self, one: int, other: int, strength: float) -> None:
        """Tie two bots together, which were not tied before."""
        self._springs[one][other] = self._springs[other][one] = strength

    def held(self) -> list[float]:
        """By bot, the precision with which its prior and all others hold it."""
        return [self._prior + sum(springs.values()) for springs in self._springs]

    def stiffened(self, held: Sequence[float]) -> "Curvature":
        """The same springs, scaled until they hold each bot with about this precision."""
        roots = [
            math.sqrt((wanted - self._prior) / total) if (total := sum(springs.values())) else 1.0
            for wanted, springs in zip(held, self._springs, strict=True)
        ]
        other = Curvature(len(roots), self._prior)
        other._springs = [
            {end: strength * root * roots[end] for end, strength in springs.items()}
            for root, springs in zip(roots, self._springs, strict=True)
        ]
        return other

    def settle(self, pull: Sequence[float]) -> list[float]:
        """How far each bot moves until springs and pull are in balance: conjugate gradients."""
        held = self.held()
        rows = [(list(springs), list(springs.values())) for springs in self._springs]
        moved = [0.0] * len(held)
        rest = list(pull)
        way = eased = list(map(_over, rest, held))
        energy = sum(map(mul, rest, eased))
        enough = _CLOSE * energy
        for _ in range(4 * len(held)):
            if energy <= enough:
                break
            along_way = way.__getitem__
            stretched = [
                by * along - sum(map(mul, strengths, map(along_way, others)))
                for by, along, (others, strengths) in zip(held, way, rows, strict=True)
            ]
            stride = energy / sum(map(mul, way, stretched))
            moved = [one + stride * along for one, along in zip(moved, way, strict=True)]
            rest = [one - stride * along for one, along in zip(rest, stretched, strict=True)]
            eased = list(map(_over, rest, held))
            before, energy = energy, sum(map(mul, rest, eased))
            way = [one + energy / before * along for one, along in zip(eased, way, strict=True)]
        return moved


def _over(one: float, by: float) -> float:
    return one / by
