"""The route to a server: the addresses that a bot was started with, and where a Goodbye sent it."""

import logging

from paddock.address import redirected
from paddock.errors import BadSettings
from paddock_wire.address import Address

log = logging.getLogger("paddock")


class Route:
    """The address of the next attempt to connect.

    The bot stays where it is welcomed. An attempt that fails sends it to the next of its addresses:
    those that it was started with, and the one that a Goodbye named last.
    """

    def __init__(self, home: Address) -> None:
        self._homes = (home._replace(others=()), *home.others)
        self._stops = self._homes
        self._at = 0

    @property
    def next(self) -> Address:
        """The address to try next."""
        return self._stops[self._at]

    def move(self, server: str) -> None:
        """Use the address of a Goodbye next, unless it can't be used."""
        try:
            moved = redirected(self._homes[0], server)
        except BadSettings as problem:
            log.warning("goodbye ignored: its address can't be used: %s", problem)
            return
        log.info("address changed: the server moves this bot to %s", moved.target)
        self._stops = self._homes if moved in self._homes else (*self._homes, moved)
        self._at = self._stops.index(moved)

    def failed(self) -> None:
        """Try the next address, if there is another one."""
        self._at = (self._at + 1) % len(self._stops)
