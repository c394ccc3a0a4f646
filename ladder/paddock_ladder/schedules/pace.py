"""The pace of a ladder: how long its matches take, and when the next one is likely to end."""

import math
from collections import Counter, deque
from statistics import median
from typing import Final

from paddock_ladder.schedules.ladder import Lineup

LAST: Final = 15  # matches of a format that say how long one takes
OVERDUE: Final = 2.0  # typical matches, after which nobody knows when a match will end


class Pace:
    """The matches under way, and how long those before them took."""

    def __init__(self) -> None:
        self.under_way: Counter[Lineup] = Counter()
        self._begun: dict[Lineup, list[float]] = {}  # of those under way whose beginning is known
        self._lasted: dict[str, deque[float]] = {}  # by format

    def begun(self, table: Lineup, now: float | None) -> None:
        """A match began at this time, or before anybody looked."""
        self.under_way[table] += 1
        if now is not None:
            self._begun.setdefault(table, []).append(now)

    def ended(self, table: Lineup, now: float | None) -> None:
        """A match ended at this time, or was never played."""
        self.under_way[table] -= 1
        if not self.under_way[table]:
            del self.under_way[table]
        if table in self._begun:
            begun = self._begun[table].pop(0)
            if not self._begun[table]:
                del self._begun[table]
            if now is not None:
                lasted = self._lasted.setdefault(table.format, deque(maxlen=LAST))
                lasted.append(now - begun)

    def typical(self, format_name: str) -> float:
        """Seconds that a match of this format takes; 0 while none has ended."""
        return median(self._lasted.get(format_name) or (0.0,))

    def next_end(self, now: float) -> float:
        """Seconds until a match is likely to end; infinite if that can't be told.

        A match that takes longer than others may end at any time, but one that takes twice as long
        may be stuck.
        """
        typical = {name: self.typical(name) for name in self._lasted}
        nearest = math.inf
        for table, begun in self._begun.items():
            usual = typical.get(table.format, 0.0)
            for at in begun:
                if now - at < OVERDUE * usual:
                    nearest = min(nearest, max(0.0, at + usual - now))
        return nearest
