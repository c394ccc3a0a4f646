"""The time of a bot that is checked, without what others take from it.

What this program itself is late does not count, as at a referee's. Nor does what the machine keeps
from the bot's processes: they could run, and had no processor. So a busy machine is not the bot's
fault, and a bot that is slow by itself gets nothing back.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from itertools import takewhile
from time import monotonic
from typing import Final

from paddock_server.jails.processes import Waits, kept_between, scheduled
from paddock_server.referee.clock import Moment
from paddock_server.tables.lateness import Lateness

_LOOK_SECONDS: Final = 0.2
_LOOKS: Final = 1000
_SHARE: Final = 1.0  # of a processor, that a bot should have had
_LEAST_SECONDS: Final = 5.0  # that may be made up for in a wait; in a longer one as much again
_SHORTEST_WAIT: Final = 0.02


class FairTime:
    """The fair time of one bot, and how much of its waits was made up for."""

    def __init__(self) -> None:
        self.made_up: float = 0.0  # seconds of one wait, the most since `forget`
        self._lateness = Lateness()
        self._pids: Callable[[], Iterable[int]] = tuple
        self._looks: deque[Waits] = deque(maxlen=_LOOKS)
        self._looking: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure."""
        self._lateness.start()
        self._look_again()

    def stop(self) -> None:
        """Stop measuring."""
        self._lateness.stop()
        if self._looking is not None:
            self._looking.cancel()

    def follow(self, pids: Callable[[], Iterable[int]]) -> None:
        """The processes of the bot are these from now on."""
        self._pids = pids
        self._looks.clear()
        self._looks.append(self._look())

    def forget(self) -> None:
        """Begin anew to note how much was made up for."""
        self.made_up = 0.0

    def now(self) -> Moment:
        """The present moment."""
        return self._lateness.now()

    def left(self, began: Moment, seconds: float) -> float:
        """What is left of a wait; at its end what others took of it is given back."""
        left = seconds - self.now().since(began)
        if left > 0:
            return left
        kept = min(self.kept_since(began), max(seconds, _LEAST_SECONDS))
        return max(left + kept, _SHORTEST_WAIT) if left + kept > 0 else 0.0

    def came(self, began: Moment, seconds: float) -> None:
        """Note that what was waited for came, perhaps later than after this many seconds."""
        self.made_up = max(self.made_up, self.now().since(began) - seconds)

    def kept_since(self, began: Moment) -> float:
        """The seconds that the machine kept from the bot since a moment."""
        if not self._looks:
            return 0.0
        before = takewhile(lambda look: look.at <= began.at, self._looks)
        *_, first = (self._looks[0], *before)
        return kept_between(first, self._look(), _SHARE)

    def _look(self) -> Waits:
        return Waits(monotonic(), *scheduled(self._pids()))

    def _look_again(self) -> None:
        self._looks.append(self._look())
        loop = asyncio.get_running_loop()
        self._looking = loop.call_later(_LOOK_SECONDS, self._look_again)
