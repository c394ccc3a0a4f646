"""Transactions on SQLite, a file that no other process of Paddock writes to."""

import os
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine

from paddock_server.store.address import Address
from paddock_server.store.file_lock import FileLock

T = TypeVar("T")
_sync_file: Final = getattr(os, "fdatasync", os.fsync)  # not every system has the first


class _Pace(NamedTuple):
    """The pace of a transaction on SQLite: how long it may take."""

    synchronous: str
    checkpoint: int  # pages in the log, after which a commit copies them to their place; 0: never
    busy_timeout: int = 10_000  # ms that it waits for other programs


# Many matches change the same pages, so they are copied to their place after 32 MB, not 4.
_SYNC: Final = _Pace("FULL", checkpoint=8000)
_COMMIT: Final = _Pace("NORMAL", checkpoint=8000)
_AT_ONCE: Final = _Pace("NORMAL", checkpoint=0, busy_timeout=0)


class OnSqlite:
    """Transactions on SQLite, which bypass SQLAlchemy.

    SQLAlchemy's own would take twice as long as SQLite needs for a step of a match. The statements
    inside may be SQLAlchemy's or the driver's.
    """

    lost = False
    local = True

    def __init__(self, address: Address, engine: Engine) -> None:
        file = address.file
        assert file is not None, "a server has no file"  # noqa: S101
        self._engine = engine
        self._lock = FileLock(file, address.shown)
        try:
            self._connection = engine.connect()
        except BaseException:
            self._lock.release()
            raise
        self._sqlite: Any = self._connection.connection.dbapi_connection
        self._pace: _Pace | None = None
        target = file.resolve()  # SQLite keeps its log beside the file, not beside a link to it
        self._log_file = target.with_name(f"{target.name}-wal")
        self._log: int | None = None  # its descriptor

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        """The result of this work, done in one transaction; `sync` waits for the disk."""
        return self._run(do, _SYNC if sync else _COMMIT)

    def run_at_once(self, do: Callable[[Connection], T]) -> T:
        """The result of this work; where others write it fails, and it never copies the log."""
        return self._run(do, _AT_ONCE)

    def _run(self, do: Callable[[Connection], T], pace: _Pace) -> T:
        execute = self._sqlite.execute
        if pace is not self._pace:
            self._pace = None
            execute(f"PRAGMA synchronous={pace.synchronous}")
            execute(f"PRAGMA wal_autocheckpoint={pace.checkpoint}")
            execute(f"PRAGMA busy_timeout={pace.busy_timeout}")
            self._pace = pace
        # A deferred transaction that turns into a write late can lose an update without an error.
        execute("BEGIN IMMEDIATE")
        try:
            result = do(self._connection)
            execute("COMMIT")
        except BaseException:
            self._sqlite.rollback()
            raise
        finally:
            self._connection.rollback()  # ends the transaction that SQLAlchemy assumes
        return result

    def sync(self) -> None:
        """Wait until all that was committed so far is on the disk."""
        # A commit is in the write-ahead log, or a checkpoint has synced it. SQLite itself would do
        # just this at the end of a commit, and nobody could write until it is done. It keeps no
        # locks on this file, which it would lose with the descriptor.
        if self._log is None:
            self._log = os.open(self._log_file, os.O_RDONLY | os.O_CLOEXEC)
        _sync_file(self._log)

    def beside(self) -> None:
        """None: one transaction at a time can write to a file."""

    def close(self) -> None:
        """Release the lock, so that another process can write."""
        if self._log is not None:
            os.close(self._log)
        self._connection.close()
        self._engine.dispose()
        self._lock.release()
