"""Matches that wait: which of them could begin, given who is connected and has room."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Waiting:
    """A match that waits for its bots."""

    number: int
    format: str
    bots: tuple[str, ...]  # by seat; house bots are not waited for
    opening: Mapping[str, Any]
    trial: bool = False  # of a bot on probation
    missing: set[str] = field(default_factory=set)


class MatchQueue:
    """Waiting matches by bot, so that a bot's coming and going touches only its own."""

    def __init__(self, present: Callable[[str, Waiting], bool]) -> None:
        self._present = present
        self._by_bot: dict[str, dict[int, Waiting]] = {}
        self._ready: dict[int, Waiting] = {}
        self._alone: dict[int, Waiting] = {}  # of house bots only: they wait for nobody
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, waiting: Waiting) -> None:
        """Let a match wait."""
        self._count += 1
        if not waiting.bots:
            self._alone[waiting.number] = waiting
            return
        for bot in set(waiting.bots):
            self._by_bot.setdefault(bot, {})[waiting.number] = waiting
            if not self._present(bot, waiting):
                waiting.missing.add(bot)
        if not waiting.missing:
            self._ready[waiting.number] = waiting

    def look_again(self, bot: str) -> None:
        """A bot came, went, or changed its standing."""
        for waiting in self._by_bot.get(bot, {}).values():
            if self._present(bot, waiting):
                waiting.missing.discard(bot)
            else:
                waiting.missing.add(bot)
            if waiting.missing:
                self._ready.pop(waiting.number, None)
            else:
                self._ready[waiting.number] = waiting

    def of(self, bot: str) -> Iterator[Waiting]:
        """The matches that a bot waits for."""
        return iter(self._by_bot.get(bot, {}).values())

    def take(self, free: Callable[[str], int]) -> Iterator[Waiting]:
        """The matches that can begin now, taken out of the queue one by one.

        `free` tells how many more matches a bot can play; whoever takes a match changes that.
        """
        while self._alone:
            self._count -= 1
            yield self._alone.pop(next(iter(self._alone)))
        room = {bot: free(bot) for bot in self._by_bot}
        reserved = False
        for waiting in list(self._ready.values()):
            if not any(places > 0 for places in room.values()):
                return
            bots = set(waiting.bots)
            fits = all(room[bot] > 0 for bot in bots)
            if fits or not reserved:
                for bot in bots:
                    room[bot] -= 1
            if fits:
                self._remove(waiting)
                yield waiting
            else:
                # The first that has to wait keeps what is free for it, or those behind it would
                # take its bots one by one for ever.
                reserved = True

    def _remove(self, waiting: Waiting) -> None:
        self._count -= 1
        self._ready.pop(waiting.number, None)
        for bot in set(waiting.bots):
            mine = self._by_bot[bot]
            mine.pop(waiting.number, None)
            if not mine:
                del self._by_bot[bot]
