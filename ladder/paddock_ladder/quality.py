"""The quality of a match: how even it would be, as `trueskill` defines it."""

import math
from collections.abc import Sequence

from paddock_ladder.rating import BadRating, Parameters, Rating, check_rating


def quality(ratings: Sequence[Rating], parameters: Parameters) -> float:
    """The likelihood of an all-round draw, as a part of what it is among equals: 0 to 1.

    With c = sigma^2 + beta^2 for each seat, the package's determinants and inverses come down to
    sums: the mean of the mus weighted by 1/c, the squares around it, and products of the c.
    """
    if len(ratings) < 2:
        raise BadRating(f"ratings: {len(ratings)} is too few; a match has two seats or more")
    luck = parameters.beta**2
    weights = []
    for rating in ratings:
        check_rating(rating)
        weights.append(luck / (rating.sigma**2 + luck))
    total = math.fsum(weights)
    pairs = list(zip(weights, ratings, strict=True))
    mean = math.fsum(weight * rating.mu for weight, rating in pairs) / total
    squares = math.fsum(weight * (rating.mu - mean) ** 2 for weight, rating in pairs)
    even = math.prod(sorted(weights)) * len(ratings) / total  # sorted: seats may change places
    return math.sqrt(even) * math.exp(-squares / (2 * luck))
