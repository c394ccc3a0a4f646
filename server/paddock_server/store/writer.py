"""The one writer of a process: a thread that takes whatever waits, in one transaction.

The path of a write, all of it in this module:

1. Whoever runs on the event loop hands over work: `write` waits for it, `submit` does not, and
   `insist` has it done however long that takes.
2. The thread takes all work that waits, in one transaction. So a table never waits for the disk of
   another, and a busy server pays for one transaction where many tables had something to write.
3. Where the connection was cut before the commit, the group surely was not written: it is done
   again at once, on a new connection. Where a group fails for another reason, each of its pieces is
   done alone, so that only those at fault fail; unless the database is gone, when all fail.
4. The event loop hears of every piece. One that failed and is insisted on goes back to step 1
   after a pause.
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
    done: Callable[[Any], None]  # is called on the event loop, with the result
    failed: Callable[[Exception], None] | None  # likewise; None: it is tried again
    sync: bool


class _Outcome(NamedTuple):
    result: Any
    problem: Exception | None = None


class Writer:
    """Serialises all writes of a process to its database."""

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
        """The result of this work, once it is on the disk."""
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
        """Have this done in the next transaction; nobody waits for it, and it is tried once.

        `sync` asks for the disk's word; without it the work survives the death of the process,
        though not the loss of power, and costs no wait for the disk.
        """
        self._add(_Work(do, lambda _: None, lambda problem: _complain("failed", problem), sync))

    def insist(
        self, do: Callable[[Connection], T], done: Callable[[T], None], *, sync: bool
    ) -> None:
        """Have this done, tried again until it is, then call `done` on the event loop.

        It has to be work that changes nothing when it is done twice.
        """
        self._add(_Work(do, done, None, sync))

    def close(self) -> None:
        """Do what waits, then stop."""
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
                    _complain("failed and is tried again", outcome.problem)
                    self._loop.call_later(_RETRY_SECONDS, self._add, work)
            except Exception:  # noqa: BLE001 -- the others must be told all the same
                _LOG.exception("a write is done, and whoever waited for it failed")


def commit(transactions: Transactions, do: Callable[[Connection], T], *, sync: bool) -> T:
    """What this does, in a transaction; where its connection was cut before, on a new one."""
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
    except Exception as problem:  # noqa: BLE001 -- whatever it is, those who wait must know
        if len(group) > 1 and not transactions.lost:
            return [outcome for work in group for outcome in _outcomes(transactions, [work])]
        return [_Outcome(None, problem)] * len(group)
    return [_Outcome(result) for result in results]


def _complain(what: str, problem: Exception) -> None:
    """Log a failed write that nobody else hears of; a bug of ours with its traceback."""
    bug = None if isinstance(problem, _EXPECTED) else problem
    _LOG.error("a write %s: %s", what, reason(problem), exc_info=bug)
