"""Players: what a table knows of a connected bot."""

from collections.abc import Callable
from typing import Protocol

from paddock_server.referee.plan import Entrant


class Player(Protocol):
    """A connected bot, however it is reached; the session of a gRPC stream is one."""

    @property
    def entrant(self) -> Entrant:
        """Who it is."""

    @property
    def lag(self) -> float:
        """How long the way to the bot and back takes, in seconds."""

    def send(self, item: bytes) -> None:
        """Say something to the bot, as soon as it reads."""

    def useless(self) -> None:
        """Note an item that answers nothing."""

    def vouches(self, later: Callable[[bool], None]) -> bool:
        """Whether the way to the bot is known to work, so that its silence is its own.

        False: nobody knows yet. `later` is called once with what is found out, and until then the
        bot is not judged.
        """
