"""Suspects: pairs in which one bot wins more often than ratings allow, for organisers to look at.

For every ordered pair of bots that met, the chance of its wins or more is exact, by the chances of
the single meetings (the Poisson-binomial distribution). Among many pairs some have small chances by
luck, so the bar rises with their number (Benjamini and Hochberg): of the pairs that are named at
most one in a hundred is innocent, on average, and an honest ladder has nobody named in 99 of 100
cases (bench.feeding). It is a reason to look, never a proof.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from math import erfc, fsum, sqrt
from typing import Final, NamedTuple

from paddock_ladder.rating import BadRating, Parameters, Rating

FALSE_PART: Final = 0.01  # of the pairs that are named


class PairResult(NamedTuple):
    """A result between two bots of one table: the first's chance to rank above the second, and
    whether it did."""

    one: str
    other: str
    chance: float
    won: bool


class Suspect(NamedTuple):
    """A pair in which the first won against the second more often than is credible."""

    one: str
    other: str
    meetings: int
    wins: int
    expected: float
    chance: float  # of this many wins or more, if all is well


def pair_results(
    bots: Sequence[str],
    ranks: Sequence[int],
    ratings: Mapping[str, Rating],
    parameters: Parameters,
) -> Iterator[PairResult]:
    """All that one match says of pairs, by ratings that the bots have by all their matches."""
    luck = 2 * parameters.beta**2
    for (one, mine), (other, theirs) in permutations(zip(bots, ranks, strict=True), 2):
        my, their = ratings[one], ratings[other]
        spread = sqrt(luck + my.sigma**2 + their.sigma**2)
        chance = 0.5 * erfc((their.mu - my.mu + parameters.margin) / spread * sqrt(0.5))
        yield PairResult(one, other, chance, mine < theirs)


def suspects(seen: Iterable[PairResult], false_part: float = FALSE_PART) -> list[Suspect]:
    """The pairs that won too often, the least credible first."""
    if not 0 < false_part < 1:
        raise BadRating(f"false_part: {false_part} is not between 0 and 1")
    chances: dict[tuple[str, str], list[float]] = {}
    wins: dict[tuple[str, str], int] = {}
    for one, other, chance, won in seen:
        if not 0 <= chance <= 1:
            raise BadRating(f"chance: {chance} of {one} against {other} is not from 0 to 1")
        chances.setdefault((one, other), []).append(chance)
        wins[one, other] = wins.get((one, other), 0) + won
    pairs = sorted(
        (
            Suspect(*pair, len(some), wins[pair], fsum(some), at_least(wins[pair], some))
            for pair, some in chances.items()
        ),
        key=lambda pair: (pair.chance, pair.one, pair.other),
    )
    named = 0
    for place, pair in enumerate(pairs, 1):
        if pair.chance <= false_part * place / len(pairs):
            named = place
    return pairs[:named]


def at_least(wins: int, chances: Sequence[float]) -> float:
    """The chance of this many wins or more in independent meetings with these chances."""
    distribution = [1.0]  # by number of wins, as far as it is below `wins`
    for chance in sorted(chances):  # sorted: the order of meetings changes no digit
        lost = 1 - chance
        distribution = [
            lost * same + chance * fewer
            for same, fewer in zip([*distribution, 0.0], [0.0, *distribution], strict=True)
        ][:wins]
    if wins <= len(chances) / 2:
        return max(0.0, 1 - fsum(distribution)) if wins else 1.0
    return _upper(wins, chances)


def _upper(wins: int, chances: Sequence[float]) -> float:
    """The same, summed up from the far end, where 1 less the rest would have no digits left."""
    losses = [0.0] * (len(chances) - wins + 1)  # by number of losses, as far as it matters
    losses[0] = 1.0
    for chance in sorted(chances):
        lost = 1 - chance
        losses = [
            chance * same + lost * fewer
            for same, fewer in zip(losses, [0.0, *losses[:-1]], strict=True)
        ]
    return fsum(losses)
