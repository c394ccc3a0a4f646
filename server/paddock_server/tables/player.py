"""The player: what a table knows of a connected bot."""

from collections.abc import Callable
from typing import Protocol

from paddock_server.referee.plan import Entrant


class Player(Protocol):
    """A connected bot, as a table sees it; a session is a player."""

    @property
    def entrant(self) -> Entrant:
        """The bot, with its version and owner."""

    @property
    def lag(self) -> float:
        """The round-trip time to the bot, in seconds."""

    @property
    def host_delay(self) -> float:
        """The seconds of its open ask in which its host kept the bot from a processor.

        Only the runner of a hosted bot tells.
        """

    def send(self, item: bytes) -> None:
        """Queue an item for the bot."""

    def ask(self, item: bytes, ask_id: int) -> None:
        """Queue an ask for the bot."""

    def useless(self) -> None:
        """Count a useless item."""

    def vouches(self, later: Callable[[bool], None]) -> bool:
        """Whether the connection to the bot is known to work, so that the bot itself is late.

        False: it is not known yet. `later` is called once with the result, and the bot is not
        judged before.
        """
