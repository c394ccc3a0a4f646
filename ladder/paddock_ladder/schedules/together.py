"""Several formats in one tournament: each has its own schedule, and they run side by side."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from paddock_ladder.schedules.changes import departed, everybody, last
from paddock_ladder.schedules.entry import Entry, Seating
from paddock_ladder.schedules.pairing import Next, Outcome, Schedule, refuse_unknown

Maker: TypeAlias = Callable[[Entry, Seating], Schedule]
"""Makes the schedule of one format."""


class Together:
    """The schedules of all formats of an entry; none waits for another."""

    def __init__(self, entry: Entry, make: Maker) -> None:
        self.by_format: Mapping[str, Schedule] = {
            seating.format: make(entry, seating) for seating in entry.formats
        }
        self._bots = everybody(entry.bots, entry.changes)
        self._disqualified = departed(entry.changes, disqualified=True)

    def next(self, history: Sequence[Outcome]) -> Next:
        """What may be under way now in all formats, round by round."""
        answers = [schedule.next(outcomes) for schedule, outcomes in self._split(history)]
        pairings = [pairing for answer in answers for pairing in answer.pairings]
        pairings.sort(key=lambda pairing: pairing.round)  # keeps each format's own order
        forfeits = tuple(outcome for answer in answers for outcome in answer.forfeits)
        return Next(tuple(pairings), all(answer.done for answer in answers), forfeits)

    def planned(self) -> int | None:
        """How many matches there will be in all."""
        numbers = [schedule.planned() for schedule in self.by_format.values()]
        known = [number for number in numbers if number is not None]
        return sum(known) if len(known) == len(numbers) else None

    def places(self, history: Sequence[Outcome]) -> tuple[str, ...]:
        """By the sum of the places in all formats, then seeding; who is disqualified is last."""
        sums = dict.fromkeys(self._bots, 0)
        for schedule, outcomes in self._split(history):
            for place, bot in enumerate(schedule.places(outcomes), start=1):
                sums[bot] += place
        return last(sorted(self._bots, key=lambda bot: sums[bot]), self._disqualified)

    def _split(self, history: Sequence[Outcome]) -> list[tuple[Schedule, list[Outcome]]]:
        by_format: dict[str, list[Outcome]] = {name: [] for name in self.by_format}
        for outcome in history:
            if outcome.format not in by_format:
                refuse_unknown([outcome.key])
            by_format[outcome.format].append(outcome)
        return [(self.by_format[name], outcomes) for name, outcomes in by_format.items()]
