"""The tables of a round: their sizes, their matches and the records of their bots."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import zip_longest
from typing import Final, NamedTuple

from paddock_ladder.schedules.entries import Entries, Seating
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.pairing import Outcome, Pairing

MATCHES_AT_MOST: Final = 100_000  # of a format in a tournament


def table_sizes(bots: int, seats: int, least: int) -> tuple[int, ...]:
    """The sizes of a round's tables, larger ones first; who is left over has a bye.

    Tables of `seats` and of one less if everybody finds a seat so and one less is at least
    `least`; full tables and byes otherwise. Too few for one table sit at a smaller one if the
    format can be played so.
    """
    if least <= bots < seats:
        return (bots,)
    tables = -(-bots // seats)
    smaller = tables * seats - bots
    if smaller <= tables and (smaller == 0 or seats - 1 >= least):
        return (seats,) * (tables - smaller) + (seats - 1,) * smaller
    return (seats,) * (bots // seats)


def matches_of(size: int, entries: Entries) -> int:
    """How many matches a table of this size plays."""
    return entries.blocks * (size if entries.rotations else 1)


def refuse_too_many(matches: int) -> None:
    """Refuse a schedule that is too large to be meant, before it is made."""
    if matches > MATCHES_AT_MOST:
        raise BadSchedule(
            "schedule",
            f"{matches:,} matches are too many; the limit is {MATCHES_AT_MOST:,}; use fewer "
            "blocks, rounds or groups",
        )


def round_pairings(
    entries: Entries, seating: Seating, round_number: int, tables: Sequence[Sequence[str]]
) -> list[Pairing]:
    """The matches of a round: the first of every table, then the second of every table, ...

    In this order those that are begun together have different bots.
    """
    in_rows = zip_longest(
        *(
            _table_pairings(entries, seating, round_number, table, bots)
            for table, bots in enumerate(tables, start=1)
        )
    )
    return [pairing for row in in_rows for pairing in row if pairing is not None]


def _table_pairings(
    entries: Entries, seating: Seating, round_number: int, table: int, bots: Sequence[str]
) -> list[Pairing]:
    """The matches of one table: every deal in all rotations, or every deal once.

    Without rotations the seats move on by one with every deal, and with the round, so that nobody
    keeps a seat.
    """
    size = len(bots)
    here = f"{seating.format}/r{round_number}/t{table}"
    pairings: list[Pairing] = []
    for deal in range(entries.blocks):
        turns = range(size) if entries.rotations else [(round_number + table + deal) % size]
        for turn in turns:
            pairings.append(
                Pairing(
                    f"{here}/{len(pairings)}",
                    seating.format,
                    (*bots[turn:], *bots[:turn]),
                    f"{here}/b{deal}",
                    round_number,
                )
            )
    return pairings


@cache  # there are few ways to rank a table
def rank_scores(ranks: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The score by seat: 1 for the first place, 0 for the last, evenly between; equals share.

    A table's mean is one half whatever its size, so that tables of different sizes compare.
    """
    last = len(ranks) - 1
    return tuple(
        Fraction(
            2 * sum(other > rank for other in ranks) + sum(other == rank for other in ranks) - 1,
            2 * last,
        )
        for rank in ranks
    )


def point_shares(totals: Sequence[int]) -> tuple[Fraction, ...]:
    """The points by seat as multiples of the table's mean; 1 for all where nobody has points."""
    everything = sum(totals)
    if everything <= 0:
        return (Fraction(1),) * len(totals)
    return tuple(Fraction(len(totals) * total, everything) for total in totals)


class Record(NamedTuple):
    """The record of a bot over some matches, as exact numbers."""

    score: Fraction  # mean rank score of all matches, declared ones included
    share: Fraction  # mean point share of those that were played; 0 where none was


NOTHING: Final = Record(Fraction(), Fraction())
"""The record of a bot that has played nothing."""


def records(outcomes: Iterable[Outcome]) -> Mapping[str, Record]:
    """How every bot in these matches did."""
    scores: dict[str, list[Fraction]] = defaultdict(list)
    shares: dict[str, list[Fraction]] = defaultdict(list)
    for outcome in outcomes:
        for bot, score in zip(outcome.bots, rank_scores(outcome.ranks), strict=True):
            scores[bot].append(score)
        if not outcome.declared:
            for bot, share in zip(outcome.bots, point_shares(outcome.totals), strict=True):
                shares[bot].append(share)
    return {bot: Record(_mean(some), _mean(shares[bot])) for bot, some in scores.items()}


def _mean(some: Sequence[Fraction]) -> Fraction:
    return sum(some, Fraction()) / len(some) if some else Fraction()
