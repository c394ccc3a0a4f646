"""A duel: two bots head to head, by the matches that both played.

The measure is the difference of points. Matches of one block share their deal, so they are no
independent measurements: a block counts once, by its mean difference, from which the luck of the
deal is mostly gone. A match outside of blocks is a block of its own. Margins are Student's t: a
handful of blocks is the usual case, and with four a normal margin would be narrower by a third.
"""

import math
from collections.abc import Iterable
from statistics import fmean, stdev
from typing import Final, NamedTuple

from paddock_ladder.rating import BadRating
from paddock_ladder.student import t_chance, t_quantile

LEVEL: Final = 0.95


class Meeting(NamedTuple):
    """A match that both bots played: their points, and the block it belongs to."""

    mine: float
    theirs: float
    block: str | None = None


class Duel(NamedTuple):
    """The result of two bots' meetings, as the first bot sees it."""

    matches: int
    blocks: int  # independent measurements
    wins: int
    draws: int
    losses: int
    mean: float  # points per match
    error: float  # the standard error of that mean; infinite with fewer than two blocks
    margin: float  # the mean is that close to the truth, at LEVEL
    superiority: float  # the likelihood that the first is truly ahead


def duel(meetings: Iterable[Meeting], level: float = LEVEL) -> Duel:
    """Two bots head to head."""
    if not 0 < level < 1:
        raise BadRating(f"level: {level} is out of range; give a number between 0 and 1")
    wins = draws = losses = 0
    blocks: dict[str | int, list[float]] = {}
    for number, (mine, theirs, block) in enumerate(meetings):
        difference = mine - theirs
        if not math.isfinite(difference):
            raise BadRating(
                f"meeting {number + 1}: points {mine} and {theirs}; give finite numbers"
            )
        wins += difference > 0
        draws += difference == 0
        losses += difference < 0
        blocks.setdefault(number if block is None else block, []).append(difference)
    # Sorted, and summed exactly: meetings may come in any order.
    differences = sorted(math.fsum(some) / len(some) for some in blocks.values())
    mean = fmean(differences) if differences else 0.0
    error = margin = math.inf
    superiority = 0.5
    if len(differences) > 1:
        freedom = len(differences) - 1
        error = stdev(differences) / math.sqrt(len(differences))
        margin = error * t_quantile((1 + level) / 2, freedom)
        if error:
            superiority = t_chance(mean / error, freedom)
        elif mean:
            superiority = float(mean > 0)
    matches = wins + draws + losses
    return Duel(
        matches=matches,
        blocks=len(differences),
        wins=wins,
        draws=draws,
        losses=losses,
        mean=mean,
        error=error,
        margin=margin,
        superiority=superiority,
    )
