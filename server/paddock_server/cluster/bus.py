"""The bus of a cluster: it carries packets from node to node, and may lose any of them."""

from collections.abc import Callable
from typing import Protocol


class Bus(Protocol):
    """A carrier of packets; what it loses, repeats or delays, the links repair."""

    def listen(self, node: int, hear: Callable[[bytes], None]) -> None:
        """Call `hear` with every packet for a node; once, before the bus is opened."""

    async def open(self) -> None:
        """Connect; raises CannotServe if nobody is there."""

    def carry(self, node: int, packet: bytes) -> None:
        """Send a packet to a node, if that is possible now."""

    async def close(self) -> None:
        """Disconnect."""
