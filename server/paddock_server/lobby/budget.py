"""The budget of a server: what bots and their owners may cost it with what answers nothing.

It is counted in useless items, the smallest of which takes the server about a tenth of a
millisecond. What answers an ask costs nothing, so there is no limit on how fast a bot may play.
"""

import time
from collections.abc import Callable
from typing import Final

from paddock_server.basics.allowance import Allowances, Terms
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.referee.plan import Entrant

REFILL_SECONDS: Final = 10.0  # from nothing to everything
_OWNER: Final = 8.0  # times as much as a bot: all bots of an owner may come back at once
_CONNECTION: Final = 1 / 100  # of a bot's whole allowance, for a connection
_OPEN_MATCH: Final = 1 / 1000  # more for every open match, whose ask is sent again
_REFUSAL: Final = 1 / 50  # for a frame that ends a session, besides its bytes
_ITEM_BYTES: Final = 1024  # that an item may have without being paid for


class Budget:
    """The allowances of all bots and all owners; a bot spends both its own and its owner's."""

    def __init__(
        self,
        limits: Limits,
        policy: Policy | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        waits = policy or Policy()
        most = limits.useless_items
        terms = Terms(most, most / REFILL_SECONDS, waits.flood_seconds, waits.flood_most_seconds)
        wide = terms._replace(most=most * _OWNER, per_second=terms.per_second * _OWNER)
        self._most = most
        self._bots = Allowances(terms, clock)
        self._owners = Allowances(wide, clock)

    def waste(self, entrant: Entrant, cost: float = 1.0) -> float:
        """Count the cost of something useless; the seconds to stay away if it is too much."""
        own = self._bots.spend(entrant.bot, cost)
        return max(own, self._owners.spend(entrant.owner, cost))

    def connect(self, entrant: Entrant, open_matches: int) -> float:
        """Count a connection; the seconds to stay away, also from an earlier flood."""
        left = max(self._bots.wait(entrant.bot), self._owners.wait(entrant.owner))
        cost = self._most * (_CONNECTION + _OPEN_MATCH * open_matches)
        return max(left, self.waste(entrant, cost))

    def refusal(self, frame_bytes: int) -> float:
        """The cost of a frame of which nothing is taken."""
        return self._most * _REFUSAL + self.bulk(frame_bytes, 0)

    def bulk(self, frame_bytes: int, items: int) -> float:
        """The cost of bytes that no item of a frame needs."""
        return max(0, frame_bytes - items * _ITEM_BYTES) / _ITEM_BYTES
