"""The time that a runner's machine keeps from a bot: it could run, and had no processor.

A bot that got its share gets nothing back, however many threads it has waiting. The processor time
is that of the control group, which also counts processes that have ended: else a bot could have
others use up its share, and end them before anybody looks.

What a bot says may be its answer or no more than a Pong: nobody here reads it. So looks go on until
the bot sleeps: then it has answered, or nothing can be kept from it.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from paddock_server.jails.jail import JailedProcess
from paddock_server.jails.processes import Waits, kept_between

_FIRST_SECONDS: Final = 0.005  # most answers are there by then, and cost no look
_NEXT_SECONDS: Final = 0.2
_ASLEEP: Final = 0.05  # of the time between two looks: who runs or waits for less sleeps


class HostTime:
    """The time that was kept from one bot since it was asked; `tell` hears while it thinks."""

    def __init__(self, jail: JailedProcess, share: float, tell: Callable[[float], None]) -> None:
        self._tell = tell
        self._jail = jail
        self._share = share
        self._first: Waits | None = None
        self._last: Waits | None = None
        self._said = False  # whether the bot said something since it was asked
        self._timer: asyncio.TimerHandle | None = None

    def asked(self) -> None:
        """The bot is asked something now."""
        self._first, self._said = None, False
        self._look_after(_FIRST_SECONDS)

    def said(self) -> float:
        """The seconds that were kept from the bot, which says something now."""
        self._said = True
        if self._timer is not None and self._first is None:
            self._look_after(_NEXT_SECONDS)  # if that was its answer, it is asked again before
        return self._kept()

    def rest(self) -> None:
        """Look no more until the bot is asked again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look_after(self, seconds: float) -> None:
        self.rest()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        """Measure while the bot thinks, so that its time is not over before it answers."""
        self._timer = None
        now = self._waits()
        if now is None:
            return
        if self._first is None or self._last is None:
            self._first = now
        elif self._said and _sleeps(self._last, now):
            return
        else:
            self._tell(kept_between(self._first, now, self._share))
        self._last = now
        self._look_after(_NEXT_SECONDS)

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


def _sleeps(before: Waits, now: Waits) -> bool:
    """Whether a bot neither ran nor waited for a processor between two looks."""
    ran = now.cpu_seconds - before.cpu_seconds
    waited = now.run_delay_seconds - before.run_delay_seconds
    return ran + waited < _ASLEEP * (now.at - before.at)
