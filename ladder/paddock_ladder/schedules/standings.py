"""The standing of a tournament: how everybody did, how sure that is, and who beat whom."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from paddock_ladder.blocks import Estimate, estimate
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.pairing import Outcome, by_key
from paddock_ladder.schedules.tables import point_shares, rank_scores


class BotStanding(NamedTuple):
    """A line of a tournament's standing; the errors count blocks, not matches."""

    bot: str
    played: int
    declared: int
    score: Estimate  # mean rank score (1 first, 0 last) of all matches, declared ones included
    points: Estimate  # mean points of those played
    share: Estimate  # mean points of those played, as multiples of the table's mean


def standings(bots: Sequence[str], history: Iterable[Outcome]) -> tuple[BotStanding, ...]:
    """Everybody's line, in the order of the bots as given.

    Points of different formats don't compare: give one format's history, or look at the share.
    """
    scores: dict[str, dict[str, list[float]]] = {bot: defaultdict(list) for bot in bots}
    points: dict[str, dict[str, list[float]]] = {bot: defaultdict(list) for bot in bots}
    shares: dict[str, dict[str, list[float]]] = {bot: defaultdict(list) for bot in bots}
    declared = dict.fromkeys(bots, 0)
    for outcome in by_key(history).values():
        ranked = rank_scores(outcome.ranks)
        shared = point_shares(outcome.totals)
        for seat, bot in enumerate(outcome.bots):
            if bot not in declared:
                raise _unnamed(bot, outcome)
            scores[bot][outcome.block].append(float(ranked[seat]))
            if outcome.declared:
                declared[bot] += 1
            else:
                points[bot][outcome.block].append(float(outcome.totals[seat]))
                shares[bot][outcome.block].append(float(shared[seat]))
    return tuple(
        BotStanding(
            bot=bot,
            played=sum(map(len, points[bot].values())),
            declared=declared[bot],
            score=estimate(scores[bot].values()),
            points=estimate(points[bot].values()),
            share=estimate(shares[bot].values()),
        )
        for bot in bots
    )


def cross_table(
    bots: Sequence[str], history: Iterable[Outcome]
) -> Mapping[tuple[str, str], Estimate]:
    """The mean points of one bot less another's where both sat at the table, both ways round.

    Pairs that never met in a match that was played are left out.
    """
    differences: dict[tuple[str, str], dict[str, list[float]]] = {
        pair: defaultdict(list) for pair in permutations(bots, 2)
    }
    for outcome in by_key(history).values():
        if not outcome.declared:
            seats = zip(outcome.bots, outcome.totals, strict=True)
            for (one, points), (other, others) in permutations(seats, 2):
                if (one, other) not in differences:
                    raise _unnamed(one if one not in bots else other, outcome)
                differences[one, other][outcome.block].append(float(points - others))
    return {pair: estimate(blocks.values()) for pair, blocks in differences.items() if blocks}


def _unnamed(bot: str, outcome: Outcome) -> BadSchedule:
    return BadSchedule("bots", f"{bot} played {outcome.key}; name it with the others")
