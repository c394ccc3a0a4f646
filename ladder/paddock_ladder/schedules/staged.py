"""Schedules whose rounds depend on the rounds before: what Swiss and knockout have in common."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from paddock_ladder.schedules.changes import without
from paddock_ladder.schedules.entries import Entries, Seating
from paddock_ladder.schedules.pairing import (
    Next,
    Outcome,
    Pairing,
    by_key,
    next_of,
    refuse_unknown,
    split,
)
from paddock_ladder.schedules.placing import Criterion, Placed
from paddock_ladder.schedules.roster import NOW
from paddock_ladder.schedules.tables import round_pairings

Tables: TypeAlias = tuple[tuple[str, ...], ...]
"""Who sits together in a round."""


class Stage(NamedTuple):
    """A round that is over."""

    tables: Tables
    outcomes: tuple[Outcome, ...]  # in the order of the pairings


Past: TypeAlias = tuple[Stage, ...]


class Round(NamedTuple):
    """A round that another one follows."""

    tables: Tables
    pairings: Sequence[Pairing]


class Replay(NamedTuple):
    """The state of a schedule after a history."""

    waiting: list[Pairing]  # of the round under way, and what is played again of earlier ones
    past: Past  # the rounds that are over, as they count now
    current: list[Outcome]  # what is over of the round under way


class Staged(ABC):
    """A schedule of rounds; a round is made when all outcomes of the rounds before are there."""

    early = False  # a round waits for the one before it
    criteria: tuple[Criterion, ...]

    def __init__(self, entries: Entries, seating: Seating) -> None:
        self.entries = entries
        self.seating = seating
        self.roster = entries.roster(seating.format)
        # By round, the tables last made and from what. Replaying is pure, this only saves time.
        self._cached: dict[int, tuple[Past, Tables]] = {}

    @abstractmethod
    def tables_after(self, past: Past) -> Tables:
        """The tables of the round after these; none when the tournament is over."""

    @abstractmethod
    def planned(self) -> int:
        """How many matches there will be in all."""

    @abstractmethod
    def places_after(self, past: Past, current: Sequence[Outcome]) -> tuple[Placed, ...]:
        """All bots, the best placed first; `current` is what is over of the round under way."""

    @abstractmethod
    def counted_at(self, number: int, making: int) -> int:
        """As of which round the results of a round count, when a later one is made from them."""

    def next(self, history: Sequence[Outcome]) -> Next:
        """What is left of the round under way, and what is to be played again."""
        return next_of(self._replay(history).waiting, self.roster.gone)

    def places(self, history: Sequence[Outcome]) -> tuple[Placed, ...]:
        """All bots, the best placed first; who is disqualified is last."""
        _, past, current = self._replay(history)
        disqualified = self.roster.disqualified()
        return self.places_after(past, [without(outcome, disqualified) for outcome in current])

    def _replay(self, history: Sequence[Outcome]) -> Replay:
        """A round is made from what counted then: later changes leave its tables alone."""
        results = by_key(history)
        over: dict[str, Outcome] = {}
        rounds: list[Round] = []
        waiting: list[Pairing] = []
        while True:
            number = len(rounds) + 1
            past = self._past(rounds, over, number)
            # A corrected match of an earlier round is played again before a new round is made.
            whole = all(
                len(stage.outcomes) == len(finished.pairings)
                for stage, finished in zip(past, rounds, strict=True)
            )
            tables = self._tables(number, past) if whole else ()
            pairings = round_pairings(self.entries, self.seating, number, tables)
            left, done = split(pairings, results)
            waiting += left
            over.update((outcome.key, outcome) for outcome in done)
            if not tables or not all(self._moved_on(pairing, number, over) for pairing in pairings):
                # If a match of an earlier round was voided, later rounds wait until it is replayed.
                known = number if tables else number - 1 if not whole else NOW
                refuse_unknown(key for key, late in results.items() if late.round <= known)
                return Replay(waiting, self._past(rounds, over, NOW), done)
            rounds.append(Round(tables, pairings))

    def _moved_on(self, pairing: Pairing, number: int, over: Mapping[str, Outcome]) -> bool:
        return pairing.key in over or self.roster.was(pairing.key, number + 1) is not None

    def _past(self, rounds: Sequence[Round], over: Mapping[str, Outcome], making: int) -> Past:
        """The rounds as they counted when this one was made, without what is not over."""
        past = []
        for number, (tables, pairings) in enumerate(rounds, start=1):
            moment = self.counted_at(number, making)
            disqualified = self.roster.disqualified(moment)
            counted = [self.roster.was(p.key, moment) or over.get(p.key) for p in pairings]
            past.append(
                Stage(
                    tables, tuple(without(outcome, disqualified) for outcome in counted if outcome)
                )
            )
        return tuple(past)

    def _tables(self, number: int, past: Past) -> Tables:
        cached = self._cached.get(number)
        if cached is None or cached[0] != past:
            cached = self._cached[number] = (past, self.tables_after(past))
        return cached[1]
