"""Transactions on PostgreSQL, with a lock that keeps other processes out, or lets a cluster in."""

from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from paddock_server.store import shelf
from paddock_server.store.address import Address, CannotOpen
from paddock_server.store.connection import SHARED
from paddock_server.store.file_lock import in_use
from paddock_server.store.transaction import CutOff, Fence, Transactions

T = TypeVar("T")
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
# Statements that write find their rows by keys. A plan that was made while a table was small would
# read all of it, and is kept while the table grows.
_BY_KEYS: Final = (
    "SET enable_seqscan TO off",
    "SET enable_hashjoin TO off",
    "SET enable_mergejoin TO off",
    "SET jit TO off",  # what has to read a whole table looks more than expensive then
    # Else it plans the same statement again and again, which takes longer than to execute it.
    "SET plan_cache_mode TO force_generic_plan",
)
# A transaction that writes nothing but to the log, whose commit waits for the disk.
_SYNCED: Final = "SELECT pg_logical_emit_message(true, 'paddock', '')"


def keep_alive(connection: Connection) -> None:
    """Have PostgreSQL notice within half a minute that whoever has this connection is gone."""
    for statement in _KEEP_ALIVE:
        connection.exec_driver_sql(statement)


def drop(connection: Connection) -> None:
    """Close a connection, also where it is broken; with it go its locks."""
    with suppress(SQLAlchemyError):  # it may be broken
        connection.invalidate()  # not back into the pool: it may have the lock
    connection.close()


class OnPostgresql:
    """Transactions on PostgreSQL: a connection with an advisory lock, replaced when it is lost.

    Without `sync` a commit does not wait for the disk of the server. If the connection is cut
    during a commit, nobody can know whether it took place: the transaction fails, and callers whose
    work changes nothing when it is done twice may try again.
    """

    local = False

    def __init__(self, address: Address, engine: Engine, fence: Fence | None) -> None:
        self._address = address
        self._engine = engine
        self._fence = fence
        self._connected: _Connected | None = self._connect()

    @property
    def lost(self) -> bool:
        """Whether the connection to the database is lost."""
        return self._connected is None

    @property
    def sync(self) -> Callable[[], None]:
        """A function that waits until all that was committed so far is on the disk."""
        return _unknown if self._connected is None else self._connected.sync

    def run(self, do: Callable[[Connection], T], *, sync: bool) -> T:
        """The result of this work, done in one transaction; `sync` waits for the disk."""
        if self._connected is not None and self._connected.cut:
            self._let_go()
        if self._connected is None:
            self._connected = self._connect()
        return self._attempt(self._connected, do, sync=sync)

    def _attempt(self, connected: "_Connected", do: Callable[[Connection], T], *, sync: bool) -> T:
        connection, committing = connected.writing, False
        try:
            connected.wait_in_commits(sync)
            with connection.begin() as transaction:
                if self._fence is not None:
                    self._fence.check(connection)
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

    def run_at_once(self, do: Callable[[Connection], T]) -> T:
        """Refuse: every transaction waits."""
        raise CannotOpen("the database is another process, whose answers take time")

    def beside(self) -> "Transactions | None":
        """The same on a connection of its own, in a cluster; else this one alone has the lock."""
        if self._fence is None:
            return None
        return OnPostgresql(self._address, self._engine, self._fence)

    def _connect(self) -> "_Connected":
        shelf.clear(self._engine)  # others may have had the lock
        writing = self._engine.connect()
        try:
            with writing.begin():
                self._set_up(writing)
            # One statement is one transaction there, so that a sync is one round trip.
            syncing = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            with syncing.begin():  # whatever the server, the database or the role have by default
                syncing.exec_driver_sql("SET synchronous_commit TO on")
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
        for statement in _BY_KEYS:
            execute(statement)
        keep_alive(connection)

    def _let_go(self) -> None:
        connected, self._connected = self._connected, None
        if connected is not None:
            connected.close()

    def close(self) -> None:
        """Release the lock, so that another process can write."""
        self._let_go()


class _Connected:
    """A connection that writes, and another that waits for the disk, for one life of the server.

    A crash of the server can take commits that were not synced. It cuts all connections; so where
    the second one still works, nothing that the first one committed is lost.
    """

    def __init__(self, writing: Connection, syncing: Connection) -> None:
        self.writing = writing
        self.cut = False
        self._waits: bool | None = None  # for the disk, at every commit; None: the server decides
        self._syncing = syncing
        self._in_use = Lock()  # the connection that syncs

    def wait_in_commits(self, waits: bool) -> None:
        """Have commits wait for the disk of the server, or not."""
        if waits != self._waits:
            with self.writing.begin():
                level = "on" if waits else "off"
                self.writing.exec_driver_sql(f"SET synchronous_commit TO {level}")
            self._waits = waits

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
