"""The journal: the events of all tables, written to the database in groups."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import NamedTuple

from paddock_server.referee.plan import Begun, Plan
from paddock_server.store import results, store
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.rows import JournalRow, RatingChange
from paddock_server.tables.notices import Finished

_LOG = logging.getLogger("paddock.journal")


class _Pending(NamedTuple):
    """An event that waits for the end of this turn of the event loop."""

    row: JournalRow
    then: Callable[[], None]


class Journal:
    """The scribe of a server: it groups what tables write in one turn of the event loop.

    A write that fails is tried again until it succeeds. Until then the match waits, and no seat is
    charged for it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pending: list[_Pending] = []

    def open(self, number: int, plan: Plan, begun: Begun, then: Callable[[], None]) -> None:
        """Store that a match begins."""
        self._database.writer.insist(
            lambda connection: store.open_match(connection, number, plan, begun),
            lambda _: then(),
            sync=False,
        )

    def append(self, row: JournalRow, then: Callable[[], None]) -> None:
        """Journal an event of a match, together with the other events of this turn."""
        if not self._pending:
            asyncio.get_running_loop().call_soon(self._flush)
        self._pending.append(_Pending(row, then))

    def _flush(self) -> None:
        group, self._pending = self._pending, []
        rows = [pending.row for pending in group]
        self._database.writer.insist(
            lambda connection: store.append(connection, rows),
            lambda _: _go_on(group),
            sync=False,
        )

    def finish(self, finished: Finished, then: Callable[[Finished], None]) -> None:
        """Store the record, the results and the ratings of a finished match."""

        def store_end(connection: Connection) -> Sequence[RatingChange]:
            rated = finished.plan.rated
            changes = results.finish(
                connection, finished.number, finished.record, finished.results, rated=rated
            )
            return changes or ()

        self._database.writer.insist(
            store_end, lambda changes: then(finished._replace(changes=changes)), sync=True
        )


def _go_on(group: Sequence[_Pending]) -> None:
    for pending in group:
        try:
            pending.then()
        except Exception:  # noqa: BLE001 -- the failure of one table must not stop others
            number = pending.row.number
            _LOG.exception("match failed after its event was journalled: number %d", number)
