"""The lateness of the server itself, which no seat is charged for.

A ticker proves at which moments the event loop listened. What the loop was late, and what its
thread waited for a processor, is the server's own time. An answer that is read while a tick is
overdue may have been there since the last tick, so it counts as of then.
"""

import asyncio
import time
from math import inf

from paddock_server.observe.run_delay import RunDelay
from paddock_server.referee.clock import Moment

_TICK = 0.01


class Lateness:
    """A sum of the time that the server took for itself."""

    def __init__(self) -> None:
        self.total = 0.0
        self.last = 0.0  # of the last tick, for metrics
        self._told = 0.0  # the last fair moment
        self._ticked = time.monotonic()
        self._due = inf  # the moment of the next tick
        self._handle: asyncio.TimerHandle | None = None
        self._run_delay: RunDelay | None = None

    def start(self) -> None:
        """Begin to measure the running loop, unless it is measured already."""
        if self._handle is None:
            self._run_delay = RunDelay()
            self._set(time.monotonic())

    def stop(self) -> None:
        """Stop measuring: no match is under way."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
            self._due = inf
            self.last = 0.0
        if self._run_delay is not None:
            self._run_delay.close()
            self._run_delay = None

    def now(self) -> Moment:
        """The present moment; the lateness of an overdue tick counts already."""
        now = time.monotonic()
        fair = min(now, self._due) - self.total
        # A tick learns afterwards that its interval was spent waiting for a processor.
        self._told = fair = max(fair, self._told)
        return Moment(now, fair)

    def arrival(self) -> Moment:
        """The moment as of which something counts that was just read: the earliest possible one."""
        now = time.monotonic()
        return Moment(now, (self._ticked if now > self._due else now) - self.total)

    def _set(self, now: float) -> None:
        self._ticked, self._due = now, now + _TICK
        self._handle = asyncio.get_running_loop().call_later(_TICK, self._tick)

    def _tick(self) -> None:
        now = time.monotonic()
        self.last = max(0.0, now - self._due)
        waited = 0.0 if self._run_delay is None else self._run_delay.since_last()
        # Fair time must not run backwards: nobody waits longer than the whole interval.
        self.total += max(self.last, min(waited, now - self._ticked))
        self._set(now)
