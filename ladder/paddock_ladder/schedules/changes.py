"""The changes of a tournament after it was entered: late entries, departures, corrections."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.pairing import Outcome

Rounds: TypeAlias = Mapping[str, int]
"""The number of rounds made when something changed, by format; 0 for a missing format."""


class LateEntry(NamedTuple):
    """A bot that enters after the others; it plays from the next round on."""

    bot: str
    after: Rounds


class Departure(NamedTuple):
    """A bot that withdraws or is disqualified; no later round has it."""

    bot: str
    after: Rounds
    disqualified: bool = False


class Correction(NamedTuple):
    """A result that counts no more; the rounds made by then were made from it and stand."""

    was: Outcome
    after: Rounds


Change: TypeAlias = LateEntry | Departure | Correction


def check_changes(bots: Sequence[str], changes: Iterable[Change]) -> None:
    """Refuse changes that contradict each other or the entries."""
    there, left, disqualified = set(bots), set[str](), set[str]()
    for change in changes:
        if isinstance(change, LateEntry):
            if change.bot in left:
                raise BadSchedule("bots", f"{change.bot} has left and can't enter again")
            if change.bot in there:
                raise BadSchedule("bots", f"{change.bot} is entered already")
            there.add(change.bot)
        elif isinstance(change, Departure):
            if change.bot not in there:
                raise BadSchedule("bots", f"{change.bot} is not entered")
            # Somebody who withdrew can still be disqualified for what was played before.
            if change.bot in (left if not change.disqualified else disqualified):
                raise BadSchedule("bots", f"{change.bot} has left already")
            left.add(change.bot)
            if change.disqualified:
                disqualified.add(change.bot)


def everybody(bots: Sequence[str], changes: Iterable[Change]) -> tuple[str, ...]:
    """All bots that were entered when play began or later, in seeding order; late ones are last.

    Who left before any round was made is not among them.
    """
    entered = list(bots)
    for change in changes:
        if isinstance(change, LateEntry):
            entered.append(change.bot)
        elif isinstance(change, Departure) and not any(change.after.values()):
            entered = [bot for bot in entered if bot != change.bot]
    return tuple(entered)


def departed(changes: Iterable[Change], *, disqualified: bool = False) -> frozenset[str]:
    """The bots that have left, all of them or those that were disqualified."""
    return frozenset(
        change.bot
        for change in changes
        if isinstance(change, Departure) and (change.disqualified or not disqualified)
    )


def corrected(changes: Iterable[Change]) -> frozenset[str]:
    """The keys of the matches whose first results count no more."""
    return frozenset(change.was.key for change in changes if isinstance(change, Correction))


def without(outcome: Outcome, disqualified: Collection[str]) -> Outcome:
    """The outcome with these bots in the last place and the others moved up; points stay."""
    if not any(bot in disqualified for bot in outcome.bots):
        return outcome
    seats = list(zip(outcome.bots, outcome.ranks, strict=True))
    rest = [rank for bot, rank in seats if bot not in disqualified]
    ranks = tuple(
        len(rest) + 1 if bot in disqualified else 1 + sum(other < rank for other in rest)
        for bot, rank in seats
    )
    return outcome._replace(ranks=ranks)
