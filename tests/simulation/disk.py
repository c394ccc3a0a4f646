"""The simulated disk: a writer without a thread, whose commits take time, fail or get lost."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from paddock_server.store.database import Database
from paddock_server.store.transaction import Transactions
from paddock_server.store.work import Done, Work, done_by, outcomes, synced
from paddock_server.store.writer import Writer

T = TypeVar("T")


class Disk:
    """The disk under a database: it can be full, and it can lose what was not synced."""

    def __init__(self, path: Path, chance: Random) -> None:
        self.path = path
        self.chance = chance
        self.full = False
        self.keeps_synced = False  # whether `lose_unsynced` may be called
        self.lies = False  # whether it says that something is synced when it is not
        self._synced = b""

    def committed(self, *, sync: bool) -> None:
        """A transaction was committed."""
        if sync and self.keeps_synced and (not self.lies or self.chance.random() < 0.05):
            with sqlite3.connect(self.path) as connection:
                self._synced = connection.serialize()
            connection.close()

    def lose_unsynced(self) -> None:
        """Cut the power: only what was synced is left. Nobody has the database open."""
        if self._synced:
            for behind in ("-wal", "-shm"):
                self.path.with_name(self.path.name + behind).unlink(missing_ok=True)
            self.path.write_bytes(self._synced)


class _OnDisk:
    """The transactions of a database on a simulated disk."""

    def __init__(self, inner: Transactions, disk: Disk) -> None:
        self._inner = inner
        self._disk = disk

    @property
    def lost(self) -> bool:
        return self._inner.lost

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        if self._disk.full:
            full = sqlite3.OperationalError("database or disk is full")
            raise OperationalError("COMMIT", None, full)
        result = self._inner.run(do, sync=sync)
        self._disk.committed(sync=sync)
        return result

    def sync(self) -> None:
        self._inner.sync()
        self._disk.committed(sync=True)

    local = False  # a brief piece of work may take a while here, too

    def run_at_once(self, do: Callable[[Connection], T]) -> T:
        raise NotImplementedError

    def beside(self) -> None:
        return None

    def close(self) -> None:
        self._inner.close()


class DiskWriter(Writer):
    """The writer of the product, but its threads are timers."""

    def __init__(self, transactions: Transactions, disk: Disk) -> None:
        self._transactions = transactions
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Work] = []
        self._to_sync: list[Work] = []
        self._committed_here: list[Done] = []
        self._faults = disk
        self._timers: dict[Callable[[], None], asyncio.TimerHandle] = {}
        self._dead = False

    def _add(self, work: Work) -> None:
        if self._dead:
            return
        (self._to_sync if work.sync else self._waiting).append(work)
        self._soon(self._commit)

    def _soon(self, do: Callable[[], None]) -> None:
        """Do this after a moment, once, however often it is wanted."""
        if do not in self._timers:
            delay = self._faults.chance.choice((0.0, 0.0005, 0.002, 0.02))
            self._timers[do] = self._loop.call_later(delay, do)

    def _commit(self) -> None:
        del self._timers[self._commit]
        group, self._waiting = self._waiting, []
        if group:
            self._report(group, outcomes(self._transactions, group))
        group, self._to_sync = self._to_sync, []
        if group:
            self._committed_here.append(done_by(self._transactions, group))
            self._soon(self._sync)

    def _sync(self) -> None:
        del self._timers[self._sync]
        some, self._committed_here = self._committed_here, []
        for done in synced(some):
            self._report(done.group, done.outcomes)

    def die(self) -> None:
        """The process is killed: what waits may be committed or not, and nobody hears of it."""
        self._dead = True
        for timer in self._timers.values():
            timer.cancel()
        for lane in (self._waiting, self._to_sync):
            if lane and self._faults.chance.random() < 0.5:
                outcomes(self._transactions, lane)
        self._waiting, self._to_sync, self._committed_here = [], [], []

    def close(self) -> None:
        """Nothing to do: there is no thread."""


def database_on(disk: Disk) -> Database:
    """A database that is open for writing, on a simulated disk."""
    database: Any = Database(str(disk.path))
    database._transactions = _OnDisk(database._transactions, disk)
    database._writer = DiskWriter(database._transactions, disk)
    return database  # type: ignore[no-any-return]
