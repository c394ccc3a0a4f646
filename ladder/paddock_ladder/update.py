"""The rating update of one match: from the ratings before it to the ratings after it.

The model is TrueSkill's. A bot's performance in a match is its strength, which may have drifted by
tau since the last one, plus luck of width beta. Who ranks above whom performed better by more than
the margin; bots that tie performed within the margin of each other. The update is the normal belief
closest to what is left of all beliefs once the ranking is known.

Without ties the seats form a chain, each with the next in rank (`paddock_ladder.chain`); those who
tie form a group of their own first (`paddock_ladder.ties`).
"""

import math
from collections.abc import Sequence

from paddock_ladder.chain import chain
from paddock_ladder.rating import BadRating, Parameters, Rating, check_rating
from paddock_ladder.ties import tied


def rate(
    ratings: Sequence[Rating], ranks: Sequence[int], parameters: Parameters
) -> tuple[Rating, ...]:
    """The ratings after a match, seat by seat: the lowest rank won, equal ranks tied.

    Seats that change places change nothing else, to the last bit; a forfeited seat is one that
    ranks below the others.
    """
    if len(ratings) != len(ranks) or len(ranks) < 2:
        raise BadRating(
            f"ranks: {len(ranks)} for {len(ratings)} ratings; "
            "a match has two seats or more and a rank for each"
        )
    for rating in ratings:
        check_rating(rating)
    # Ties are put in an order that does not depend on the seats; their order has no meaning.
    order = sorted(range(len(ranks)), key=lambda seat: (ranks[seat], ratings[seat]))
    drift, luck = parameters.tau**2, parameters.beta**2
    centre = ratings[order[0]].mu  # differences alone matter, and keep their digits
    means = [ratings[seat].mu - centre for seat in order]
    skills = [ratings[seat].sigma ** 2 + drift for seat in order]
    spreads = [skill + luck for skill in skills]
    sorted_ranks = [ranks[seat] for seat in order]
    if len(set(sorted_ranks)) == len(sorted_ranks):
        performed = chain(means, spreads, parameters.margin)
    else:
        performed = tied(means, spreads, sorted_ranks, parameters)
    rated = [ratings[0]] * len(order)
    for seat, skill, spread, (shift, left) in zip(order, skills, spreads, performed, strict=True):
        gain = skill / spread
        rated[seat] = Rating(
            ratings[seat].mu + gain * shift,
            math.sqrt(gain * luck + gain * gain * left),
        )
    return tuple(rated)
