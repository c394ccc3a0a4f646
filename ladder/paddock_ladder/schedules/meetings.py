"""The recent meetings of bots, so that a ladder's tables mix."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

HALF_LIFE: Final = 10  # own matches until a meeting counts for half
LEAST: Final = 0.02  # meetings that count for less are forgotten: one after 57 own matches
BOTS: Final = 5_000  # whose meetings are remembered: those that played last
AGAIN: Final = 0.6  # how much of a candidate's worth each meeting leaves

_FADE: Final = 0.5 ** (1 / HALF_LIFE)


class Meetings:
    """The number of times that each bot met each of the others, where old meetings count for less.

    It remembers a bounded number of bots and meetings, however long a ladder runs.
    """

    def __init__(self, tables: Iterable[Collection[str]] = ()) -> None:
        """`tables` are those of the past, the earliest first."""
        self._bots: dict[str, dict[str, float]] = {}  # who played last comes last
        for table in tables:
            self.add(table)

    def add(self, table: Collection[str]) -> None:
        """These bots meet at a table."""
        for bot in table:
            before = self._bots.pop(bot, {})
            faded = {other: _FADE * count for other, count in before.items()}
            met = {other: count for other, count in faded.items() if count >= LEAST}
            for other in table:
                if other != bot:
                    met[other] = met.get(other, 0.0) + 1
            self._bots[bot] = met
        while len(self._bots) > BOTS:
            del self._bots[next(iter(self._bots))]

    def lately(self, bot: str) -> Mapping[str, float]:
        """By other bot, how often this one met it lately.

        A meeting counts for 1 at first, for half after ten more matches of this bot, and so on.
        """
        return self._bots.get(bot, {})


def freshness(met: Mapping[str, float], seated: Iterable[str]) -> float:
    """What is left of a candidate's worth at a table: 1 if it met none of these bots lately.

    It falls exponentially with the number of meetings. So however far apart strengths lie, and
    however fast the quality of a match falls with the distance, a bot that meets the same few all
    the time is seated with others before long. In a large field, where nobody meets anybody often,
    it hardly matters, and strength decides.
    """
    return float(AGAIN ** sum(met.get(bot, 0.0) for bot in seated))
