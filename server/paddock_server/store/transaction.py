"""The one connection that writes: its transactions, and nobody else's beside them."""

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
_LOCK: Final = int.from_bytes(b"paddock")  # of advisory locks, whose names are numbers
# A server needs a moment to notice that the process before us was killed.
_LOCK_WAIT: Final = "3s"
_LOCK_NOT_AVAILABLE: Final = "55P03"
# Who held the lock and is cut off must lose it soon, or its own return would wait for hours.
_SET_UP: Final = (
    "SET tcp_keepalives_idle TO 10",
    "SET tcp_keepalives_interval TO 5",
    "SET tcp_keepalives_count TO 3",
    "SET synchronous_commit TO off",
)


class CutOff(ServerError):
    """Raised when a connection was cut before its commit: the transaction did not take place."""

    reason = "database/unusable"

    def __init__(self, problem: Exception) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Transactions(Protocol):
    """The transactions of the one who writes."""

    @property
    def lost(self) -> bool:
        """Whether the database can't be reached at the moment, whatever is to be written."""

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        """Do this, all of it or nothing; `sync` has the disk say that it is there.

        Raises CutOff where it surely was not done, and can be on a new connection.
        """

    def close(self) -> None:
        """Let others write."""


def transactions(address: Address, engine: Engine) -> Transactions:
    """The transactions of this process, refused where another process has them."""
    return _OnSqlite(address, engine) if address.file else _OnPostgresql(address, engine)


def _in_use(address: Address) -> CannotOpen:
    return CannotOpen(
        f"the database {address.shown} is in use by another Paddock; "
        "stop that one first, or name another database"
    )


class _OnSqlite:
    """Past SQLAlchemy, whose own transactions cost twice what the database does with a step.

    Statements inside may be its or the driver's.
    """

    lost = False

    def __init__(self, address: Address, engine: Engine) -> None:
        # Beside the database: a file that SQLite itself has locks on must not be opened by others.
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
            done = do(self._connection)
            execute("COMMIT")
        except BaseException:
            self._sqlite.rollback()
            raise
        finally:
            self._connection.rollback()  # what SQLAlchemy takes for a transaction ends as well
        return done

    def close(self) -> None:
        self._connection.close()
        os.close(self._lock)


class _OnPostgresql:
    """A connection that holds an advisory lock, and is replaced when it is lost.

    Without `sync` a commit does not wait for the disk of the server. Whether a commit that was cut
    off took place nobody knows: that fails, and who can do the same twice may.
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
                done = do(connection)
                committing = True
                transaction.commit()
        except Exception as problem:
            if connection.invalidated:
                self._let_go(connection)
                if not committing:
                    raise CutOff(problem) from None
            raise
        return done

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
                f"the database {self._address.shown} is in {encoding}, which has no room for all "
                "names; make one with: createdb --encoding UTF8 --template template0"
            )
        execute(f"SET LOCAL lock_timeout TO '{_LOCK_WAIT}'")
        execute(f"SELECT pg_advisory_lock({_LOCK})")
        for statement in _SET_UP:
            execute(statement)

    def _let_go(self, connection: Connection) -> None:
        self._connection = None
        with suppress(SQLAlchemyError):  # it may be broken
            connection.invalidate()  # not back to the others: it has the lock
        connection.close()

    def close(self) -> None:
        if self._connection is not None:
            self._let_go(self._connection)
