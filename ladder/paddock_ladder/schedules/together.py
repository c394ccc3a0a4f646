"""Several formats in one tournament: each has its own schedule, and they run side by side."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Protocol, TypeAlias

from paddock_ladder.schedules.changes import departed, everybody
from paddock_ladder.schedules.entries import Entries, Seating
from paddock_ladder.schedules.pairing import Next, Outcome, Schedule, refuse_unknown
from paddock_ladder.schedules.placing import PLACES, Criterion, Placed, placed


class Placing(Protocol):
    """A placing of bots: the schedule of one format, or of all together."""

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """What decides places, the first before the second."""

    def places(self, history: Sequence[Outcome]) -> tuple[Placed, ...]:
        """All bots, the best placed first, as it stands."""


class Contest(Schedule, Placing, Protocol):
    """A schedule that places its bots."""


Maker: TypeAlias = Callable[[Entries, Seating], Contest]
"""Makes the schedule of one format."""


class Together:
    """The schedules of all formats of a tournament; none waits for another."""

    def __init__(self, entries: Entries, make: Maker) -> None:
        self.by_format: Mapping[str, Contest] = {
            seating.format: make(entries, seating) for seating in entries.formats
        }
        first, *others = self.by_format.values()
        self.criteria: tuple[Criterion, ...] = (PLACES,) if others else first.criteria
        self._bots = everybody(entries.bots, entries.changes)
        self._disqualified = departed(entries.changes, disqualified=True)

    @property
    def early(self) -> bool:
        """Whether any format can go on while its matches are under way."""
        return any(schedule.early for schedule in self.by_format.values())

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

    def places(self, history: Sequence[Outcome]) -> tuple[Placed, ...]:
        """By the sum of the places in all formats; with one format by its own rule.

        Whoever is disqualified is last.
        """
        tables = [schedule.places(outcomes) for schedule, outcomes in self._split(history)]
        if len(tables) == 1:
            return tables[0]
        sums = dict.fromkeys(self._bots, 0)
        for line in chain(*tables):
            sums[line.bot] += line.place
        numbers = {bot: (total,) for bot, total in sums.items()}
        return placed(self.criteria, numbers, self._disqualified)

    def _split(self, history: Sequence[Outcome]) -> list[tuple[Contest, list[Outcome]]]:
        by_format: dict[str, list[Outcome]] = {name: [] for name in self.by_format}
        for outcome in history:
            if outcome.format not in by_format:
                refuse_unknown([outcome.key])
            by_format[outcome.format].append(outcome)
        return [(self.by_format[name], outcomes) for name, outcomes in by_format.items()]
