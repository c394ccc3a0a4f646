"""A heartbeat: a client that says nothing for long is asked, and is gone if it does not answer."""

import asyncio
from collections.abc import Callable
from math import inf
from typing import Final

_HELLO_SECONDS: Final = 10.0  # for the first frame
_QUIET_SECONDS: Final = 120.0  # without a word
_ANSWER_SECONDS: Final = 10.0


class Heartbeat:
    """The heartbeat of one connection; it costs a timer."""

    __slots__ = ("_cut", "_loop", "_ping", "_timer", "heard", "idle")

    def __init__(self, ping: Callable[[], None], cut: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._ping = ping
        self._cut = cut
        self.heard = self._loop.time()
        """When the client said something, last."""
        self._timer = self._loop.call_later(_HELLO_SECONDS, cut)
        self.idle: asyncio.TimerHandle | None = None
        """The end of a client that has no stream for too long."""

    def stop(self) -> None:
        """Ask nothing more."""
        self._timer.cancel()
        self.busy()

    def rest(self, seconds: float, end: Callable[[], None]) -> None:
        """Note that there is no stream; after so many seconds of that it is the end."""
        if seconds < inf and self.idle is None:
            self.idle = self._loop.call_later(seconds, end)

    def busy(self) -> None:
        """Note that there is a stream."""
        if self.idle is not None:
            self.idle.cancel()
            self.idle = None

    def look(self) -> None:
        """Ask a client that was quiet for long whether it is there, else look again later."""
        self._timer.cancel()
        quiet = self._loop.time() - self.heard
        if quiet < _QUIET_SECONDS:
            self._timer = self._loop.call_later(_QUIET_SECONDS - quiet, self.look)
            return
        self._ping()
        self._timer = self._loop.call_later(_ANSWER_SECONDS, self._answered, self.heard)

    def _answered(self, heard: float) -> None:
        if self.heard == heard:
            self._cut()
        else:
            self.look()
