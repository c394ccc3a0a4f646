"""The tables of a Swiss round: neighbours in the standing who have not met."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from random import Random

STEPS = 600  # of the search for fewer repeats, as a rule; a large field has five a bot
REST = 4  # steps at most that a place stays after it was moved
PASSES = 5


class Arrangement:
    """Tables of places in the standing (0 is the leader), to be improved by swaps.

    Two things count, the first before the second: how often those at one table have met before
    (`met`, by place and place), and how far apart in the standing they are.
    """

    def __init__(self, sizes: Sequence[int], met: Sequence[Sequence[int]]) -> None:
        self._met = met
        self.tables = [list(range(*edges)) for edges in pairwise(accumulate(sizes, initial=0))]
        self._table_of = self._numbers_by_place()

    def improve(self) -> None:
        """Seat those who have met apart as far as a search finds, then neighbours together."""
        self._part()
        self._close_up()

    def clashes(self) -> int:
        """How often those who now sit together have met."""
        return sum(self._meetings(place, place) for place in self._table_of) // 2

    def _part(self) -> None:
        """Swap somebody who has met a neighbour for the best other, sideways if need be."""
        places = len(self._table_of)
        rng = Random(f"paddock swiss {places}")
        free_at = [0] * places
        best, least = [list(table) for table in self.tables], self.clashes()
        clashes = least
        for step in range(max(STEPS, 5 * places)):
            clashing = [place for place in range(places) if self._meetings(place, place)]
            if not clashing:
                return
            one = clashing[int(rng.random() * len(clashing))]
            changes = [
                (*self._change(one, other), other)
                for other in range(places)
                if self._table_of[other] != self._table_of[one] and free_at[other] <= step
            ]
            if not changes:
                continue
            change, _, other = min(changes)
            self._swap(one, other)
            for moved in (one, other):  # by chance, or the search may go round in a circle
                free_at[moved] = step + 1 + int(rng.random() * REST)
            clashes += change
            if clashes < least:
                best, least = [list(table) for table in self.tables], clashes
        self.tables = best
        self._table_of = self._numbers_by_place()

    def _close_up(self) -> None:
        places = len(self._table_of)
        reach = 2 * max(len(table) for table in self.tables)
        for _ in range(PASSES):
            swapped = False
            for one in range(places):
                for other in range(one + 1, min(places, one + reach)):
                    apart = self._table_of[one] != self._table_of[other]
                    if apart and self._change(one, other) < (0, 0):
                        self._swap(one, other)
                        swapped = True
            if not swapped:
                return

    def _numbers_by_place(self) -> dict[int, int]:
        return {place: number for number, table in enumerate(self.tables) for place in table}

    def _meetings(self, place: int, instead: int) -> int:
        """How often `place` met those at the table of `instead`, who gives up the seat."""
        met = self._met[place]
        mates = self.tables[self._table_of[instead]]
        return sum([met[mate] for mate in mates if mate not in (instead, place)])

    def _distance(self, place: int, instead: int) -> int:
        mates = self.tables[self._table_of[instead]]
        return sum([abs(place - mate) for mate in mates if mate not in (instead, place)])

    def _change(self, one: int, other: int) -> tuple[int, int]:
        """What a swap adds to the meetings and to the distances."""
        return (
            self._meetings(one, other) + self._meetings(other, one)
            - self._meetings(one, one) - self._meetings(other, other),
            self._distance(one, other) + self._distance(other, one)
            - self._distance(one, one) - self._distance(other, other),
        )  # fmt: skip

    def _swap(self, one: int, other: int) -> None:
        here, there = self._table_of[one], self._table_of[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self._table_of[one], self._table_of[other] = there, here
