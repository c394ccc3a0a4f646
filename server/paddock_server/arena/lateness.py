"""How late the event loop itself was, so that nobody else pays for it."""

import asyncio
import time

from paddock_server.referee.clock import Moment

_TICK = 0.02
_BOUND = 0.03  # what a healthy loop may be late; only more than this counts


class Lateness:
    """Adds up the time in which the loop did not get around to anything."""

    def __init__(self) -> None:
        self.total = 0.0
        self.last = 0.0  # of the last tick, for metrics
        self._due = time.monotonic()
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to watch the running loop, unless it is watched already."""
        if self._handle is not None:
            return
        self._due = time.monotonic() + _TICK
        self._handle = asyncio.get_running_loop().call_later(_TICK, self._tick)

    def stop(self) -> None:
        """Stop watching: nobody's time is counted."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
            self.last = 0.0

    def now(self) -> Moment:
        """The moment, with what is already known of a tick that is overdue."""
        at = time.monotonic()
        if self._handle is None:
            return Moment(at, at - self.total)
        overdue = at - self._due - _BOUND
        return Moment(at, at - self.total - overdue if overdue > 0 else at - self.total)

    def _tick(self) -> None:
        at = time.monotonic()
        self.last = max(0.0, at - self._due)
        self.total += max(0.0, self.last - _BOUND)
        self._due = at + _TICK
        self._handle = asyncio.get_running_loop().call_later(_TICK, self._tick)
