"""The reception of a node: streams come in here, whichever node the steward is."""

from typing import Final

from paddock_server.cluster.holder import Holder
from paddock_server.lobby.budget import Budget
from paddock_server.lobby.guest import Guest
from paddock_server.lobby.lobby import Lobby
from paddock_server.lobby.presence import Presence
from paddock_server.store import nodes
from paddock_server.store.database import Database
from paddock_server.tables.local_tables import LocalTables
from paddock_server.wire import items

_GOODBYE: Final = "this node is about to stop; come back at once, to any node"


class ClusterReception:
    """The reception of bots on a node that may not be the steward."""

    def __init__(
        self, lobby: Lobby, holder: Holder, tables: LocalTables, database: Database
    ) -> None:
        self.draining = False
        self._lobby = lobby
        self._holder = holder
        self._tables = tables
        self._database = database

    @property
    def budget(self) -> Budget:
        """What bots may cost this node with what answers nothing."""
        return self._lobby.budget

    @property
    def presence(self) -> Presence:
        """Who is connected, as far as this node knows."""
        return self._lobby.presence

    def open_matches_of(self, bot: str) -> int:
        """How many matches a bot is playing, as far as this node knows."""
        return self._lobby.open_matches_of(bot)

    async def next_order(self) -> int:
        """The place of a new session among all of the cluster, by the database."""
        return await self._database.writer.write(nodes.next_session)

    def entered(self, guest: Guest, resume_token: str = "") -> bool:
        """A bot is connected; the steward hears of it. False: only it knows whether it resumed."""
        self._holder.enter(guest, resume_token)
        return False

    def left(self, guest: Guest) -> None:
        """A bot's session is over; if this node drains, the bot is not to blame."""
        (self._tables.stranded if self.draining else self._tables.lost)(guest)
        self._holder.leave(guest, stranded=self.draining)

    def dismiss_all(self, return_after_ms: int) -> None:
        """Send all bots to other nodes: this one is about to stop."""
        goodbye = items.goodbye("server/draining", _GOODBYE, return_after_ms)
        for stream in list(self._holder.streams.values()):
            session = stream.session
            self.left(session)  # before the bot can be back elsewhere
            session.send(goodbye)
            session.end("server/draining", _GOODBYE)
