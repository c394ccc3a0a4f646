"""The drain switch of a server: once it is on, no match begins and no work is taken."""

from typing import Final

from paddock_server.basics.errors import ServerError

_SENTENCE: Final = "the server is about to stop; come back in a moment"


class Draining(ServerError):
    """Raised when new work is offered to a server that is about to stop."""

    reason = "server/draining"

    def __init__(self) -> None:
        super().__init__(_SENTENCE)


class Drain:
    """A switch that is turned on once, before a server stops."""

    def __init__(self) -> None:
        self._begun = False

    @property
    def begun(self) -> bool:
        """Whether the server is about to stop."""
        return self._begun

    def begin(self) -> None:
        """Take no new work from now on."""
        self._begun = True

    def check(self) -> None:
        """Raise Draining if the server is about to stop."""
        if self._begun:
            raise Draining
