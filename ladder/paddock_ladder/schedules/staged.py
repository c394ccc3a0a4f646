"""Schedules whose rounds depend on the rounds before: what Swiss and knockout have in common."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from paddock_ladder.schedules.entry import Entry, Seating
from paddock_ladder.schedules.pairing import (
    Next,
    Outcome,
    Pairing,
    by_key,
    refuse_unknown,
    split,
)
from paddock_ladder.schedules.placing import Criterion, Placed
from paddock_ladder.schedules.tables import round_pairings

Tables: TypeAlias = tuple[tuple[str, ...], ...]
"""Who sits together in a round."""


class Stage(NamedTuple):
    """A round that is over."""

    tables: Tables
    outcomes: tuple[Outcome, ...]  # in the order of the pairings


Past: TypeAlias = tuple[Stage, ...]


class Staged(ABC):
    """Rounds one after another; a round is made when all outcomes of those before are there."""

    criteria: tuple[Criterion, ...]

    def __init__(self, entry: Entry, seating: Seating) -> None:
        self.entry = entry
        self.seating = seating
        # By round, the tables last made and from what. Replaying is pure, this only saves time.
        self._made: dict[int, tuple[Past, Tables]] = {}

    @abstractmethod
    def tables_after(self, past: Past) -> Tables:
        """The tables of the round after these; none when the tournament is over."""

    @abstractmethod
    def planned(self) -> int:
        """How many matches there will be in all."""

    @abstractmethod
    def places_after(self, past: Past, current: Sequence[Outcome]) -> tuple[Placed, ...]:
        """All bots, the best placed first; `current` is what is over of the round under way."""

    def next(self, history: Sequence[Outcome]) -> Next:
        """What is left of the round under way."""
        waiting, _, _ = self._replay(history)
        return Next(tuple(waiting), not waiting)

    def places(self, history: Sequence[Outcome]) -> tuple[Placed, ...]:
        """All bots, the best placed first."""
        _, past, current = self._replay(history)
        return self.places_after(past, current)

    def _replay(self, history: Sequence[Outcome]) -> tuple[list[Pairing], Past, list[Outcome]]:
        """What is to be played now, the rounds that are over, what is over of the present one."""
        results = by_key(history)
        past: Past = ()
        while True:
            number = len(past) + 1
            tables = self._tables(number, past)
            pairings = round_pairings(self.entry, self.seating, number, tables)
            waiting, over = split(pairings, results)
            if waiting or not tables:
                # If a match of an earlier round was voided, later rounds wait until it is replayed.
                refuse_unknown(
                    key for key, late in results.items() if not tables or late.round <= number
                )
                return waiting, past, over
            past = (*past, Stage(tables, tuple(over)))

    def _tables(self, number: int, past: Past) -> Tables:
        made = self._made.get(number)
        if made is None or made[0] != past:
            made = self._made[number] = (past, self.tables_after(past))
        return made[1]
