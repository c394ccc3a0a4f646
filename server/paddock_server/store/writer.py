"""The one writer of a process: threads that do what waits in transactions, another that syncs.

The path of a write, in this module, hands.py and work.py:

1. Code on the event loop hands over work: `write` waits for it, `submit` does not, and `insist`
   tries until it is done. Work that has to be on the disk before anybody hears of it, such as the
   end of a match, goes into one lane; all other work, such as the journal, into the other.
2. A thread does all work that waits in a lane in one transaction, the journal's lane first. So a
   busy server pays for one transaction although many tables write. No commit waits for the disk.
   In a cluster, ends of matches have a thread and a connection of their own: they wait for ratings
   that other nodes change, and no step of a match waits with them.
   A thread that wakes up costs more than a small transaction. So brief work, such as a step of a
   match, is done at once on the event loop where nothing else is being written and the database is
   a file: a few pieces in a turn of the loop, while the rest goes to the thread together. It waits
   for no other program there and never copies the log, but the first commit after the thread has
   copied it, every 32 MB, syncs the log's head. What fails goes to the thread, too.
3. Work without a need for the disk is done. The rest goes to the last thread, which waits for the
   disk, once for all that was committed by then. So no step of a match waits for another's end.
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
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.basics.errors import ServerError
from paddock_server.store.address import CannotOpen, away, reason
from paddock_server.store.hands import Disk, Hand
from paddock_server.store.rejection import is_rejection
from paddock_server.store.transaction import Transactions
from paddock_server.store.work import Done, Outcome, Together, Work

T = TypeVar("T")
_LOG = logging.getLogger("paddock.store")
_RETRY_SECONDS: Final = 1.0
_IN_A_TURN: Final = 4  # brief pieces of work that are done at once
TRIES: Final = 5
"""Rejections after which a write is given up."""
_EXPECTED: Final = (SQLAlchemyError, sqlite3.Error, OSError, CannotOpen)  # a database in trouble


class Writer:
    """The writer of a process: it serialises all writes to its database."""

    def __init__(self, transactions: Transactions, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._local = transactions.local
        self._in_turn = 0  # brief pieces of work, in this turn of the event loop
        self._apart = transactions.beside()
        self._disk = Disk(self._tell)
        self._hands = [Hand("writer", transactions, self._disk, self._tell)]
        if self._apart is not None:
            self._hands.append(Hand("apart", self._apart, self._disk, self._tell))

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for their transaction, or for the disk."""
        return sum(hand.waiting for hand in self._hands) + self._disk.waiting

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

        self._add(Work(do, done, failed, sync=True))
        return await future

    def submit(self, do: Callable[[Connection], Any], *, sync: bool) -> None:
        """Do this in the next transaction, without a wait for the result; it is tried once.

        Without `sync` the work survives the death of the process, but maybe not a power cut.
        """
        self._add(Work(do, lambda _: None, lambda problem: _complain("failed", problem), sync))

    def insist(
        self,
        do: Callable[[Connection], T] | Together,
        done: Callable[[T], None],
        *,
        sync: bool,
        apart: bool = False,
        brief: bool = False,
        rejected: Callable[[Exception], None] | None = None,
        tries: int = TRIES,
    ) -> None:
        """Do this, again and again until it succeeds; then call `done` on the event loop.

        With `sync`, that is when it is on the disk. With `apart` it may have to wait for other
        nodes of a cluster, so in a cluster all other work goes on beside it, in no order. Work that
        is `brief` may be done at once, on the event loop.
        With `rejected`, that is called instead when the database, though it is there, has rejected
        the work `tries` times. The work must change nothing when it is done twice.
        """
        self._add(Work(do, done, None, sync, apart, brief=brief, rejected=rejected, tries=tries))

    def close(self) -> None:
        """Finish the work that waits, then stop the threads."""
        for hand in self._hands:
            hand.close()
        self._disk.close()
        if self._apart is not None:
            self._apart.close()

    def _add(self, work: Work) -> None:
        hand = self._hands[-1 if work.apart else 0]
        done = hand.do_at_once(work) if self._may_be_at_once(work) else None
        if done is None:
            hand.add(work)
        else:
            self._loop.call_soon(self._report, done.group, done.outcomes)

    def _may_be_at_once(self, work: Work) -> bool:
        if not work.brief or work.sync or work.apart or not self._local:
            return False
        if not self._in_turn:
            self._loop.call_soon(self._begin_turn)
        self._in_turn += 1
        return self._in_turn <= _IN_A_TURN

    def _begin_turn(self) -> None:
        self._in_turn = 0

    def _tell(self, done: Done) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._report, done.group, done.outcomes)

    def _report(self, group: Sequence[Work], outcomes: Sequence[Outcome]) -> None:
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

    def _try_again(self, work: Work, problem: Exception) -> None:
        if work.rejected is not None and is_rejection(problem):
            if work.tries <= 1:
                _complain("rejected and given up", problem)
                work.rejected(problem)
                return
            work = work._replace(tries=work.tries - 1)
        _complain("failed and will be tried again", problem)
        self._loop.call_later(_RETRY_SECONDS, self._add, work)


def _complain(outcome: str, problem: Exception) -> None:
    """Log a failed write that no caller hears of; an unexpected error gets its traceback."""
    bug = None if isinstance(problem, _EXPECTED) else problem
    _LOG.error("write %s: %s", outcome, reason(problem), exc_info=bug)
