"""The roster of a format: who is in which round, and which results counted when it was made."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from paddock_ladder.schedules.changes import (
    Change,
    Correction,
    Departure,
    LateEntry,
    departed,
    everybody,
)
from paddock_ladder.schedules.pairing import Outcome

NOW: Final = 1 << 30
"""As a round: behind all rounds, so that every change counts."""


class Roster:
    """The bots of one format, round by round."""

    def __init__(self, bots: Sequence[str], changes: Sequence[Change], format_name: str) -> None:
        self.bots = everybody(bots, changes)  # in seeding order
        self.gone = departed(changes)
        self.late: dict[str, tuple[str, ...]] = {}  # who entered in play, and who was there then
        self._first = dict.fromkeys(bots, 1)  # the round that a bot is in first
        self._last: dict[str, int] = {}
        self._disqualified: dict[str, int] = {}  # the last round that did not know of it
        self._was: dict[str, list[tuple[int, Outcome]]] = defaultdict(list)
        for change in changes:
            after = change.after.get(format_name, 0)
            if isinstance(change, LateEntry):
                if after:
                    self.late[change.bot] = tuple(
                        bot for bot in self._first if bot not in self._last
                    )
                self._first[change.bot] = after + 1
            elif isinstance(change, Departure):
                self._last.setdefault(change.bot, after)
                if change.disqualified:
                    self._disqualified[change.bot] = after
            elif isinstance(change, Correction):
                self._was[change.was.key].append((after, change.was))

    def at(self, number: int) -> list[str]:
        """Who was in when this round was made, in seeding order."""
        return [bot for bot in self.bots if self._first[bot] <= number <= self._last.get(bot, NOW)]

    @property
    def settled(self) -> int:
        """The first round from which on nobody comes or goes."""
        return max(1, *self._first.values(), *(after + 1 for after in self._last.values()))

    def disqualified(self, number: int = NOW) -> frozenset[str]:
        """Who was disqualified when this round was made."""
        return frozenset(bot for bot, after in self._disqualified.items() if after < number)

    def was(self, key: str, number: int) -> Outcome | None:
        """The result of a match that counted when this round was made and was corrected later."""
        for after, outcome in self._was.get(key, ()):
            if number <= after:
                return outcome
        return None
