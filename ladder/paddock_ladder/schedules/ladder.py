"""The ladder: tables without an end, by match quality and uncertainty, so that nobody starves."""

from collections.abc import Callable, Mapping, Sequence
from heapq import nsmallest
from random import Random
from typing import NamedTuple, TypeAlias

from paddock_ladder.rating import Rating
from paddock_ladder.schedules.entry import Seating
from paddock_ladder.schedules.errors import BadSchedule

NEAREST = 24  # candidates for a seat whose quality is looked at, by distance in rating
VARIETY = 0.5  # how far chance may move a candidate's worth, so that equals don't always meet


Quality: TypeAlias = Callable[[Sequence[Rating]], float]
"""How good a match these would have, from 0 to 1."""


class Candidate(NamedTuple):
    """A bot that has time for a match."""

    bot: str
    owner: str
    ratings: Mapping[str, Rating]  # by format; it plays those alone
    waited: int  # calls in a row that did not seat it, 0 if the last one did or it is new
    played: int = 0  # matches lately


class Table(NamedTuple):
    """A match that the ladder wants."""

    format: str
    bots: tuple[str, ...]  # by seat


def pair(
    pool: Sequence[Candidate],
    formats: Sequence[Seating],
    quality: Quality,
    tables: int,
    seed: int,
    *,
    owners_may_meet: bool = False,
) -> tuple[Table, ...]:
    """At most so many tables, nobody at two of them; the order of the pool makes no difference.

    The first seat of a table is for who waited longest (then: who played least lately, who is
    least known). So of those who can be seated at all the one with the longest wait always is, and
    in a pool of n everybody plays within n calls. The others at the table are chosen one by one:
    the quality of the match, more for those who waited and those who are little known, and a bit
    of chance. A pool too thin for a full table makes a smaller one, down to what the format takes.
    """
    if len({candidate.bot for candidate in pool}) < len(pool):
        raise BadSchedule("pool", "a bot is in it twice; give every bot once")
    rng = Random(f"paddock ladder {seed}")
    by_name = sorted(pool, key=lambda candidate: candidate.bot)
    lots = {candidate.bot: rng.random() for candidate in by_name}
    queue = sorted(by_name, key=lambda one: (-one.waited, one.played, -_doubt(one), lots[one.bot]))
    free = {candidate.bot: candidate for candidate in queue}
    made: list[Table] = []
    for first in queue:
        if len(made) >= tables:
            break
        if first.bot not in free:
            continue
        # A bot's formats take turns, by chance, but one that has no company now is passed over.
        turns = {seating.format: rng.random() for seating in formats}
        for seating in sorted(formats, key=lambda one: (turns[one.format], one.format)):
            if seating.format not in first.ratings:
                continue
            company = _company(first, free, seating, quality, lots, owners_may_meet)
            if company:
                for one in company:
                    del free[one.bot]
                company.sort(key=lambda one: (rng.random(), one.bot))
                made.append(Table(seating.format, tuple(one.bot for one in company)))
                break
    return tuple(made)


def _doubt(candidate: Candidate) -> float:
    return max((rating.sigma for rating in candidate.ratings.values()), default=0.0)


def _company(
    first: Candidate,
    free: Mapping[str, Candidate],
    seating: Seating,
    quality: Quality,
    lots: Mapping[str, float],
    owners_may_meet: bool,
) -> list[Candidate]:
    """Who sits at a table with `first`, itself included; nobody where there are too few."""
    name, seats, least = seating
    seated = [first]
    rest = [
        one
        for one in free.values()
        if one is not first
        and name in one.ratings
        and (owners_may_meet or one.owner != first.owner)
    ]
    most_doubt = max([one.ratings[name].sigma for one in (first, *rest)]) or 1.0
    while rest and len(seated) < seats:
        ratings = [one.ratings[name] for one in seated]
        centre = sum(rating.mu for rating in ratings) / len(ratings)

        def worth(one: Candidate, ratings: Sequence[Rating] = ratings) -> float:
            new = one.ratings[name]
            chance = 1 - VARIETY / 2 + VARIETY * lots[one.bot]
            known = quality([*ratings, new]) * (1 + new.sigma / most_doubt)
            return known * (1 + one.waited) * chance

        near = [
            one
            for _, _, one in nsmallest(
                NEAREST, [(abs(one.ratings[name].mu - centre), one.bot, one) for one in rest]
            )
        ]
        waiting = max(rest, key=lambda one: (one.waited, one.bot))
        best = max(
            near if waiting in near else [*near, waiting], key=lambda one: (worth(one), one.bot)
        )
        seated.append(best)
        rest = [
            one for one in rest if one is not best and (owners_may_meet or one.owner != best.owner)
        ]
    return seated if len(seated) >= least else []
