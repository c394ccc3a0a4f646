"""The journal: the events of all tables, written to the database in groups."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from paddock_server.basics.identity import stamp
from paddock_server.basics.printable import printable_reason
from paddock_server.referee.plan import Begun, Plan
from paddock_server.store import results, store
from paddock_server.store.address import reason
from paddock_server.store.database import Database
from paddock_server.store.rows import EndRow, JournalRow, RatingChange
from paddock_server.store.stuck import mark_stuck
from paddock_server.store.work import Together
from paddock_server.store.writer import TRIES
from paddock_server.tables.notices import Finished

_LOG = logging.getLogger("paddock.journal")
_FEW: Final = 8  # matches under way: with more of them, a thread that writes beside the loop pays


class _Pending(NamedTuple):
    """An event that waits for the end of this turn of the event loop."""

    row: JournalRow
    then: Callable[[], None]


class Journal:
    """The scribe of a server: it groups what tables write in one turn of the event loop.

    A write that fails is tried again until it succeeds. Until then the match waits, and no seat is
    charged for it. If the database rejects it time and again, that match alone is set aside.
    """

    def __init__(self, database: Database) -> None:
        self.rejected: Callable[[int, str], None] = _ignore
        self.under_way: Callable[[], int] = lambda: 0
        self._database = database
        self._pending: list[_Pending] = []

    def open(self, number: int, plan: Plan, begun: Begun, then: Callable[[], None]) -> None:
        """Store that a match begins."""
        self._database.writer.insist(
            lambda connection: store.open_match(connection, number, plan, begun),
            lambda _: self._tell(number, then),
            sync=False,
            brief=self.under_way() <= _FEW,
            rejected=partial(self._reject, number),
        )

    def append(self, row: JournalRow, then: Callable[[], None]) -> None:
        """Journal an event of a match, together with the other events of this turn."""
        if not self._pending:
            asyncio.get_running_loop().call_soon(self._flush)
        self._pending.append(_Pending(row, then))

    def _flush(self) -> None:
        group, self._pending = self._pending, []
        self._write(group)

    def _write(self, group: Sequence[_Pending]) -> None:
        rows = [pending.row for pending in group]
        alone = len(group) == 1
        one, all_of_them = partial(self._reject, rows[0].number), partial(self._split, group)
        self._database.writer.insist(
            lambda connection: store.append(connection, rows),
            lambda _: self._go_on(group),
            sync=False,
            brief=self.under_way() <= _FEW,
            rejected=one if alone else all_of_them,
            tries=TRIES if alone else 1,
        )

    def _split(self, group: Sequence[_Pending], _problem: Exception) -> None:
        """Write the events one by one, so that only the match at fault is set aside."""
        for pending in group:
            self._write([pending])

    def finish(self, finished: Finished, then: Callable[[Finished], None]) -> None:
        """Store the record, the results and the ratings of a finished match."""

        def stored(changes: Sequence[RatingChange] | None) -> None:
            ended = finished._replace(changes=changes or ())  # None: it was stored before
            self._tell(finished.number, lambda: then(ended))

        end = EndRow(finished.number, finished.played, finished.results, finished.plan.rated)
        self._database.writer.insist(
            Together(results.finish_many, end),
            stored,
            sync=True,
            apart=True,
            rejected=partial(self._reject, finished.number),
        )

    def set_aside(self, number: int, why: str, then: Callable[[], None]) -> None:
        """Store that a match is stuck; `then` is called also if that can't be stored."""
        ended = stamp()
        self._database.writer.insist(
            lambda connection: mark_stuck(connection, number, why, ended),
            lambda _: then(),
            sync=True,
            rejected=lambda _: then(),
        )

    def _go_on(self, group: Sequence[_Pending]) -> None:
        for pending in group:
            self._tell(pending.row.number, pending.then)

    def _tell(self, number: int, then: Callable[[], None]) -> None:
        """Tell a table that its write is done; if the table fails, its match alone is set aside."""
        try:
            then()
        except Exception as problem:  # noqa: BLE001 -- the failure of one table must not stop others
            _LOG.exception("match failed after a write: number %d", number)
            kind = type(problem).__name__
            self.rejected(number, f"the server failed while it was played: {kind}")

    def _reject(self, number: int, problem: Exception) -> None:
        self.rejected(number, printable_reason(f"the server could not store it: {reason(problem)}"))


def _ignore(_number: int, _why: str) -> None:
    """Hear of a rejected write while nobody else does."""
