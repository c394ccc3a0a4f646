"""A ladder without a server: its matchmaker, bots that only take time, a clock set by hand."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from paddock_ladder.rating import Parameters
from paddock_ladder.schedules import Seating
from paddock_ladder.schedules.ladder import Lineup
from paddock_ladder.schedules.matchmaker import Matchmaker, Present, RatedFormat
from paddock_ladder.update import rate
from tests.ladder.reference import PARAMETERS, ranking

TICK = 1.0  # seconds, after which a server looks again whether somebody waits


class Ended(NamedTuple):
    """A match that is over."""

    table: Lineup
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
        *,
        stale_wait: bool = True,
    ) -> None:
        self.present = list(present)
        constants = Parameters(draw_probability=0.02)
        self.matchmaker = Matchmaker(
            [RatedFormat(seating, constants) for seating in formats], stale_wait=stale_wait
        )
        self.now = 0.0
        self._rng = Random(f"arena {seed}")
        self._lasts = lasts
        self._under_way: list[tuple[float, int, float, Lineup]] = []
        self._number = 0
        self._played = 0.0  # seconds, of all bots in all matches that are over

    def matches(self, count: int) -> Iterator[Ended]:
        """So many matches, as they end."""
        over = 0
        tick = self.now
        while over < count:
            self._pair()
            if self._under_way and self._under_way[0][0] <= tick:
                self.now, _, begun, table = heapq.heappop(self._under_way)
                self.matchmaker.ended(table, self.now)
                over += 1
                self._played += (self.now - begun) * len(table.bots)
                yield Ended(table, begun, self.now)
            else:
                self.now = tick
                tick += TICK

    def idle(self) -> float:
        """The part of their time for matches that bots did not play, until now."""
        open_ = sum((self.now - begun) * len(table.bots) for _, _, begun, table in self._under_way)
        room = self.now * sum(one.at_once for one in self.present)
        return 1 - (self._played + open_) / room

    def _pair(self) -> None:
        while tables := self.matchmaker.tables(
            self.present, 1_000_000, self.now, self._rng.getrandbits(64)
        ):
            for table in tables:
                self._number += 1
                end = self.now + self._lasts(self._rng)
                heapq.heappush(self._under_way, (end, self._number, self.now, table))


def rated_matches(arena: Arena, spread: float, count: int, seed: int) -> Iterator[Ended]:
    """So many matches of bots whose strengths lie this far apart; ratings move as they end."""
    rng = Random(seed)
    strengths = {one.bot: rng.gauss(25, spread) for one in arena.present}
    live = dict.fromkeys(strengths, PARAMETERS.first)
    for one in arena.matches(count):
        format_name, seats = one.table
        ranks = ranking(rng, [strengths[bot] for bot in seats], PARAMETERS.margin)
        live.update(zip(seats, rate([live[bot] for bot in seats], ranks, PARAMETERS), strict=True))
        for bot in seats:
            arena.matchmaker.rated(bot, format_name, live[bot])
        yield one


def bots(
    number: int, formats: Sequence[str] = ("summer",), at_once: int = 2, owners: int = 0
) -> list[Present]:
    """So many bots, each with an owner of its own unless there are fewer owners."""
    return [
        Present(f"bot{at:04}", f"owner{at % (owners or number)}", formats, at_once)
        for at in range(number)
    ]
