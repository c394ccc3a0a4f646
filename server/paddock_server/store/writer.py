"""The one writer of a process: a thread that takes whatever waits, in one transaction.

Whoever runs on the event loop hands it work and goes on; when the group that the work was in is
durable, the loop is told. So a table never waits for the disk of another, and a busy arena pays
for one transaction where many tables had something to write.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection

from paddock_server.store.address import reason
from paddock_server.store.transaction import Transactions

T = TypeVar("T")
_LOG = logging.getLogger("paddock.store")


class _Work(NamedTuple):
    do: Callable[[Connection], Any]
    done: Callable[[Any, BaseException | None], None]
    sync: bool


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

    def submit(
        self,
        do: Callable[[Connection], T],
        done: Callable[[T, BaseException | None], None],
        *,
        sync: bool,
    ) -> None:
        """Have this done in the next transaction, then call `done` on the event loop.

        `sync` asks for the disk's word; without it the work survives the death of the process,
        though not the loss of power, and costs no wait for the disk.
        """
        with self._some:
            self._waiting.append(_Work(do, done, sync))
            self._some.notify()

    async def write(self, do: Callable[[Connection], T]) -> T:
        """The result of this work, once it is on the disk."""
        future: asyncio.Future[T] = self._loop.create_future()

        def done(result: T, problem: BaseException | None) -> None:
            if future.cancelled():
                return
            if problem is not None:
                future.set_exception(problem)
            else:
                future.set_result(result)

        self.submit(do, done, sync=True)
        return await future

    def close(self) -> None:
        """Do what waits, then stop."""
        with self._some:
            self._stopping = True
            self._some.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._some:
                while not self._waiting and not self._stopping:
                    self._some.wait()
                group, self._waiting = self._waiting, []
            if not group:
                return
            self._tell(group, _written(self._transactions, group))

    def _tell(self, group: list[_Work], outcomes: list[tuple[Any, BaseException | None]]) -> None:
        def tell() -> None:
            for work, (result, problem) in zip(group, outcomes, strict=True):
                try:
                    work.done(result, problem)
                except Exception:  # noqa: BLE001 -- the others must be told all the same
                    _LOG.exception("while telling that something was written")

        try:
            self._loop.call_soon_threadsafe(tell)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return


def _written(
    transactions: Transactions, group: Sequence[_Work]
) -> list[tuple[Any, BaseException | None]]:
    """What came of each piece of work; one that fails is left out, the others are written.

    Where the database is gone, which is nobody's doing, all have failed.
    """
    try:
        done = transactions.run(
            lambda connection: [work.do(connection) for work in group],
            sync=any(work.sync for work in group),
        )
    except Exception as problem:  # noqa: BLE001 -- whatever it is, those who wait must know
        if len(group) > 1 and not transactions.lost:
            return [outcome for work in group for outcome in _written(transactions, [work])]
        _LOG.warning("a write failed: %s", reason(problem))
        return [(None, problem)] * len(group)
    return [(result, None) for result in done]
