"""Schedules: who plays whom in a tournament, as pure functions of what was played.

entries = Entries(bots, (Seating("summer", 4, least=3),), blocks=2, rounds=7)
schedule = SCHEDULES["swiss"](entries)       # BadSchedule names the field that can't work
schedule.next(history).pairings            # play these, add their outcomes, ask again
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from paddock_ladder.schedules.changes import Change, Correction, Departure, LateEntry
from paddock_ladder.schedules.entries import Entries, Seating
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.fixed import gauntlet, round_robin
from paddock_ladder.schedules.knockout import Knockout
from paddock_ladder.schedules.pairing import Next, Outcome, Pairing, Schedule, declare
from paddock_ladder.schedules.swiss import Swiss
from paddock_ladder.schedules.together import Maker, Together

__all__ = [
    "SCHEDULES",
    "BadSchedule",
    "Change",
    "Correction",
    "Departure",
    "Entries",
    "LateEntry",
    "Next",
    "Outcome",
    "Pairing",
    "Schedule",
    "Seating",
    "Together",
    "declare",
]


def _constructor(make: Maker, *used: str) -> Callable[[Entries], Together]:
    def constructed(entries: Entries) -> Together:
        entries.check(*used)
        return Together(entries, make)

    return constructed


SCHEDULES: Final[Mapping[str, Callable[[Entries], Together]]] = MappingProxyType({
    "round-robin": _constructor(round_robin, "groups"),
    "swiss": _constructor(Swiss, "rounds"),
    "gauntlet": _constructor(gauntlet, "groups", "challenger"),
    "knockout": _constructor(Knockout, "advance"),
})  # fmt: skip
"""The schedules there are, by name; each makes one from entries or raises BadSchedule."""
