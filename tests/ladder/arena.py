"""A ladder without a server: its matchmaker, bots that only take time, a clock set by hand."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from paddock_ladder.rating import Parameters
from paddock_ladder.schedules import Seating
from paddock_ladder.schedules.ladder import Table
from paddock_ladder.schedules.matchmaker import Matchmaker, Present

TICK = 1.0  # seconds, after which a server looks again whether somebody waits


class Ended(NamedTuple):
    """A match that is over."""

    table: Table
    begun: float
    ended: float


class Arena:
    """Matches that end one by one; whoever has room is for the matchmaker to pair."""

    def __init__(
        self,
        present: Sequence[Present],
        formats: Sequence[Seating],
        seed: int,
        lasts: Callable[[Random], float] = lambda rng: rng.uniform(0.7, 1.3),
    ) -> None:
        self.present = list(present)
        self.matchmaker = Matchmaker(formats, Parameters(draw_probability=0.02))
        self.now = 0.0
        self._rng = Random(f"arena {seed}")
        self._lasts = lasts
        self._under_way: list[tuple[float, int, float, Table]] = []
        self._number = 0

    def matches(self, count: int) -> Iterator[Ended]:
        """So many matches, as they end."""
        over = 0
        tick = self.now
        while over < count:
            self._pair()
            if self._under_way and self._under_way[0][0] <= tick:
                self.now, _, begun, table = heapq.heappop(self._under_way)
                self.matchmaker.ended(table.bots)
                over += 1
                yield Ended(table, begun, self.now)
            else:
                self.now = tick
                tick += TICK

    def _pair(self) -> None:
        while tables := self.matchmaker.tables(
            self.present, 1_000_000, self.now, self._rng.getrandbits(64)
        ):
            for table in tables:
                self._number += 1
                end = self.now + self._lasts(self._rng)
                heapq.heappush(self._under_way, (end, self._number, self.now, table))


def bots(
    number: int, formats: Sequence[str] = ("summer",), at_once: int = 2, owners: int = 0
) -> list[Present]:
    """So many bots, each with an owner of its own unless there are fewer owners."""
    return [
        Present(f"bot{at:04}", f"owner{at % (owners or number)}", formats, at_once)
        for at in range(number)
    ]
