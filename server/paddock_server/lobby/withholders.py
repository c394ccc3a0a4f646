"""Withholders: bots that announce nonces and do not send them, which costs others a second."""

import time
from collections.abc import Callable, Iterable
from typing import Final

_MOST: Final = 2  # late nonces, until a bot is taken as one that sends none
_SECONDS: Final = 3600.0  # that a late nonce counts, whoever connects meanwhile


class Withholders:
    """The late nonces of connected bots in the last hour, over all their sessions."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._late: dict[str, list[float]] = {}  # the last moments, by bot

    def note(self, bots: Iterable[str]) -> None:
        """Note that nonces of these bots were late."""
        now = self._now()
        for bot in bots:
            self._late[bot] = [*self._late.pop(bot, ()), now][-_MOST:]
        while self._late:  # the bot that was late longest ago comes first
            first = next(iter(self._late))
            if self._late[first][-1] > now - _SECONDS:
                break
            del self._late[first]

    def __contains__(self, bot: str) -> bool:
        """Whether a bot is taken as one that sends no nonces."""
        late = self._late.get(bot, ())
        return len(late) >= _MOST and late[0] > self._now() - _SECONDS
