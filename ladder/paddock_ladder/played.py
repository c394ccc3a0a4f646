"""Matches in a canonical order, whatever order they came in."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby, repeat
from math import fsum
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from paddock_ladder.rating import BadRating

Played: TypeAlias = tuple[Sequence[str], Sequence[int]]
"""The bots of a match by seat, and their ranks: the lowest won, equal ranks tied."""


class RankedResult(NamedTuple):
    """A result: the bots, best first, how many share each rank, how often it happened, and how
    much of each such match counts, in the mean."""

    bots: tuple[int, ...]
    sizes: tuple[int, ...]
    times: int
    part: float = 1.0


def in_order(
    matches: Iterable[Played], parts: Sequence[float] | None = None
) -> tuple[list[str], list[RankedResult]]:
    """The bots' names, sorted, and the matches, sorted, by the bots' numbers in that list.

    `parts` says how much of every match counts, from 0 to 1; all of it, if nothing is given.
    """
    played: defaultdict[tuple[tuple[str, ...], tuple[int, ...]], list[float]] = defaultdict(list)
    each = zip(matches, repeat(1.0) if parts is None else parts, strict=parts is not None)
    for number, ((bots, ranks), part) in enumerate(each, 1):
        if len(bots) != len(ranks) or len(bots) < 2 or len(set(bots)) < len(bots):
            raise BadRating(
                f"match {number}: bots {list(bots)}, ranks {list(ranks)}; "
                "a match has two different bots or more and a rank for each"
            )
        places = sorted(zip(ranks, bots, strict=True))
        if len(set(ranks)) == len(ranks):
            sizes = (1,) * len(ranks)
        else:
            sizes = tuple(len(list(some)) for _, some in groupby(places, key=itemgetter(0)))
        played[tuple([bot for _, bot in places]), sizes].append(part)
    names = sorted({bot for bots, _ in played for bot in bots})
    numbers = {name: number for number, name in enumerate(names)}
    return names, sorted(
        RankedResult(
            tuple([numbers[bot] for bot in bots]), sizes, len(some), fsum(some) / len(some)
        )
        for (bots, sizes), some in played.items()
    )
