"""The steward: the one node whose lobby and desk decide for all who plays whom, and when."""

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from paddock_server.cluster.cluster_tables import ClusterTables
from paddock_server.cluster.far_session import FarSession
from paddock_server.cluster.holder import Holder
from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import Entered, Leads, Left
from paddock_server.lobby.guest import Guest
from paddock_server.lobby.hall import Full, Outdated
from paddock_server.lobby.lobby import Lobby

_LOG: Final = logging.getLogger("paddock.cluster")


class Steward:
    """This node's part in the stewardship: none, until it leads."""

    def __init__(self, link: Link, tables: ClusterTables, holder: Holder, lobby: Lobby) -> None:
        self._link = link
        self._tables = tables
        self._holder = holder
        self._lobby = lobby
        self._loaded = False
        self._told: set[int] = set()  # nodes that know that this one leads
        self._guests: dict[tuple[int, str], Guest] = {}  # by node and session

    @property
    def leading(self) -> bool:
        """Whether this node is the steward."""
        return self._tables.leading

    async def lead(self, begin: Callable[[], Awaitable[None]]) -> None:
        """Take over: load what waits and what is open. Then all nodes say who is connected."""
        _LOG.info("steward: this node pairs bots and begins matches now")
        self._tables.leading = True
        await begin()
        self._loaded = True

    def resign(self) -> None:
        """Decide no more: this node is about to stop, and another one takes over."""
        self._tables.leading = False
        if self._holder.steward == self._link.me:
            self._holder.steward = None

    def announce(self, nodes: Iterable[int]) -> None:
        """Tell nodes once that this one leads, as soon as it does."""
        if self.leading and self._loaded:
            for node in set(nodes) - self._told:
                self._told.add(node)
                self._link.send(node, Leads())

    def entered(self, node: int, entered: Entered) -> None:
        """A bot is connected, on this node or another."""
        key = node, entered.session
        if not self.leading or key in self._guests:
            return
        guest = self._guest(node, entered)
        if guest is None:
            return
        self._guests[key] = guest
        try:
            self._lobby.entered(guest, entered.resumes)
        except (Full, Outdated) as refused:
            guest.end(refused.reason, refused.sentence)

    def _guest(self, node: int, entered: Entered) -> Guest | None:
        if node != self._link.me:
            return FarSession(self._link, node, entered)
        stream = self._holder.streams.get(entered.session)
        return None if stream is None else stream.session

    def left(self, node: int, left: Left) -> None:
        """A session is over."""
        guest = self._guests.pop((node, left.session), None)
        if guest is not None:
            if isinstance(guest, FarSession):
                guest.node_gone = left.stranded
            self._lobby.left(guest)

    def node_gone(self, node: int) -> None:
        """A node is gone: its bots are away without a fault of theirs, others play its matches."""
        for key in [key for key in self._guests if key[0] == node]:
            guest = self._guests.pop(key)
            if isinstance(guest, FarSession):
                guest.node_gone = True
            self._lobby.left(guest)
        self._tables.node_gone(node)
