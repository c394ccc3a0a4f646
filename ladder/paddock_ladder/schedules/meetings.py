"""Who met whom lately, so that a ladder's tables mix."""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

HALF_LIFE: Final = 10  # own matches until a meeting counts for half
MEMORY: Final = 60  # own matches until it is forgotten: by then it counts for less than 2 %
BOTS: Final = 5_000  # whose meetings are remembered: those that played last


class _Lately(NamedTuple):
    """One bot's matches, counted, and which of them was its last with each of the others."""

    met: dict[str, int]  # in the order of these matches
    played: int


class Meetings:
    """How many of its own matches ago a bot met each of the others, as far as that matters.

    It remembers a bounded number of bots and matches, however long a ladder runs.
    """

    def __init__(self, tables: Iterable[Collection[str]] = ()) -> None:
        """`tables` are those of the past, the earliest first."""
        self._bots: dict[str, _Lately] = {}  # who played last comes last
        for table in tables:
            self.add(table)

    def add(self, table: Collection[str]) -> None:
        """These bots meet at a table."""
        for bot in table:
            met, before = self._bots.pop(bot, _Lately({}, 0))
            played = before + 1
            for other in table:
                if other != bot:
                    met.pop(other, None)
                    met[other] = played
            for other in [other for other, at in met.items() if played - at >= MEMORY]:
                del met[other]
            self._bots[bot] = _Lately(met, played)
        while len(self._bots) > BOTS:
            del self._bots[next(iter(self._bots))]

    def since(self, bot: str) -> Mapping[str, int]:
        """By other bot, how many matches this one has played since they met; 0: it was the last."""
        lately = self._bots.get(bot)
        if lately is None:
            return {}
        return {other: lately.played - at for other, at in lately.met.items()}


def familiarity(met: Mapping[str, int], seated: Iterable[str]) -> float:
    """How well a bot knows those who sit at a table: each counts for 1 after a match with it, for
    half ten matches later, and so on."""
    return math.fsum(math.exp2(-met[bot] / HALF_LIFE) for bot in seated if bot in met)
