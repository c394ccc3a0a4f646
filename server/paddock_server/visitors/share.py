"""A share of a core: whoever used more than its share waits, but only while others play."""

import time
from collections.abc import Callable


class Share:
    """An account of time on a core: it fills slowly, and who spends goes on when it is not empty.

    While nobody plays the share is the whole core, and nobody waits.
    """

    def __init__(
        self,
        part: float,
        burst: float,
        playing: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`burst` is how many seconds of the core can be saved up."""
        self._part = part
        self._burst = burst
        self._playing = playing
        self._clock = clock
        self._credit = burst
        self._at = clock()

    def spend(self, seconds: float) -> None:
        """Take this much time of a core from the account."""
        self._fill()
        self._credit -= seconds

    def wait(self) -> float:
        """The seconds until something may be spent again; 0 if it may now."""
        self._fill()
        return max(0.0, -self._credit / self._part)

    def _fill(self) -> None:
        now = self._clock()
        if self._playing():
            self._credit = min(self._burst, self._credit + self._part * (now - self._at))
        else:
            self._credit = self._burst
        self._at = now
