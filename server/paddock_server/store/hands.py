"""Threads of the writer: a hand does work in transactions, the disk is waited for by another."""

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

from paddock_server.store.transaction import Transactions
from paddock_server.store.work import Done, Work, done_at_once, done_by, synced

_TOGETHER: Final = 64  # pieces that are to be synced in one transaction: steps wait for it
_IN_A_ROW: Final = 1000  # brief pieces of work: then the thread has its turn, and copies the log


class Disk:
    """A thread that waits for the disk, for all that was committed by then."""

    def __init__(self, tell: Callable[[Done], None]) -> None:
        """`tell` gets what is on the disk, or failed, in this thread."""
        self._tell = tell
        self._committed: SimpleQueue[Done | None] = SimpleQueue()  # None: the end
        self._lock = threading.Lock()
        self._expected = 0
        self._thread = threading.Thread(target=self._sync_all, name="disk", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many pieces of work are expected, or wait for the disk."""
        return self._expected

    def expect(self, size: int) -> None:
        """So many pieces are about to be done; each comes to `put`, however it comes out."""
        with self._lock:
            self._expected += size

    def put(self, done: Done) -> None:
        """Wait for the disk, for this as well."""
        self._committed.put(done)

    def close(self) -> None:
        """Stop, once all that was committed is on the disk."""
        self._committed.put(None)
        self._thread.join()

    def _sync_all(self) -> None:
        while self._sync_next():
            pass

    def _sync_next(self) -> bool:
        """Wait for the disk, for all that was committed; False: no more is. It keeps nothing."""
        some = [self._committed.get()]
        while not self._committed.empty():
            some.append(self._committed.get())
        on_disk = synced([done for done in some if done is not None])
        self.expect(-sum(len(done.group) for done in on_disk))
        for done in on_disk:
            self._tell(done)
        return None not in some


class Hand:
    """A thread that writes, with a connection of its own: it has two lanes."""

    def __init__(
        self, name: str, transactions: Transactions, disk: Disk, tell: Callable[[Done], None]
    ) -> None:
        """`tell` gets what was committed, or failed, and needs no disk, in this thread."""
        self._transactions = transactions
        self._disk = disk
        self._tell = tell
        self._waiting: list[Work] = []  # for a transaction alone
        self._to_sync: list[Work] = []  # for a transaction, and then for the disk
        self._some = threading.Condition()
        self._busy = False
        self._at_once = 0  # pieces of work, since the thread had its turn
        self._stopping = False
        self._thread = threading.Thread(target=self._write_all, name=name, daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for their transaction."""
        return len(self._waiting) + len(self._to_sync)

    def add(self, work: Work) -> None:
        """Do this in the next transaction of its lane."""
        with self._some:
            (self._to_sync if work.sync else self._waiting).append(work)
            self._some.notify()

    def do_at_once(self, work: Work) -> Done | None:
        """Do this in the thread of the caller; None: it was not done, because it has to wait."""
        if self._at_once >= _IN_A_ROW or not self._some.acquire(blocking=False):
            return None
        try:
            if self._busy or self.waiting or self._stopping:
                return None
            self._at_once += 1
            return done_at_once(self._transactions, work)
        finally:
            self._some.release()

    def close(self) -> None:
        """Finish the work that waits, then stop."""
        with self._some:
            self._stopping = True
            self._some.notify()
        self._thread.join()

    def _write_all(self) -> None:
        while self._write_next():
            pass

    def _write_next(self) -> bool:
        """Do the work that waits, or the next; False: there is none to come. It keeps nothing."""
        with self._some:
            while not (self._waiting or self._to_sync or self._stopping):
                self._some.wait()
            waiting, self._waiting = self._waiting, []
            to_sync, self._to_sync = self._to_sync[:_TOGETHER], self._to_sync[_TOGETHER:]
            if to_sync:
                self._disk.expect(len(to_sync))
            self._busy, self._at_once = True, 0
        if waiting:
            self._tell(done_by(self._transactions, waiting))
        if to_sync:
            self._disk.put(done_by(self._transactions, to_sync))
        self._busy = False
        return bool(waiting or to_sync)
