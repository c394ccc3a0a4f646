"""The time that a runner's machine keeps from a bot: it could run, and had no processor.

A bot that got its share gets nothing back, however many threads it has waiting. The processor time
is that of the control group, which also counts processes that have ended: else a bot could have
others use up its share, and end them before anybody looks.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from paddock_server.jails.jail import JailedProcess
from paddock_server.jails.processes import Waits, kept_between

_FIRST_SECONDS: Final = 0.005  # most answers are there by then, and cost no look
_NEXT_SECONDS: Final = 0.2


class HostTime:
    """The time that was kept from one bot since it was asked; `tell` hears while it thinks."""

    def __init__(self, jail: JailedProcess, share: float, tell: Callable[[float], None]) -> None:
        self._tell = tell
        self._jail = jail
        self._share = share
        self._first: Waits | None = None
        self._timer: asyncio.TimerHandle | None = None

    def asked(self) -> None:
        """The bot is asked something now."""
        self.rest()
        self._first = None
        self._timer = asyncio.get_running_loop().call_later(_FIRST_SECONDS, self._look)

    def answered(self) -> float:
        """The seconds that were kept from the bot, which says something now."""
        self.rest()
        return self._kept()

    def rest(self) -> None:
        """Look no more until the bot is asked again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """Measure while the bot thinks, so that its time is not over before it answers."""
        if self._first is None:
            self._first = self._waits()
        else:
            self._tell(self._kept())
        if self._first is not None:
            self._timer = asyncio.get_running_loop().call_later(_NEXT_SECONDS, self._look)

    def _kept(self) -> float:
        last = None if self._first is None else self._waits()
        if self._first is None or last is None:
            return 0.0
        return kept_between(self._first, last, self._share)

    def _waits(self) -> Waits | None:
        """None where nobody counts the processor time of all processes of a jail."""
        used = self._jail.cpu_seconds()
        if used is None:
            return None
        return Waits(time.monotonic(), used, self._jail.run_delay_seconds())
