"""The route to a server: the address that the bot was started with, and where a Goodbye sent it."""

import logging

from paddock.address import redirected
from paddock.errors import BadSettings
from paddock_wire.address import Address

log = logging.getLogger("paddock")


class Route:
    """The address of the next attempt to connect.

    A Goodbye may name another one. As long as the bot is welcomed there it stays there; an attempt
    that fails sends it to the other of the two, as either server may be gone.
    """

    def __init__(self, home: Address) -> None:
        self.next = home
        self._home = home
        self._moved: Address | None = None

    def move(self, server: str) -> None:
        """Use the address of a Goodbye next, unless it can't be used."""
        try:
            self._moved = self.next = redirected(self._home, server)
        except BadSettings as problem:
            log.warning("goodbye ignored: its address can't be used: %s", problem)
        else:
            log.info("address changed: the server moves this bot to %s", self._moved.target)

    def failed(self) -> None:
        """Try the other address next, if there is one."""
        if self._moved is not None:
            self.next = self._home if self.next == self._moved else self._moved
