"""The lateness of the event loop, which no seat is charged for."""

import asyncio
import time

from paddock_server.referee.clock import Moment

_TICK = 0.02
_BOUND = 0.03  # seconds that a healthy loop may be late; only more than this counts


class Lateness:
    """A sum of the time in which the event loop was late."""

    def __init__(self) -> None:
        self.total = 0.0
        self.last = 0.0  # of the last tick, for metrics
        self._due = time.monotonic()
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure the running loop, unless it is measured already."""
        if self._handle is not None:
            return
        self._due = time.monotonic() + _TICK
        self._handle = asyncio.get_running_loop().call_later(_TICK, self._tick)

    def stop(self) -> None:
        """Stop measuring: no match is under way."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
            self.last = 0.0

    def now(self) -> Moment:
        """The present moment; the lateness of an overdue tick counts already."""
        now = time.monotonic()
        if self._handle is None:
            return Moment(now, now - self.total)
        overdue = now - self._due - _BOUND
        return Moment(now, now - self.total - overdue if overdue > 0 else now - self.total)

    def _tick(self) -> None:
        now = time.monotonic()
        self.last = max(0.0, now - self._due)
        self.total += max(0.0, self.last - _BOUND)
        self._due = now + _TICK
        self._handle = asyncio.get_running_loop().call_later(_TICK, self._tick)
