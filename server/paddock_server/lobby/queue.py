"""The queue of waiting matches, and the choice of those that can begin."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from typing import Final, TypeVar

from paddock_server.referee.plan import Plan

Q = TypeVar("Q", bound=dict[int, "Waiting"])
_LOOK_AT: Final = 100  # matches of a bot that has become free; those behind come up as it plays


@dataclass
class Waiting:
    """A match that waits for its bots."""

    number: int
    id: str
    plan: Plan
    bots: tuple[str, ...] = field(init=False)  # that are waited for, by seat
    missing: set[str] = field(default_factory=set)
    place: int = 0  # in the line of those that miss nobody

    def __post_init__(self) -> None:
        self.bots = self.plan.waited_for


class MatchQueue:
    """A fair wait queue of matches, by bot: when a bot comes or goes, only its matches change."""

    def __init__(self, present: Callable[[str, Waiting], bool]) -> None:
        self._present = present
        self._by_bot: dict[str, dict[int, Waiting]] = {}
        # Ordered dictionaries, because a plain one is slow to find its first after many deletions.
        self._line: OrderedDict[int, Waiting] = OrderedDict()
        self._line_of: dict[str, OrderedDict[int, Waiting]] = {}
        self._alone: dict[int, Waiting] = {}  # of house bots only: they wait for nobody
        self._all: dict[int, Waiting] = {}
        self._numbers: dict[str, int] = {}  # by id
        self._places = 0

    def __len__(self) -> int:
        return len(self._all)

    def add(self, waiting: Waiting) -> None:
        """Add a match."""
        self._all[waiting.number] = waiting
        self._numbers[waiting.id] = waiting.number
        if not waiting.bots:
            self._alone[waiting.number] = waiting
            return
        for bot in set(waiting.bots):
            self._by_bot.setdefault(bot, {})[waiting.number] = waiting
            if not self._present(bot, waiting):
                waiting.missing.add(bot)
        if not waiting.missing:
            self._join(waiting)

    def look_again(self, bot: str) -> None:
        """Update the matches of a bot that came, went, or began or ended its probation."""
        for waiting in self._by_bot.get(bot, {}).values():
            if self._present(bot, waiting):
                waiting.missing.discard(bot)
            else:
                waiting.missing.add(bot)
            in_line = waiting.number in self._line
            if waiting.missing and in_line:
                self._leave(waiting)
            elif not waiting.missing and not in_line:
                self._join(waiting)

    def of(self, bot: str) -> Iterator[Waiting]:
        """The waiting matches of a bot."""
        return iter(self._by_bot.get(bot, {}).values())

    def wanting(self, startable: Callable[[str, Waiting], bool]) -> Iterator[Waiting]:
        """The matches whose bots are all connected or can be started, the oldest first."""
        for waiting in self._all.values():
            if all(startable(bot, waiting) for bot in waiting.missing):
                yield waiting

    def __contains__(self, match_id: object) -> bool:
        """Whether a match waits."""
        return match_id in self._numbers

    def withdraw(self, match_id: str) -> int | None:
        """Remove a match; its number, or None where it does not wait."""
        number = self._numbers.get(match_id)
        if number is not None:
            self._remove(self._all[number])
        return number

    def take(
        self, free: Callable[[str], int], bots: Iterable[str] | None = None
    ) -> Iterator[Waiting]:
        """The matches that can begin now, taken out of the queue one by one.

        `free` says how many more matches a bot can play; taking a match reduces it. With `bots`
        only their matches are considered, so that the cost of a match's end does not grow with
        the queue.
        """
        while self._alone:
            first = next(iter(self._alone.values()))
            self._remove(first)
            yield first
        room = _Room(free)
        while self._line:
            first = next(iter(self._line.values()))
            fits = room.fits(first)
            # The first that has to wait keeps what is free for it, or those behind it would take
            # its bots one by one, and it would never begin.
            room.give(first)
            if not fits:
                break
            self._remove(first)
            yield first
        for waiting in self._lines(bots):
            if waiting.number in self._line and room.fits(waiting):
                room.give(waiting)
                self._remove(waiting)
                yield waiting

    def _lines(self, bots: Iterable[str] | None) -> Iterable[Waiting]:
        if bots is None:
            return islice(list(self._line.values()), 1, None)
        lines = [
            list(islice(self._line_of[bot].values(), _LOOK_AT))
            for bot in bots
            if bot in self._line_of
        ]
        return merge(*lines, key=lambda waiting: waiting.place)

    def _join(self, waiting: Waiting) -> None:
        self._places += 1
        waiting.place = self._places
        self._line[waiting.number] = waiting
        for bot in set(waiting.bots):
            self._line_of.setdefault(bot, OrderedDict())[waiting.number] = waiting

    def _leave(self, waiting: Waiting) -> None:
        del self._line[waiting.number]
        for bot in set(waiting.bots):
            _drop(self._line_of, bot, waiting.number)

    def _remove(self, waiting: Waiting) -> None:
        del self._all[waiting.number]
        del self._numbers[waiting.id]
        self._alone.pop(waiting.number, None)
        if waiting.number in self._line:
            self._leave(waiting)
        for bot in set(waiting.bots):
            _drop(self._by_bot, bot, waiting.number)


class _Room(dict[str, int]):
    """A cache of how many more matches each bot can play."""

    def __init__(self, free: Callable[[str], int]) -> None:
        super().__init__()
        self._free = free

    def __missing__(self, bot: str) -> int:
        self[bot] = self._free(bot)
        return self[bot]

    def fits(self, waiting: Waiting) -> bool:
        return all(self[bot] > 0 for bot in waiting.bots)

    def give(self, waiting: Waiting) -> None:
        for bot in set(waiting.bots):
            self[bot] -= 1


def _drop(by_bot: dict[str, Q], bot: str, number: int) -> None:
    del by_bot[bot][number]
    if not by_bot[bot]:
        del by_bot[bot]
