"""A database: one writer, and as many readers as there are threads."""

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.store.migrations import migrate
from paddock_server.store.writer import Writer

T = TypeVar("T")


class CannotOpen(Exception):
    """Raised when there is no database where one was named; the text says what to do."""


class Database:
    """The doors to a database: `writer` for what changes it, `read` for what looks."""

    def __init__(self, url: str) -> None:
        """A path means a SQLite file; the database is brought to the latest schema."""
        address = make_url(url if "://" in url else f"sqlite:///{url}")
        self._reads = create_engine(address)
        self._writes = create_engine(address)
        if address.get_backend_name() == "sqlite":
            event.listen(self._reads, "connect", _set_up_sqlite)
            event.listen(self._writes, "connect", _set_up_sqlite)
            event.listen(self._reads, "begin", _begin)
            event.listen(self._writes, "begin", _begin_immediate)
        try:
            with self._writes.begin() as connection:
                migrate(connection)
        except (SQLAlchemyError, sqlite3.Error) as problem:
            reason = getattr(problem, "orig", None) or problem
            raise CannotOpen(
                f"the database {url} can't be opened ({reason}); name a file that can be written"
            ) from None
        self._writer: Writer | None = None

    @property
    def writer(self) -> Writer:
        """The one writer of this process, started on the running event loop."""
        if self._writer is None:
            self._writer = Writer(self._writes, asyncio.get_running_loop())
        return self._writer

    @property
    def engine(self) -> Engine:
        """The engine that writes, for whoever is alone with the database."""
        return self._writes

    async def read(self, look: Callable[..., T], *arguments: Any) -> T:
        """What this query finds, without holding up the event loop."""
        return await asyncio.to_thread(self._look, look, *arguments)

    def _look(self, look: Callable[..., T], *arguments: Any) -> T:
        with self._reads.connect() as connection:
            return look(connection, *arguments)

    def close(self) -> None:
        """Write what waits, then let go of the database."""
        if self._writer is not None:
            self._writer.close()
        self._reads.dispose()
        self._writes.dispose()


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves, below
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA busy_timeout=10000")


def _begin(connection: Connection) -> None:
    # Whoever looks sees one moment, however many queries that takes.
    connection.exec_driver_sql("BEGIN")


def _begin_immediate(connection: Connection) -> None:
    # A deferred transaction that turns into a write late can lose an update without an error.
    raw: Any = connection.connection.dbapi_connection
    if not raw.in_transaction:  # the writer's own, see transaction.py
        raw.execute("BEGIN IMMEDIATE")
