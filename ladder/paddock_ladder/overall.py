"""The overall rating of a bot, from its ratings in several formats.

    w = 1 / sigma^2 - 1 / (first sigma)^2, for each format, as parts of the sum of all w
    mu = sum of w * mu
    sigma^2 = sum of w * sigma^2

It is the rating in one of the bot's formats, picked at random by how much its matches say there.
So a bot with one format has that format's rating, and a bot that is equally good and equally well
known in five has the same: more formats neither help nor harm. A format that was only just begun
has almost no weight, so trying one costs nothing. Formats that a bot never played do not count.
Every format's ladder starts its newcomers at 25.
"""

import math
from collections.abc import Mapping

from paddock_ladder.rating import BadRating, Parameters, Rating, check_rating


def overall(ratings: Mapping[str, Rating], parameters: Parameters) -> Rating:
    """The overall rating of a bot from its ratings by format."""
    if not ratings:
        raise BadRating("ratings: the list is empty; give the rating of at least one format")
    for rating in ratings.values():
        check_rating(rating)
    known = [rating for _, rating in sorted(ratings.items())]
    weights = [max(0.0, sigma**-2 - parameters.sigma**-2) for _, sigma in known]
    total = math.fsum(weights)
    if not total:  # nothing was played anywhere
        weights, total = [1.0] * len(known), float(len(known))
    pairs = list(zip(weights, known, strict=True))
    return Rating(
        math.fsum(weight * mu for weight, (mu, _) in pairs) / total,
        math.sqrt(math.fsum(weight * sigma**2 for weight, (_, sigma) in pairs) / total),
    )
