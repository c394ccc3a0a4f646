"""Guesses of the organiser's token: after several wrong ones an address waits to be heard."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from paddock_server.api.refusal import Refusal
from paddock_server.basics.allowance import Allowances, Terms
from paddock_server.basics.wording import lasting

_BY_ADDRESS: Final = Terms(most=30, per_second=0.2, first_wait=1.0, longest_wait=300.0)
# Where the right token came from before, others share the address: a proxy, or a household.
_WHERE_KNOWN: Final = _BY_ADDRESS._replace(longest_wait=1.0)
_OVERALL: Final = Terms(most=300, per_second=2.0, first_wait=1.0, longest_wait=60.0)
_KNOWN_AT_MOST: Final = 1000  # addresses


class Guesses:
    """Wrong tokens, counted by address and for all addresses together.

    The wait of all together does not concern an address that the right token came from, so nobody
    can lock the organiser out from elsewhere.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._strangers = Allowances(_BY_ADDRESS, clock)
        self._known = Allowances(_WHERE_KNOWN, clock)
        self._all = Allowances(_OVERALL, clock)
        self._right: OrderedDict[str, None] = OrderedDict()  # addresses, the oldest first

    def check(self, address: str) -> None:
        """Raise Refusal while nobody is heard at this address, whatever the token is."""
        if address in self._right:
            wait = self._known.wait(address)
        else:
            wait = max(self._strangers.wait(address), self._all.wait(""))
        if wait:
            raise Refusal(
                "auth/too_many_guesses",
                f"too many wrong tokens; try again in {lasting(max(1.0, wait))}",
            )

    def wrong(self, address: str) -> None:
        """Count a wrong token."""
        (self._known if address in self._right else self._strangers).spend(address, 1)
        self._all.spend("", 1)

    def right(self, address: str) -> None:
        """Remember where the right token came from."""
        self._right[address] = None
        self._right.move_to_end(address)
        if len(self._right) > _KNOWN_AT_MOST:
            self._right.popitem(last=False)
