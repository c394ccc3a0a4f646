"""Scores of a match, and those that ratings expect before it.

The score of a seat counts its opponents: 1 for each that it beats, 1/2 for each that it ties with.
So it reads the same at tables of every size. The expected score has for each opponent the chance to
beat it and half the chance of a tie, by the model that `paddock_ladder.update` rates with.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from paddock_ladder.rating import Parameters, Rating, check_rating

_ROOT_HALF: Final = math.sqrt(0.5)


def scores(ranks: Sequence[int]) -> list[float]:
    """By seat, the opponents that it beat, those that it tied with as halves."""
    best_first = sorted(ranks)
    not_above = {rank: len(ranks) - best_first.index(rank) - 1 for rank in best_first}
    return [not_above[rank] - (ranks.count(rank) - 1) / 2 for rank in ranks]


def expected_scores(ratings: Sequence[Rating], parameters: Parameters) -> list[float]:
    """By seat, the score that these ratings expect; seats that change places change nothing."""
    for rating in ratings:
        check_rating(rating)
    luck, margin = parameters.tau**2 + parameters.beta**2, parameters.margin
    edges: list[list[float]] = [[] for _ in ratings]  # what is expected beyond a half, by opponent
    for (seat, one), (opponent, other) in combinations(enumerate(ratings), 2):
        scale = _ROOT_HALF / math.sqrt(one.sigma**2 + other.sigma**2 + 2 * luck)
        apart = one.mu - other.mu
        # The chance to win and half that of a tie. One's edge is exactly what the other lacks.
        edge = (math.erf((apart + margin) * scale) + math.erf((apart - margin) * scale)) / 4
        edges[seat].append(edge)
        edges[opponent].append(-edge)
    return [len(own) / 2 + math.fsum(own) for own in edges]
