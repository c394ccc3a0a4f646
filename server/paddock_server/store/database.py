"""A database: one writer, and any number of readers."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.store.address import Address, CannotOpen, address_of, away
from paddock_server.store.epochs import begin_first
from paddock_server.store.migrations import check, migrate
from paddock_server.store.rejection import is_rejection
from paddock_server.store.store import close_gaps
from paddock_server.store.transaction import Fence, Transactions
from paddock_server.store.work import commit
from paddock_server.store.writer import Writer
from paddock_server.store.writing import transactions
from paddock_server.visitors.pool import aside

T = TypeVar("T")
_LOG = logging.getLogger("paddock.store")


class Database:
    """A database that is open: `writer` and `write` change it, `read` and `look` query it."""

    def __init__(self, named: str, *, reading: bool = False, fence: Fence | None = None) -> None:
        """A path means a SQLite file, postgresql://... a server.

        Only one process can open a database for writing; that brings it to the latest schema. With
        `reading` it is only read, while another process may write. With a fence it is one of the
        processes of a cluster, which write to one PostgreSQL database.
        """
        self._fence = fence
        self.address = address_of(named)
        self._reads = _readers(self.address)
        self._writes: Engine | None = None
        self._transactions: Transactions | None = None
        self._writer: Writer | None = None
        try:
            if reading:
                self._expect_file()
                self.look(check)
            else:
                self._open_for_writing()
        except (SQLAlchemyError, sqlite3.Error, OSError) as problem:
            self.close()
            why = self.address.reason(problem)
            advice = "check that the server runs and that you have access"
            if self.address.file:
                advice = f"name a file that can be {'read' if reading else 'written'}"
            raise CannotOpen(
                f"the database {self.address.shown} can't be opened ({why}); {advice}"
            ) from None
        except BaseException:
            self.close()
            raise

    def _expect_file(self) -> None:
        file = self.address.file
        if file is not None and not file.exists():
            raise CannotOpen(f"there is no database {file}; name a server's database")

    def _open_for_writing(self) -> None:
        self._writes = _writers(self.address)
        self._transactions = transactions(self.address, self._writes, self._fence)
        self._transactions.run(_prepare, sync=True)
        if self._fence is None:  # in a cluster, other nodes write journals now
            self._transactions.run(close_gaps, sync=True)

    @property
    def writer(self) -> Writer:
        """The one writer of this process, started on the running event loop."""
        if self._writer is None:
            if self._transactions is None:
                raise CannotOpen(f"the database {self.address.shown} was opened for reading only")
            self._writer = Writer(self._transactions, asyncio.get_running_loop())
        return self._writer

    def write(self, do: Callable[[Connection], T], *, sync: bool = True) -> T:
        """The result of this work, in its own transaction; for callers without an event loop."""
        if self._transactions is None or self._writer is not None:
            raise CannotOpen(f"the database {self.address.shown} can't be written to from here")
        return commit(self._transactions, do, sync=sync)

    @property
    def engine(self) -> Engine:
        """The engine that writes, for a process without a writer thread."""
        if self._writes is None:
            raise CannotOpen(f"the database {self.address.shown} was opened for reading only")
        return self._writes

    async def read(self, look: Callable[..., T], *arguments: Any) -> T:
        """The result of this query, without blocking the event loop.

        Raises CannotOpen while the database can't be reached.
        """
        try:
            return await aside(self.look, look, *arguments)
        except SQLAlchemyError as problem:
            if is_rejection(problem):
                raise  # the statement is wrong
            _LOG.warning("read failed: %s", self.address.reason(problem))
            raise away(problem) from problem

    def look(self, look: Callable[..., T], *arguments: Any) -> T:
        """The result of this query; all its statements see the database at one moment."""
        with self._reads.connect() as connection:
            return look(connection, *arguments)

    def close(self) -> None:
        """Finish the writes that wait, then close all connections."""
        if self._writer is not None:
            self._writer.close()
        self._reads.dispose()
        if self._transactions is not None:
            self._transactions.close()
            self._transactions = None
        if self._writes is not None:
            self._writes.dispose()


def _prepare(connection: Connection) -> None:
    """Bring a database to the latest schema, with the first epochs of its ladders."""
    migrate(connection)
    begin_first(connection)


def _readers(address: Address) -> Engine:
    if address.file:
        engine = address.engine()
        event.listen(engine, "connect", _set_up_sqlite_reader)
        event.listen(engine, "begin", _begin)
        return engine
    engine = address.engine(isolation_level="REPEATABLE READ", pool_pre_ping=True)
    event.listen(engine, "connect", _set_up_postgresql_reader)
    return engine


def _writers(address: Address) -> Engine:
    engine = address.engine()
    if address.file:
        event.listen(engine, "connect", _set_up_sqlite_writer)
        event.listen(engine, "begin", _begin_immediate)
    return engine


def _set_up_sqlite_reader(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # _begin says BEGIN
    connection.execute("PRAGMA busy_timeout=10000")
    connection.execute("PRAGMA query_only=ON")


def _set_up_sqlite_writer(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA busy_timeout=10000")
    connection.execute("PRAGMA cache_size=-65536")  # KiB


def _set_up_postgresql_reader(connection: Any, _record: object) -> None:
    connection.read_only = True


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _begin_immediate(connection: Connection) -> None:
    # A deferred transaction that turns into a write late can lose an update without an error.
    raw: Any = connection.connection.dbapi_connection
    if not raw.in_transaction:  # the writer's own transaction, see on_sqlite.py
        raw.execute("BEGIN IMMEDIATE")
