"""Sessions of bots whose streams are on other nodes, as the steward's lobby knows them."""

from collections.abc import Callable

from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import End, Entered, Measure, Place, Tell, Useless
from paddock_server.lobby.guest import Guest, Offer


class FarSession(Guest):
    """The session of a bot on another node."""

    def __init__(self, link: Link, node: int, entered: Entered) -> None:
        offer = Offer(tuple(entered.formats), entered.max_matches)
        super().__init__(entered.session, entered.token, entered.entrant, offer)
        self.order = entered.order
        self.node = node
        self.node_gone = False  # then its bot is not to blame for being away
        self._link = link
        self._ended = False

    @property
    def place(self) -> Place:
        """Where the bot is."""
        return Place(self.node, self.id, self.entrant)

    @property
    def waiting(self) -> int:
        """Nothing: what waits, waits on the other node."""
        return 0

    def send(self, item: bytes) -> None:
        """Queue an item for the bot."""
        self._link.send(self.node, Tell(self.id, item))

    def end(self, reason: str, sentence: str) -> None:
        """Close the session; the first reason counts."""
        if not self._ended:
            self._ended = True
            self._link.send(self.node, End(self.id, reason, sentence))

    def ping(self) -> None:
        """Measure the round-trip time to the bot."""
        self._link.send(self.node, Measure(self.id))

    def useless(self) -> None:
        """Count a useless item."""
        self._link.send(self.node, Useless(self.id))

    def vouches(self, later: Callable[[bool], None]) -> bool:
        """False: a table asks the node that holds the stream; see away.py."""
        later(False)
        return False
