"""The one writer of a process: a thread that does all work that waits in one transaction.

The path of a write, all of it in this module:

1. Code on the event loop hands over work: `write` waits for it, `submit` does not, and `insist`
   tries until it is done.
2. The thread does all work that waits in one transaction. So a table never waits for the disk of
   another, and a busy server pays for one transaction although many tables write.
3. If the connection was cut before the commit, the group was not written: it is done again at once,
   on a new connection. If a group fails for another reason, each of its pieces is done alone, so
   that only those at fault fail; if the database is gone, all fail.
4. The event loop hears of every piece. A failed piece of `insist` goes back to step 1 after a
   pause.
"""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.store.address import CannotOpen, reason
from paddock_server.store.transaction import CutOff, Transactions

T = TypeVar("T")
_LOG = logging.getLogger("paddock.store")
_RETRY_SECONDS: Final = 1.0
_EXPECTED: Final = (SQLAlchemyError, sqlite3.Error, OSError, CannotOpen)  # a database in trouble


class _Work(NamedTuple):
    do: Callable[[Connection], Any]
    done: Callable[[Any], None]  # called on the event loop with the result
    failed: Callable[[Exception], None] | None  # likewise; None: it is tried again
    sync: bool


class _Outcome(NamedTuple):
    result: Any
    problem: Exception | None = None


class Writer:
    """The writer of a process: a thread that serialises all writes to its database."""

    def __init__(self, transactions: Transactions, loop: asyncio.AbstractEventLoop) -> None:
        self._transactions = transactions
        self._loop = loop
        self._waiting: list[_Work] = []
        self._some = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for their transaction."""
        return len(self._waiting)

    async def write(self, do: Callable[[Connection], T]) -> T:
        """The result of this work, once it is synced to the disk."""
        future: asyncio.Future[T] = self._loop.create_future()

        def done(result: T) -> None:
            if not future.cancelled():
                future.set_result(result)

        def failed(problem: Exception) -> None:
            if not future.cancelled():
                future.set_exception(problem)

        self._add(_Work(do, done, failed, sync=True))
        return await future

    def submit(self, do: Callable[[Connection], Any], *, sync: bool) -> None:
        """Do this in the next transaction, without a wait for the result; it is tried once.

        With `sync` the commit waits for the disk. Without it the work survives the death of the
        process, but not a power cut.
        """
        self._add(_Work(do, lambda _: None, lambda problem: _complain("failed", problem), sync))

    def insist(
        self, do: Callable[[Connection], T], done: Callable[[T], None], *, sync: bool
    ) -> None:
        """Do this, again and again until it succeeds; then call `done` on the event loop.

        The work must change nothing when it is done twice.
        """
        self._add(_Work(do, done, None, sync))

    def close(self) -> None:
        """Finish the work that waits, then stop the thread."""
        with self._some:
            self._stopping = True
            self._some.notify()
        self._thread.join()

    def _add(self, work: _Work) -> None:
        with self._some:
            self._waiting.append(work)
            self._some.notify()

    def _run(self) -> None:
        while True:
            with self._some:
                while not self._waiting and not self._stopping:
                    self._some.wait()
                group, self._waiting = self._waiting, []
            if not group:
                return
            outcomes = _outcomes(self._transactions, group)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._report, group, outcomes)

    def _report(self, group: Sequence[_Work], outcomes: Sequence[_Outcome]) -> None:
        for work, outcome in zip(group, outcomes, strict=True):
            try:
                if outcome.problem is None:
                    work.done(outcome.result)
                elif work.failed is not None:
                    work.failed(outcome.problem)
                else:
                    _complain("failed and will be tried again", outcome.problem)
                    self._loop.call_later(_RETRY_SECONDS, self._add, work)
            except Exception:  # noqa: BLE001 -- the others must still hear of it
                _LOG.exception("write done, but its callback failed")


def commit(transactions: Transactions, do: Callable[[Connection], T], *, sync: bool) -> T:
    """The result of this work, done in a transaction; on a new connection if the first was cut."""
    try:
        return transactions.run(do, sync=sync)
    except CutOff:
        try:
            return transactions.run(do, sync=sync)
        except CutOff as again:
            raise again.problem from None


def _outcomes(transactions: Transactions, group: Sequence[_Work]) -> list[_Outcome]:
    try:
        results = commit(
            transactions,
            lambda connection: [work.do(connection) for work in group],
            sync=any(work.sync for work in group),
        )
    except Exception as problem:  # noqa: BLE001 -- whoever waits must hear of any problem
        if len(group) > 1 and not transactions.lost:
            return [outcome for work in group for outcome in _outcomes(transactions, [work])]
        return [_Outcome(None, problem)] * len(group)
    return [_Outcome(result) for result in results]


def _complain(outcome: str, problem: Exception) -> None:
    """Log a failed write that no caller hears of; an unexpected error gets its traceback."""
    bug = None if isinstance(problem, _EXPECTED) else problem
    _LOG.error("write %s: %s", outcome, reason(problem), exc_info=bug)
