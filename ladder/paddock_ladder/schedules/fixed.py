"""Schedules that are known from the start: round robin and gauntlet."""

from collections.abc import Sequence

from paddock_ladder.schedules.changes import without
from paddock_ladder.schedules.entries import Entries, Seating
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.groups import groups_of, in_rounds
from paddock_ladder.schedules.pairing import (
    Next,
    Outcome,
    Pairing,
    by_key,
    next_of,
    refuse_unknown,
    split,
)
from paddock_ladder.schedules.placing import BY_SCORE, Placed, by_score
from paddock_ladder.schedules.tables import matches_of, refuse_too_many, round_pairings


class Fixed:
    """A schedule whose tables don't depend on results: all of them may be under way at once."""

    early = False  # all matches are wanted from the beginning
    criteria = BY_SCORE

    def __init__(
        self, entries: Entries, seating: Seating, rounds: Sequence[Sequence[Sequence[str]]]
    ) -> None:
        refuse_too_many(sum(matches_of(len(t), entries) for tables in rounds for t in tables))
        self._roster = entries.roster(seating.format)
        self._pairings: list[Pairing] = []
        for number, tables in enumerate(rounds, start=1):
            self._pairings += round_pairings(entries, seating, number, tables)

    def next(self, history: Sequence[Outcome]) -> Next:
        """All matches that are not over, in the order in which to begin them."""
        results = by_key(history)
        waiting, _ = split(self._pairings, results)
        refuse_unknown(results)
        return next_of(waiting, self._roster.gone)

    def planned(self) -> int:
        """How many matches there will be in all."""
        return len(self._pairings)

    def places(self, history: Sequence[Outcome]) -> tuple[Placed, ...]:
        """By mean score, then mean point share; who is disqualified is last."""
        disqualified = self._roster.disqualified()
        counted = (without(outcome, disqualified) for outcome in history)
        return by_score(self._roster.bots, counted, disqualified)


def round_robin(entries: Entries, seating: Seating) -> Fixed:
    """Every group of the field equally often, or a balanced sample of the groups."""
    roster, seats = entries.roster(seating.format), seating.seats
    field = roster.at(1)
    rounds = [
        [[field[bot] for bot in group] for group in now]
        for now in in_rounds(len(field), groups_of(len(field), seats, entries.groups))
    ]
    share = _share(entries.groups, seats, len(field))
    for bot, there in roster.late.items():
        rounds += [[[bot, *mates]] for mates in _mates(bot, there, seats - 1, share)]
    return Fixed(entries, seating, rounds)


def gauntlet(entries: Entries, seating: Seating) -> Fixed:
    """One bot against every group of the others, or a balanced sample; each group is a round."""
    challenger = entries.challenger
    if challenger is None:
        raise BadSchedule(
            "challenger", "no challenger is named; name the bot that meets all others"
        )
    if challenger not in entries.bots:
        raise BadSchedule("challenger", f"{challenger} is not among the bots; add it to them")
    roster, seats = entries.roster(seating.format), seating.seats
    if challenger not in roster.at(1):
        raise BadSchedule("challenger", f"{challenger} has left; a gauntlet can't go on without it")
    field = [bot for bot in roster.at(1) if bot != challenger]
    groups = groups_of(len(field), seats - 1, entries.groups)
    rounds = [[[challenger, *(field[bot] for bot in group)]] for group in groups]
    share = _share(entries.groups, seats - 1, len(field))
    for bot, there in roster.late.items():
        if challenger not in there:
            raise BadSchedule("bots", f"{bot} can't enter: the challenger has left")
        others = [other for other in there if other != challenger]
        rounds += [[[challenger, bot, *mates]] for mates in _mates(bot, others, seats - 2, share)]
    return Fixed(entries, seating, rounds)


def _share(groups: int | None, size: int, bots: int) -> int | None:
    """In how many groups of a sample every bot is, nearly; None where all groups are played."""
    return None if groups is None else max(1, round(groups * size / bots))


def _mates(bot: str, there: Sequence[str], size: int, share: int | None) -> list[list[str]]:
    """The groups that a late entry plays with, of those who are there when it comes."""
    if len(there) < size:
        raise BadSchedule(
            "bots", f"{bot} can't enter: its table needs {size} others, and {len(there)} are left"
        )
    return [[there[mate] for mate in group] for group in groups_of(len(there), size, share)]
