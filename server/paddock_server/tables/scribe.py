"""The scribe: it makes the events of tables durable."""

from collections.abc import Callable
from typing import Protocol

from paddock_server.referee.plan import Begun, Plan
from paddock_server.store.rows import JournalRow
from paddock_server.tables.notices import Finished


class Scribe(Protocol):
    """A writer for tables; it calls each `then` once, when the write is durable.

    Where a write can't ever be done, `rejected` is called with the number of its match and the
    reason, and `then` is not.
    """

    rejected: Callable[[int, str], None]
    under_way: Callable[[], int]  # how many matches are

    def set_aside(self, number: int, why: str, then: Callable[[], None]) -> None:
        """Store that a match is stuck; `then` is called also if that can't be stored."""

    def open(self, number: int, plan: Plan, begun: Begun, then: Callable[[], None]) -> None:
        """Store that a match begins."""

    def append(self, row: JournalRow, then: Callable[[], None]) -> None:
        """Journal an event of a match."""

    def finish(self, finished: Finished, then: Callable[[Finished], None]) -> None:
        """Store a finished match; `then` gets it with its rating changes."""
