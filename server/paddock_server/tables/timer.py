"""The timer of a table: it wakes the table when the next deadline of its referee is over."""

import asyncio
from collections.abc import Callable

from paddock_server.tables.lateness import Lateness


class DeadlineTimer:
    """The one timer of a table. A later deadline does not move it, as the table looks again."""

    def __init__(self, lateness: Lateness, wake: Callable[[], None]) -> None:
        self._lateness = lateness
        self._wake = wake
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.TimerHandle | None = None
        self._deadline = 0.0  # the fair moment that it was set for
        self._stopped = False

    def set(self, deadline: float | None, *, over: bool) -> None:
        """Wake the table at this deadline; `over`: the match is, so no later one follows."""
        if self._stopped:
            return
        if self._handle is not None:
            if deadline is not None and deadline >= self._deadline:
                return  # the table looks again when it wakes
            if deadline is None and not over:
                return  # a later deadline follows soon
            self._cancel()
        if deadline is not None:
            now = self._lateness.now()
            self._deadline = deadline
            self._handle = self._loop.call_later(max(0.001, deadline - now.fair), self._ring)

    def stop(self) -> None:
        """Wake the table no more, whatever is set."""
        self._stopped = True
        self._cancel()

    def _cancel(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _ring(self) -> None:
        self._handle = None
        self._wake()
