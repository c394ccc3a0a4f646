"""Strangers: those whose Hello was refused. After several, their address waits like a visitor."""

import time
from collections.abc import Callable
from typing import Final

from paddock_server.basics.allowance import Allowances, Terms
from paddock_server.visitors.gate import Gate

_BY_ADDRESS: Final = Terms(most=20, per_second=1.0, first_wait=60.0, longest_wait=600.0)
_HELLO_SECONDS: Final = 0.003  # of the event loop, for a stream that ends with its Hello
_SIGNS: Final = ("auth/", "hello/", "frame/", "bot/bad_name")


class Strangers:
    """Refused Hellos, by address.

    Others may share an address with a stranger, so nobody is refused because of it. While matches
    are open, those who come from there wait at the gate of visitors, in rotation by address.
    """

    def __init__(self, gate: Gate, clock: Callable[[], float] = time.monotonic) -> None:
        self._gate = gate
        self._refused = Allowances(_BY_ADDRESS, clock)

    async def enter(self, address: str) -> None:
        """Wait until a Hello from this address may be read; at once where few were refused."""
        if self._refused.wait(address):
            await self._gate.enter(address, _HELLO_SECONDS)

    def refused(self, address: str, reason: str) -> None:
        """Count a Hello that was refused, unless it was that of a bot that is known."""
        if reason.startswith(_SIGNS):
            self._refused.spend(address, 1)
