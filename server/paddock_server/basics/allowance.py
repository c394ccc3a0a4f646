"""Allowances: what somebody may cost the others; who spends it all waits, longer each time."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, NamedTuple

_FORGIVEN_SECONDS: Final = 600.0  # after this long without overspending, the wait is short again
_MANY: Final = 1024  # accounts; those that say nothing are dropped when there are more


class Terms(NamedTuple):
    """The terms of an allowance: its size, how it grows back, and the waits."""

    most: float  # that can be spent at once
    per_second: float  # that grows back
    first_wait: float  # seconds; every further wait is twice as long
    longest_wait: float


@dataclass
class _Account:
    left: float
    at: float  # when that was
    waits: int = 0  # how often it was overspent lately
    until: float = 0.0  # the end of the wait


class Allowances:
    """The allowances of everybody, by name; they outlive connections, but not the process."""

    def __init__(self, terms: Terms, clock: Callable[[], float] = time.monotonic) -> None:
        self._terms = terms
        self._clock = clock
        self._accounts: dict[Hashable, _Account] = {}
        self._drop_at = _MANY

    def __len__(self) -> int:
        return len(self._accounts)

    def spend(self, who: Hashable, cost: float) -> float:
        """Spend this much; the seconds to wait if it was too much, else 0."""
        now, terms = self._clock(), self._terms
        account = self._accounts.get(who)
        if account is None:
            self._drop_idle(now)
            account = self._accounts[who] = _Account(terms.most, now)
        grown = account.left + (now - account.at) * terms.per_second
        account.left, account.at = min(terms.most, grown) - cost, now
        if account.left >= 0:
            return 0.0
        account.left = 0.0
        if now - account.until > _FORGIVEN_SECONDS:
            account.waits = 0
        wait = min(terms.first_wait * 2.0**account.waits, terms.longest_wait)
        account.waits = min(account.waits + 1, 60)
        account.until = now + wait
        return wait

    def wait(self, who: Hashable) -> float:
        """The seconds that somebody still has to wait; 0: none."""
        account = self._accounts.get(who)
        return 0.0 if account is None else max(0.0, account.until - self._clock())

    def _drop_idle(self, now: float) -> None:
        """Drop accounts that are as good as new, once there are many."""
        if len(self._accounts) < self._drop_at:
            return
        terms = self._terms
        self._accounts = {
            who: account
            for who, account in self._accounts.items()
            if account.left + (now - account.at) * terms.per_second < terms.most
            or (account.waits and now - account.until <= _FORGIVEN_SECONDS)
        }
        self._drop_at = max(_MANY, 2 * len(self._accounts))
