"""Noise: frames of a connection that cost something and say nothing.

Reading a frame takes time from the event loop, which measures the bots' time. Messages are counted
by whoever gets them, and all other frames here.
"""

import time
from collections.abc import Callable
from typing import Final

from paddock_server.http2.frames import BadConnection, ErrorCode

_MOST: Final = 2_000.0  # frames at once
_PER_SECOND: Final = 100.0
_CALM: Final = ErrorCode.ENHANCE_YOUR_CALM


class Noise:
    """The noise that a connection may make.

    It earns one with every frame of data in either direction, because clients measure the
    connection with a ping for what they get.
    """

    __slots__ = ("_at", "_clock", "_left")

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left = _MOST
        self._at = clock()

    def earn(self) -> None:
        """Count a frame of data."""
        self._left += 1.0

    def spend(self, cost: float = 1.0) -> None:
        """Count a frame without a message; raises BadConnection when there were too many."""
        self._left -= cost
        if self._left < 0 or self._left > _MOST:
            now = self._clock()
            self._left = min(_MOST, self._left + cost + (now - self._at) * _PER_SECOND) - cost
            self._at = now
            if self._left < 0:
                raise BadConnection(_CALM, "too many frames without a message")
