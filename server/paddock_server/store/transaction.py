"""The transactions of a connection that writes; a lock keeps other processes out."""

import os
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.basics.errors import ServerError
from paddock_server.store.address import Address, CannotOpen
from paddock_server.store.file_lock import FileLock, in_use

T = TypeVar("T")
SHARED: Final = "shared"
"""In the info of a connection: other processes write to the database, too."""
_LOCK: Final = int.from_bytes(b"paddock")  # the names of advisory locks are numbers
# A server needs a moment to notice that the process that held the lock was killed.
_LOCK_WAIT: Final = "3s"
_LOCK_NOT_AVAILABLE: Final = "55P03"
# A process whose machine is gone must lose its locks soon, or others would wait for hours.
_KEEP_ALIVE: Final = (
    "SET tcp_keepalives_idle TO 10",
    "SET tcp_keepalives_interval TO 5",
    "SET tcp_keepalives_count TO 3",
    "SET tcp_user_timeout TO 25000",
)
# A transaction that writes nothing but to the log, whose commit waits for the disk.
_SYNCED: Final = "SELECT pg_logical_emit_message(true, 'paddock', '')"


_sync_file: Final = getattr(os, "fdatasync", os.fsync)  # not every system has the first


class CutOff(ServerError):
    """Raised when a connection was cut before the commit, so that nothing was written."""

    reason = "database/unusable"

    def __init__(self, problem: Exception) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Transactions(Protocol):
    """The transactions of a connection that writes."""

    @property
    def lost(self) -> bool:
        """Whether the connection to the database is lost."""

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        """The result of this work, done in one transaction; `sync` waits for the disk.

        Raises CutOff if nothing was written and a new connection may be tried.
        """

    @property
    def sync(self) -> Callable[[], None]:
        """A function that waits until all that was committed so far is on the disk.

        Another thread may call it while this one goes on. It raises if nobody can know.
        """

    def beside(self) -> "Transactions | None":
        """Transactions on a connection of their own, for another thread; None: there is but one.

        Whoever asks closes them.
        """

    def close(self) -> None:
        """Release the lock, so that another process can write; readers are closed before."""


class Fence(Protocol):
    """A fence around the writes of one node of a cluster; other nodes write, too."""

    def check(self, connection: Connection) -> None:
        """Raise an error if nothing may be written in the transaction that has just begun."""


def keep_alive(connection: Connection) -> None:
    """Have PostgreSQL notice within half a minute that whoever has this connection is gone."""
    for statement in _KEEP_ALIVE:
        connection.exec_driver_sql(statement)


def drop(connection: Connection) -> None:
    """Close a connection, also where it is broken; with it go its locks."""
    with suppress(SQLAlchemyError):  # it may be broken
        connection.invalidate()  # not back into the pool: it may have the lock
    connection.close()


def transactions(address: Address, engine: Engine, fence: Fence | None = None) -> Transactions:
    """The transactions of this process; raises CannotOpen if another process has the database.

    Processes with a fence share a PostgreSQL database among themselves.
    """
    if address.file:
        return _OnSqlite(address, engine)
    return _OnPostgresql(address, engine, fence)


class _OnSqlite:
    """Transactions on SQLite, which bypass SQLAlchemy.

    SQLAlchemy's own would take twice as long as SQLite needs for a step of a match. The statements
    inside may be SQLAlchemy's or the driver's.
    """

    lost = False

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
        self._level = ""
        target = file.resolve()  # SQLite keeps its log beside the file, not beside a link to it
        self._log_file = target.with_name(f"{target.name}-wal")
        self._log: int | None = None  # its descriptor

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        execute = self._sqlite.execute
        level = "FULL" if sync else "NORMAL"
        if level != self._level:
            execute(f"PRAGMA synchronous={level}")
            self._level = level
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
        # A commit is in the write-ahead log, or a checkpoint has synced it. SQLite itself would do
        # just this at the end of a commit, and nobody could write until it is done. It keeps no
        # locks on this file, which it would lose with the descriptor.
        if self._log is None:
            self._log = os.open(self._log_file, os.O_RDONLY | os.O_CLOEXEC)
        _sync_file(self._log)

    def beside(self) -> None:
        return None  # one transaction at a time can write to a file

    def close(self) -> None:
        if self._log is not None:
            os.close(self._log)
        self._connection.close()
        self._engine.dispose()
        self._lock.release()


