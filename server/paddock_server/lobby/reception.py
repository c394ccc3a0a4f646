"""The reception: what the stream of a bot needs of the lobby."""

from typing import Protocol

from paddock_server.lobby.budget import Budget
from paddock_server.lobby.guest import Guest
from paddock_server.lobby.presence import Presence


class Reception(Protocol):
    """The place where bots come in and go out; the lobby is one."""

    @property
    def draining(self) -> bool:
        """Whether the server is about to stop."""

    @property
    def budget(self) -> Budget:
        """What bots may cost the server with what answers nothing."""

    @property
    def presence(self) -> Presence:
        """Who is connected."""

    def open_matches_of(self, bot: str) -> int:
        """How many matches a bot is playing."""

    async def next_order(self) -> int:
        """The place of a new session among all of the cluster; 0: there is no cluster."""

    def entered(self, guest: Guest, resume_token: str = "") -> bool:
        """A bot is connected; True: it resumed an earlier session."""

    def left(self, guest: Guest) -> None:
        """A bot's session is over."""
