"""The one writer of a process: a thread that does what waits in transactions, another that syncs.

The path of a write, all of it in this module:

1. Code on the event loop hands over work: `write` waits for it, `submit` does not, and `insist`
   tries until it is done. Work that has to be on the disk before anybody hears of it, such as the
   end of a match, goes into one lane; all other work, such as the journal, into the other.
2. The first thread does all work that waits in a lane in one transaction, the journal's lane first.
   So a busy server pays for one transaction although many tables write. No commit waits for the
   disk.
3. Work without a need for the disk is done. The rest goes to the second thread, which waits for the
   disk, once for all that was committed by then. So no step of a match ever waits for the disk.
4. If the connection was cut before the commit, the group was not written: it is done again at once,
   on a new connection. If a group fails for another reason, each of its pieces is done alone, so
   that only those at fault fail; if the database is gone, all fail.
5. The event loop hears of every piece. A failed piece of `insist` goes back to step 1 after a
   pause, as long as the database is in trouble. A piece that the database itself rejects
   several times is given up, and its owner hears of that.
"""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.basics.errors import ServerError
from paddock_server.store.address import CannotOpen, away, reason
from paddock_server.store.rejection import is_rejection
from paddock_server.store.transaction import CutOff, Transactions

T = TypeVar("T")
_LOG = logging.getLogger("paddock.store")
_RETRY_SECONDS: Final = 1.0
_AT_ONCE: Final = 64  # pieces that are to be synced in one transaction: steps wait for it
TRIES: Final = 5
"""Rejections after which a write is given up."""
_EXPECTED: Final = (SQLAlchemyError, sqlite3.Error, OSError, CannotOpen)  # a database in trouble


class Together(NamedTuple):
    """Work that is done in one call with others of its kind that wait next to it.

    `do` gets the items of all of them, and returns a result for each.
    """

    do: Callable[[Connection, Sequence[Any]], Sequence[Any]]
    item: Any


class _Work(NamedTuple):
    do: Callable[[Connection], Any] | Together
    done: Callable[[Any], None]  # called on the event loop with the result
    failed: Callable[[Exception], None] | None  # likewise; None: it is tried again
    sync: bool
    rejected: Callable[[Exception], None] | None = None  # called after the last rejection
    tries: int = 1  # rejections until then


class _Outcome(NamedTuple):
    result: Any
    problem: Exception | None = None


class _Done(NamedTuple):
    """Work that was committed, or failed."""

    group: Sequence[_Work]
    outcomes: Sequence[_Outcome]
    sync: Callable[[], None]  # waits until it is on the disk


