"""Scribes: whoever makes durable what happens at a table."""

from collections.abc import Callable
from typing import Protocol

from paddock_server.referee.plan import Begun, Plan
from paddock_server.store.rows import JournalRow
from paddock_server.tables.notices import Finished


class Scribe(Protocol):
    """Writes for tables; each `then` is called once, when the thing is durable."""

    def open(self, number: int, plan: Plan, begun: Begun, then: Callable[[], None]) -> None:
        """Note that a match is being played."""

    def append(self, row: JournalRow, then: Callable[[], None]) -> None:
        """Journal an event of a match."""

    def finish(self, finished: Finished, then: Callable[[Finished], None]) -> None:
        """Store the end of a match; `then` gets it with what it did to ratings."""
