"""The transactions of the one connection that writes; a lock keeps other processes out."""

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.basics.errors import ServerError
from paddock_server.store.address import Address, CannotOpen

T = TypeVar("T")
_LOCK: Final = int.from_bytes(b"paddock")  # the names of advisory locks are numbers
# A server needs a moment to notice that the process that held the lock was killed.
_LOCK_WAIT: Final = "3s"
_LOCK_NOT_AVAILABLE: Final = "55P03"
# A process whose connection is cut must lose the lock soon, or it would wait for it for hours.
_SET_UP: Final = (
    "SET tcp_keepalives_idle TO 10",
    "SET tcp_keepalives_interval TO 5",
    "SET tcp_keepalives_count TO 3",
    "SET synchronous_commit TO off",
)


class CutOff(ServerError):
    """Raised when a connection was cut before the commit, so that nothing was written."""

    reason = "database/unusable"

    def __init__(self, problem: Exception) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Transactions(Protocol):
    """The transactions of the one connection that writes."""

    @property
    def lost(self) -> bool:
        """Whether the connection to the database is lost."""

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        """The result of this work, done in one transaction; `sync` waits for the disk.

        Raises CutOff if nothing was written and a new connection may be tried.
        """

    def close(self) -> None:
        """Release the lock, so that another process can write."""


def transactions(address: Address, engine: Engine) -> Transactions:
    """The transactions of this process; raises CannotOpen if another process has the database."""
    return _OnSqlite(address, engine) if address.file else _OnPostgresql(address, engine)


def _in_use(address: Address) -> CannotOpen:
    return CannotOpen(
        f"the database {address.shown} is in use by another Paddock; "
        "stop that one first, or name another database"
    )


class _OnSqlite:
    """Transactions on SQLite, which bypass SQLAlchemy.

    SQLAlchemy's own would take twice as long as SQLite needs for a step of a match. The statements
    inside may be SQLAlchemy's or the driver's.
    """

    lost = False

    def __init__(self, address: Address, engine: Engine) -> None:
        # A file of its own: a file that SQLite itself locks must not be opened by others.
        self._lock = os.open(f"{address.file}-lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._connection = engine.connect()
        except BlockingIOError:
            os.close(self._lock)
            raise _in_use(address) from None
        except BaseException:
            os.close(self._lock)
            raise
        self._sqlite: Any = self._connection.connection.dbapi_connection
        self._level = ""

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

    def close(self) -> None:
        self._connection.close()
        os.close(self._lock)


class _OnPostgresql:
    """Transactions on PostgreSQL: a connection with an advisory lock, replaced when it is lost.

    Without `sync` a commit does not wait for the disk of the server. If the connection is cut
    during a commit, nobody can know whether it took place: the transaction fails, and callers whose
    work changes nothing when it is done twice may try again.
    """

    def __init__(self, address: Address, engine: Engine) -> None:
        self._address = address
        self._engine = engine
        self._connection: Connection | None = self._connected()

    @property
    def lost(self) -> bool:
        return self._connection is None

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        if self._connection is None:
            self._connection = self._connected()
        return self._attempt(self._connection, do, sync=sync)

    def _attempt(self, connection: Connection, do: Callable[[Connection], T], *, sync: bool) -> T:
        committing = False
        try:
            with connection.begin() as transaction:
                if sync:
                    connection.exec_driver_sql("SET LOCAL synchronous_commit TO on")
                result = do(connection)
                committing = True
                transaction.commit()
        except Exception as problem:
            if connection.invalidated:
                self._let_go(connection)
                if not committing:
                    raise CutOff(problem) from None
            raise
        return result

    def _connected(self) -> Connection:
        connection = self._engine.connect()
        try:
            with connection.begin():
                self._set_up(connection)
        except BaseException as problem:
            self._let_go(connection)
            if getattr(getattr(problem, "orig", None), "sqlstate", "") == _LOCK_NOT_AVAILABLE:
                raise _in_use(self._address) from None
            raise
        return connection

    def _set_up(self, connection: Connection) -> None:
        execute = connection.exec_driver_sql
        encoding = execute("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise CannotOpen(
                f"the database {self._address.shown} has the encoding {encoding}, which can't hold "
                "all names; create one with: createdb --encoding UTF8 --template template0"
            )
        execute(f"SET LOCAL lock_timeout TO '{_LOCK_WAIT}'")
        execute(f"SELECT pg_advisory_lock({_LOCK})")
        for statement in _SET_UP:
            execute(statement)

    def _let_go(self, connection: Connection) -> None:
        self._connection = None
        with suppress(SQLAlchemyError):  # it may be broken
            connection.invalidate()  # not back into the pool: it has the lock
        connection.close()

    def close(self) -> None:
        if self._connection is not None:
            self._let_go(self._connection)