class Writer:
    """The writer of a process: it serialises all writes to its database."""

    def __init__(self, transactions: Transactions, loop: asyncio.AbstractEventLoop) -> None:
        self._transactions = transactions
        self._loop = loop
        self._waiting: list[_Work] = []  # for a transaction alone
        self._to_sync: list[_Work] = []  # for a transaction, and then for the disk
        self._committed: SimpleQueue[_Done | None] = SimpleQueue()  # for the disk; None: the end
        self._unsynced = 0  # pieces that wait for the disk
        self._some = threading.Condition()
        self._stopping = False
        self._writing = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self._syncing = threading.Thread(target=self._sync_all, name="disk", daemon=True)
        self._writing.start()
        self._syncing.start()

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for their transaction, or for the disk."""
        return len(self._waiting) + len(self._to_sync) + self._unsynced

    async def write(self, do: Callable[[Connection], T]) -> T:
        """The result of this work, once it is synced to the disk.

        Raises CannotOpen if the database could not be written to.
        """
        future: asyncio.Future[T] = self._loop.create_future()

        def done(result: T) -> None:
            if not future.cancelled():
                future.set_result(result)

        def failed(problem: Exception) -> None:
            if not isinstance(problem, ServerError) and not is_rejection(problem):
                _complain("failed", problem)
                problem = away(problem)
            if not future.cancelled():
                future.set_exception(problem)

        self._add(_Work(do, done, failed, sync=True))
        return await future

    def submit(self, do: Callable[[Connection], Any], *, sync: bool) -> None:
        """Do this in the next transaction, without a wait for the result; it is tried once.

        Without `sync` the work survives the death of the process, but maybe not a power cut.
        """
        self._add(_Work(do, lambda _: None, lambda problem: _complain("failed", problem), sync))

    def insist(
        self,
        do: Callable[[Connection], T] | Together,
        done: Callable[[T], None],
        *,
        sync: bool,
        rejected: Callable[[Exception], None] | None = None,
        tries: int = TRIES,
    ) -> None:
        """Do this, again and again until it succeeds; then call `done` on the event loop.

        With `sync`, that is when it is on the disk.
        With `rejected`, that is called instead when the database, though it is there, has rejected
        the work `tries` times. The work must change nothing when it is done twice.
        """
        self._add(_Work(do, done, None, sync, rejected=rejected, tries=tries))

    def close(self) -> None:
        """Finish the work that waits, then stop the threads."""
        with self._some:
            self._stopping = True
            self._some.notify()
        self._writing.join()
        self._syncing.join()

    def _add(self, work: _Work) -> None:
        with self._some:
            (self._to_sync if work.sync else self._waiting).append(work)
            self._some.notify()

    def _write_all(self) -> None:
        while self._write_next():
            pass
        self._committed.put(None)

    def _write_next(self) -> bool:
        """Do the work that waits, or the next; False: there is none to come. It keeps nothing."""
        with self._some:
            while not (self._waiting or self._to_sync or self._stopping):
                self._some.wait()
            waiting, self._waiting = self._waiting, []
            to_sync, self._to_sync = self._to_sync[:_AT_ONCE], self._to_sync[_AT_ONCE:]
            self._unsynced += len(to_sync)
        if waiting:
            self._tell(_done(self._transactions, waiting))
        if to_sync:
            self._committed.put(_done(self._transactions, to_sync))
        return bool(waiting or to_sync)

    def _sync_all(self) -> None:
        while self._sync_next():
            pass

    def _sync_next(self) -> bool:
        """Wait for the disk, for all that was committed; False: no more is. It keeps nothing."""
        some = [self._committed.get()]
        while not self._committed.empty():
            some.append(self._committed.get())
        synced = _synced([done for done in some if done is not None])
        with self._some:
            self._unsynced -= sum(len(done.group) for done in synced)
        for done in synced:
            self._tell(done)
        return None not in some

    def _tell(self, done: _Done) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._report, done.group, done.outcomes)

    def _report(self, group: Sequence[_Work], outcomes: Sequence[_Outcome]) -> None:
        for work, outcome in zip(group, outcomes, strict=True):
            try:
                if outcome.problem is None:
                    work.done(outcome.result)
                elif work.failed is not None:
                    work.failed(outcome.problem)
                else:
                    self._try_again(work, outcome.problem)
            except Exception:  # noqa: BLE001 -- the others must still hear of it
                _LOG.exception("write done, but its callback failed")

    def _try_again(self, work: _Work, problem: Exception) -> None:
        if work.rejected is not None and is_rejection(problem):
            if work.tries <= 1:
                _complain("rejected and given up", problem)
                work.rejected(problem)
                return
            work = work._replace(tries=work.tries - 1)
        _complain("failed and will be tried again", problem)
        self._loop.call_later(_RETRY_SECONDS, self._add, work)


def commit(transactions: Transactions, do: Callable[[Connection], T], *, sync: bool) -> T:
    """The result of this work, done in a transaction; on a new connection if the first was cut."""
    try:
        return transactions.run(do, sync=sync)
    except CutOff:
        try:
            return transactions.run(do, sync=sync)
        except CutOff as again:
            raise again.problem from None


def _done(transactions: Transactions, group: Sequence[_Work]) -> _Done:
    """This work, done in a transaction, or several."""
    return _Done(group, _outcomes(transactions, group), transactions.sync)


def _outcomes(transactions: Transactions, group: Sequence[_Work]) -> list[_Outcome]:
    try:
        results = commit(
            transactions,
            lambda connection: _results(connection, group),
            sync=False,
        )
    except Exception as problem:  # noqa: BLE001 -- whoever waits must hear of any problem
        if len(group) > 1 and not transactions.lost:
            return [outcome for work in group for outcome in _outcomes(transactions, [work])]
        return [_Outcome(None, problem)] * len(group)
    return [_Outcome(result) for result in results]


def _results(connection: Connection, group: Sequence[_Work]) -> list[Any]:
    """The result of every piece of work; what is done together is done in one call."""
    results: list[Any] = []
    for do, some in groupby(group, key=_kind):
        if do is None:
            results += [work.do(connection) for work in some]  # type: ignore[operator]
        else:
            results += do(connection, [work.do.item for work in some])  # type: ignore[union-attr]
    return results


def _kind(work: _Work) -> Callable[[Connection, Sequence[Any]], Sequence[Any]] | None:
    return work.do.do if isinstance(work.do, Together) else None


def _synced(some: Sequence[_Done]) -> list[_Done]:
    """What was committed, once it is on the disk; where that fails, nobody can rely on it."""
    problems = {sync: _problem(sync) for sync in {done.sync for done in some}}
    return [
        done if problems[done.sync] is None else _failed(done, problems[done.sync]) for done in some
    ]


def _problem(sync: Callable[[], None]) -> Exception | None:
    try:
        sync()
    except Exception as problem:  # noqa: BLE001 -- whoever waits must hear of any problem
        return problem
    return None


def _failed(done: _Done, problem: Exception | None) -> _Done:
    failed = _Outcome(None, problem)
    outcomes = [failed if outcome.problem is None else outcome for outcome in done.outcomes]
    return done._replace(outcomes=outcomes)


def _complain(outcome: str, problem: Exception) -> None:
    """Log a failed write that no caller hears of; an unexpected error gets its traceback."""
    bug = None if isinstance(problem, _EXPECTED) else problem
    _LOG.error("write %s: %s", outcome, reason(problem), exc_info=bug)
