"""The transactions of a connection that writes, and what can become of them."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from paddock_server.basics.errors import ServerError

T = TypeVar("T")


class CutOff(ServerError):
    """Raised when a connection was cut before the commit, so that nothing was written."""

    reason = "database/unusable"

    def __init__(self, problem: Exception) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Transactions(Protocol):
    """The transactions of a connection that writes."""

    @property
    def lost(self) -> bool:
        """Whether the connection to the database is lost."""

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        """The result of this work, done in one transaction; `sync` waits for the disk.

        Raises CutOff if nothing was written and a new connection may be tried.
        """

    @property
    def sync(self) -> Callable[[], None]:
        """A function that waits until all that was committed so far is on the disk.

        Another thread may call it while this one goes on. It raises if nobody can know.
        """

    @property
    def local(self) -> bool:
        """Whether a transaction can be done at once, because it is in a file of this machine."""

    def run_at_once(self, do: Callable[[Connection], T]) -> T:
        """The result of this work, done in one transaction, for code that must not wait.

        It raises where it would have to wait for others, and leaves long work to later ones.
        """

    def beside(self) -> "Transactions | None":
        """Transactions on a connection of their own, for another thread; None: there is but one.

        Whoever asks closes them.
        """

    def close(self) -> None:
        """Release the lock, so that another process can write; readers are closed before."""


class Fence(Protocol):
    """A fence around the writes of one node of a cluster; other nodes write, too."""

    def check(self, connection: Connection) -> None:
        """Raise an error if nothing may be written in the transaction that has just begun."""
