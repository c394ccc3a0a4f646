"""Pairings and outcomes: what a schedule wants, and what it learns."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from paddock_ladder.schedules.errors import BadSchedule


class Pairing(NamedTuple):
    """A match that is to be played."""

    key: str  # names it within its tournament for good: the same history gives the same key
    format: str
    bots: tuple[str, ...]  # by seat
    block: str  # matches of one block share a deal; a match without rotations is a block of its own
    round: int  # from 1


class Outcome(NamedTuple):
    """A match of this tournament that is over."""

    key: str
    format: str
    bots: tuple[str, ...]  # by seat
    ranks: tuple[int, ...]  # 1 is best, equals share (1, 1, 3)
    totals: tuple[int, ...]
    block: str
    round: int
    declared: bool  # not played: decided by rule because a bot was away
    forfeits: tuple[bool, ...] = ()  # by seat; empty: nobody forfeited

    @property
    def pairing(self) -> Pairing:
        """The match that it is the outcome of."""
        return Pairing(self.key, self.format, self.bots, self.block, self.round)


class Next(NamedTuple):
    """The answer of a schedule: the matches that may be played now."""

    pairings: tuple[Pairing, ...]  # all that may be under way now, without those that are over
    done: bool  # nothing will follow any more
    forfeits: tuple[Outcome, ...] = ()  # matches with bots that left: declared, unless they began


class Schedule(Protocol):
    """A schedule: who plays whom, as a pure function of the matches that are over."""

    @property
    def early(self) -> bool:
        """Whether it can go on, or end, while matches are under way: at the end of any block.

        The others wait until a format has nothing under way, which is cheaper to find out.
        """

    def next(self, history: Sequence[Outcome]) -> Next:
        """What may be under way now; the order of the history makes no difference."""

    def planned(self) -> int | None:
        """How many matches there will be in all; None where there is no end."""


def declare(pairing: Pairing, away: Collection[str]) -> Outcome:
    """The outcome of a match that is not played because these bots are away.

    Who is there shares the first place, who is away the last; nobody has points.
    """
    missing = sorted(set(away) - set(pairing.bots))
    if missing or not away:
        problem = f"{', '.join(missing)} not in the match" if missing else "no bot is named"
        raise BadSchedule(
            "away", f"{problem}; name bots of {pairing.key}: {', '.join(pairing.bots)}"
        )
    last = len(pairing.bots) - len(set(away)) + 1
    ranks = tuple(last if bot in away else 1 for bot in pairing.bots)
    totals = (0,) * len(ranks)
    return Outcome(
        key=pairing.key,
        format=pairing.format,
        bots=pairing.bots,
        ranks=ranks,
        totals=totals,
        block=pairing.block,
        round=pairing.round,
        declared=True,
    )


def next_of(waiting: Iterable[Pairing], gone: Collection[str]) -> Next:
    """What follows while these matches wait: those with bots that left are not to be played."""
    pairings: list[Pairing] = []
    forfeits: list[Outcome] = []
    for pairing in waiting:
        left = gone and {bot for bot in pairing.bots if bot in gone}
        if left:
            forfeits.append(declare(pairing, left))
        else:
            pairings.append(pairing)
    return Next(tuple(pairings), not pairings and not forfeits, tuple(forfeits))


def by_key(history: Iterable[Outcome]) -> dict[str, Outcome]:
    """The outcomes by their keys, in the order of the keys; no key may come twice."""
    outcomes: dict[str, Outcome] = {}
    for outcome in sorted(history):
        if outcome.key in outcomes:
            raise BadSchedule("history", f"{outcome.key} has two outcomes; give one for each match")
        if not len(outcome.bots) == len(outcome.ranks) == len(outcome.totals):
            raise BadSchedule(
                "history", f"{outcome.key} must have one rank and one total for every seat"
            )
        outcomes[outcome.key] = outcome
    return outcomes


def split(
    pairings: Iterable[Pairing], results: dict[str, Outcome]
) -> tuple[list[Pairing], list[Outcome]]:
    """The pairings that are still to be played, and the outcomes of the others.

    Those outcomes are taken out of `results`, so that what is left in it belongs elsewhere.
    """
    waiting, over = [], []
    for pairing in pairings:
        outcome = results.pop(pairing.key, None)
        if outcome is None:
            waiting.append(pairing)
            continue
        if (outcome.format, outcome.bots, outcome.block) != (
            pairing.format, pairing.bots, pairing.block,
        ):  # fmt: skip
            raise BadSchedule(
                "history",
                f"{pairing.key} was played by {', '.join(outcome.bots)} but is now a match of "
                f"{', '.join(pairing.bots)}: was the tournament changed after it began?",
            )
        over.append(outcome)
    return waiting, over


def refuse_unknown(results: Iterable[str]) -> None:
    """Refuse outcomes that no pairing asked for."""
    for key in results:
        raise BadSchedule("history", f"{key} is not a match of this tournament; leave it out")
