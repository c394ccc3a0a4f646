"""The wait before the next attempt to connect."""

from random import Random
from typing import Final

FIRST_S: Final = 0.1
LONGEST_S: Final = 10.0


class Backoff:
    """Waits that double up to ten seconds, with full jitter, so that the bots of a server that went
    away do not all come back at the same moment."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._failures = 0

    def next_s(self, at_least_s: float = 0.0) -> float:
        """The seconds to wait now, in addition to what the server asked for."""
        longest = min(LONGEST_S, FIRST_S * 2.0 ** min(self._failures, 30))
        self._failures += 1
        return at_least_s + self._rng.uniform(0.0, longest)

    def reset(self) -> None:
        """Begin with short waits again, after a connection that lasted."""
        self._failures = 0