class _OnPostgresql:
    """Transactions on PostgreSQL: a connection with an advisory lock, replaced when it is lost.

    Without `sync` a commit does not wait for the disk of the server. If the connection is cut
    during a commit, nobody can know whether it took place: the transaction fails, and callers whose
    work changes nothing when it is done twice may try again.
    """

    def __init__(self, address: Address, engine: Engine, fence: Fence | None) -> None:
        self._address = address
        self._engine = engine
        self._fence = fence
        self._connected: _Connected | None = self._connect()

    @property
    def lost(self) -> bool:
        return self._connected is None

    @property
    def sync(self) -> Callable[[], None]:
        return _unknown if self._connected is None else self._connected.sync

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        if self._connected is not None and self._connected.cut:
            self._let_go()
        if self._connected is None:
            self._connected = self._connect()
        return self._attempt(self._connected.writing, do, sync=sync)

    def _attempt(self, connection: Connection, do: Callable[[Connection], T], *, sync: bool) -> T:
        committing = False
        try:
            with connection.begin() as transaction:
                if self._fence is not None:
                    self._fence.check(connection)
                if sync:
                    connection.exec_driver_sql("SET LOCAL synchronous_commit TO on")
                result = do(connection)
                committing = True
                transaction.commit()
        except Exception as problem:
            if connection.invalidated:
                self._let_go()
                if not committing:
                    raise CutOff(problem) from None
            raise
        return result

    def beside(self) -> "Transactions | None":
        if self._fence is None:
            return None  # this connection has the lock, and no other process writes
        return _OnPostgresql(self._address, self._engine, self._fence)

    def _connect(self) -> "_Connected":
        writing = self._engine.connect()
        try:
            with writing.begin():
                self._set_up(writing)
            # One statement is one transaction there, so that a sync is one round trip.
            syncing = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            return _Connected(writing, syncing)
        except BaseException as problem:
            drop(writing)
            if getattr(getattr(problem, "orig", None), "sqlstate", "") == _LOCK_NOT_AVAILABLE:
                raise in_use(self._address.shown) from None
            raise

    def _set_up(self, connection: Connection) -> None:
        execute = connection.exec_driver_sql
        encoding = execute("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise CannotOpen(
                f"the database {self._address.shown} has the encoding {encoding}, which can't hold "
                "all names; create one with: createdb --encoding UTF8 --template template0"
            )
        execute(f"SET LOCAL lock_timeout TO '{_LOCK_WAIT}'")
        shared = "" if self._fence is None else "_shared"
        execute(f"SELECT pg_advisory_lock{shared}({_LOCK})")
        if self._fence is not None:
            connection.info[SHARED] = True
        execute("SET synchronous_commit TO off")
        keep_alive(connection)

    def _let_go(self) -> None:
        connected, self._connected = self._connected, None
        if connected is not None:
            connected.close()

    def close(self) -> None:
        self._let_go()


class _Connected:
    """A connection that writes, and another that waits for the disk, for one life of the server.

    A crash of the server can take commits that were not synced. It cuts all connections; so where
    the second one still works, nothing that the first one committed is lost.
    """

    def __init__(self, writing: Connection, syncing: Connection) -> None:
        self.writing = writing
        self.cut = False
        self._syncing = syncing
        self._in_use = Lock()  # the connection that syncs

    def sync(self) -> None:
        """Wait until all that was committed so far is on the disk; raises if nobody can know."""
        with self._in_use:
            try:
                with self._syncing.begin():  # for SQLAlchemy alone: it commits by itself
                    # Commits get to the disk in their order, this one as the last.
                    self._syncing.exec_driver_sql(_SYNCED)
            except BaseException:
                self.cut = True
                raise

    def close(self) -> None:
        """Close both connections, also where they are broken."""
        with self._in_use:
            drop(self.writing)
            drop(self._syncing)


def _unknown() -> None:
    """Refuse to sync: the connection that committed is gone."""
    raise CannotOpen("the database was lost before it was synced")
