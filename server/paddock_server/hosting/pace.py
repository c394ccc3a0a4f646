"""The pace of calls through a relay: some at once, then one a second; the others wait."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

AT_ONCE: Final = 10
EVERY_SECONDS: Final = 1.0


class Pace:
    """Lets calls through in their order, so that a bot floods nobody with new ones."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._used_until = clock()  # when all calls so far would be made up for

    async def turn(self) -> None:
        """Wait until the next call may begin."""
        now = self._clock()
        self._used_until = max(self._used_until, now) + EVERY_SECONDS
        wait = self._used_until - AT_ONCE * EVERY_SECONDS - now
        if wait > 0:
            await self._sleep(wait)
