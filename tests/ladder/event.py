"""An event by lot: a tournament in which bots come late, leave, and results are corrected."""

from collections.abc import Iterator, Mapping
from random import Random

from paddock_ladder.schedules import (
    BadSchedule,
    Change,
    Correction,
    Departure,
    Entries,
    LateEntry,
    Next,
    Outcome,
    Pairing,
    Together,
)
from paddock_ladder.schedules.changes import departed, everybody
from tests.ladder.tournament import made, over


class Event:
    """What an organiser's server knows: the entry with its changes, what began, what is over."""

    def __init__(self, schedule: str, entry: Entries, seed: int) -> None:
        self.name = schedule
        self.entry = entry
        self.history: dict[str, Outcome] = {}
        self.waiting: dict[str, Pairing] = {}
        self.void: list[Outcome] = []  # what counts no more
        self._rounds: dict[str, int] = {}
        self._rng = Random(seed)

    @property
    def schedule(self) -> Together:
        """The schedule, made afresh."""
        return made(self.name, self.entry)

    @property
    def gone(self) -> frozenset[str]:
        return departed(self.entry.changes)

    def next(self) -> Next:
        return self.schedule.next(list(self.history.values()))

    def submit(self) -> Next:
        """Take up all that may be played now, and declare what bots that left can't play."""
        now = self.next()
        for pairing in now.pairings:
            self.waiting[pairing.key] = pairing
            self._rounds[pairing.format] = max(self._rounds.get(pairing.format, 0), pairing.round)
        for outcome in now.forfeits:
            if self._rng.random() < 0.2 and outcome.key in self.waiting:  # it had begun
                self.history[outcome.key] = over(self.waiting.pop(outcome.key), self._rng.random())
            else:
                self.history[outcome.key] = outcome
                self.waiting.pop(outcome.key, None)
        return now

    def play(self, changes: float = 0.1) -> Iterator[Change | None]:
        """Until it is over: a match at a time, and now and then a change, which is given."""
        for _ in range(3000):
            now = self.submit()
            if now.done:
                return
            change = self._change() if self._rng.random() < changes else None
            if change is not None and self.take(change):
                yield change
            elif self.waiting:
                key = self._rng.choice(sorted(self.waiting))
                self.history[key] = over(self.waiting.pop(key), self._rng.random())
                yield None
        raise AssertionError("it has no end")

    def take(self, change: Change) -> bool:
        """Whether the schedule takes this change; it then counts."""
        changed = self.entry._replace(changes=(*self.entry.changes, change))
        try:
            made(self.name, changed)
        except BadSchedule:
            return False
        self.entry = changed
        if isinstance(change, Correction):
            self.void.append(self.history.pop(change.was.key))
        return True

    @property
    def rounds(self) -> Mapping[str, int]:
        """The rounds made by now, by format."""
        return dict(self._rounds)

    def _change(self) -> Change | None:
        bots = everybody(self.entry.bots, self.entry.changes)
        kind = self._rng.choice(["late", "left", "disqualified", "corrected"])
        if kind == "late":
            return LateEntry(f"bot{len(bots):02}", self.rounds) if len(bots) < 14 else None
        if kind == "corrected":
            if not self.history or len(self.void) > 5:
                return None
            return Correction(self._rng.choice(sorted(self.history.values())), self.rounds)
        return Departure(self._rng.choice(bots), self.rounds, kind == "disqualified")
