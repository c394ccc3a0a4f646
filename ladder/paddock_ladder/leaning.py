"""Leanings: a bot's surprises by one owner, added up over many matches, for the standing.

Who throws matches may play honest ones in between, so that the last few look innocent. Over many
matches the surprises still add up to more than luck brings. That takes a longer memory than live
ratings can afford (`paddock_ladder.doubt`); for a standing the whole history is read anyway.
"""

import math
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from paddock_ladder.doubt import Guest, surprises_of
from paddock_ladder.rating import Parameters

REMEMBERED: Final = 100  # matches of a bot
RARE: Final = 0.05  # the chance below which luck is no longer believed in full
_NOTHING: Final = 1e-9  # less luck than that is what rounding leaves


class Encounter(NamedTuple):
    """An opponent of a bot in a match: its owner, and how far the bot did better than expected."""

    owner: str
    surprise: float


class Leanings:
    """A memory of how every bot did against each owner, match by match."""

    def __init__(self) -> None:
        """No bot has played."""
        self._of: dict[str, _Leaning] = {}

    def parts(self, table: Sequence[Guest], parameters: Parameters) -> list[float]:
        """How much of a match counts for each seat, from 0 to 1; from now on it is remembered.

        It is the geometric mean over the other seats.
        """
        parts = []
        owners = [guest.owner for guest in table]
        for seat, guest in enumerate(table):
            others = owners[:seat] + owners[seat + 1 :]
            above = surprises_of(table, seat, parameters)
            meetings = [Encounter(*each) for each in zip(others, above, strict=True)]
            leaning = self._of.setdefault(guest.bot, _Leaning())
            product = math.prod([leaning.credit(owner) for owner, _ in meetings])
            parts.append(product ** (1 / len(meetings)))
            leaning.add(meetings)
        return parts


class _Leaning:
    """The surprises of one bot by owner, added up, and how much luck there was in them.

    A match that is won with chance c has a surprise of 2 - 2c, one that is lost of -2c: the mean is
    zero and the variance 4c(1 - c), which is the luck.
    """

    def __init__(self) -> None:
        self._matches: deque[Sequence[Encounter]] = deque()
        self._above: defaultdict[str, float] = defaultdict(float)
        self._luck: defaultdict[str, float] = defaultdict(float)

    def add(self, meetings: Sequence[Encounter]) -> None:
        """Remember a match, and forget the one that is too long ago."""
        self._matches.append(meetings)
        for owner, above in meetings:
            size = abs(above)
            self._above[owner] += above
            self._luck[owner] += size * (2 - size)
        if len(self._matches) > REMEMBERED:
            for owner, above in self._matches.popleft():
                size = abs(above)
                self._above[owner] -= above
                self._luck[owner] -= size * (2 - size)

    def credit(self, owner: str) -> float:
        """How much of a meeting with this owner counts: the chance that luck alone brings as much
        as was seen so far, in parts of what is rare."""
        luck = self._luck.get(owner, 0.0)
        if luck < _NOTHING:
            return 1.0
        return min(1.0, math.erfc(abs(self._above[owner]) / math.sqrt(2 * luck)) / RARE)
