"""Schedules that are known from the start: round robin and gauntlet."""

from collections.abc import Sequence

from paddock_ladder.schedules.entry import Entry, Seating
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.groups import groups_of, in_rounds
from paddock_ladder.schedules.pairing import (
    Next,
    Outcome,
    Pairing,
    by_key,
    refuse_unknown,
    split,
)
from paddock_ladder.schedules.placing import BY_SCORE, Placed, by_score
from paddock_ladder.schedules.tables import matches_of, refuse_too_many, round_pairings


class Fixed:
    """Tables that don't depend on how others ended: all of them may be under way at once."""

    criteria = BY_SCORE

    def __init__(
        self, entry: Entry, seating: Seating, rounds: Sequence[Sequence[Sequence[str]]]
    ) -> None:
        refuse_too_many(sum(matches_of(len(t), entry) for tables in rounds for t in tables))
        self._bots = entry.bots
        self._pairings: list[Pairing] = []
        for number, tables in enumerate(rounds, start=1):
            self._pairings += round_pairings(entry, seating, number, tables)

    def next(self, history: Sequence[Outcome]) -> Next:
        """All matches that are not over, in the order in which to begin them."""
        results = by_key(history)
        waiting, _ = split(self._pairings, results)
        refuse_unknown(results)
        return Next(tuple(waiting), not waiting)

    def planned(self) -> int:
        """How many matches there will be in all."""
        return len(self._pairings)

    def places(self, history: Sequence[Outcome]) -> tuple[Placed, ...]:
        """By mean score, then mean point share."""
        return by_score(self._bots, history)


def round_robin(entry: Entry, seating: Seating) -> Fixed:
    """Every group of the field equally often, or a balanced sample of the groups."""
    field = entry.bots
    rounds = in_rounds(len(field), groups_of(len(field), seating.seats, entry.groups))
    return Fixed(
        entry, seating, [[[field[bot] for bot in group] for group in now] for now in rounds]
    )


def gauntlet(entry: Entry, seating: Seating) -> Fixed:
    """One bot against every group of the others, or a balanced sample; each group is a round."""
    challenger = entry.challenger
    if challenger is None:
        raise BadSchedule("challenger", "nobody is named; name the bot that meets the field")
    if challenger not in entry.bots:
        raise BadSchedule("challenger", f"{challenger} is not among the bots; add it to them")
    field = [bot for bot in entry.bots if bot != challenger]
    groups = groups_of(len(field), seating.seats - 1, entry.groups)
    rounds = [[[challenger, *(field[bot] for bot in group)]] for group in groups]
    return Fixed(entry, seating, rounds)
