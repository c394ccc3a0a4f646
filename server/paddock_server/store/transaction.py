"""One transaction for a group of writes, at what the driver itself costs where that counts."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection


class Transactions:
    """The transactions of one connection.

    On SQLite they go past SQLAlchemy, whose own cost twice what the database does with a step of a
    match; statements inside may be its or the driver's.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sqlite: Any = None
        self._level = ""
        if connection.dialect.name == "sqlite":
            self._sqlite = connection.connection.dbapi_connection

    def run(self, do: Callable[[Connection], Any], *, sync: bool) -> Any:
        """Do this, all of it or nothing; `sync` has the disk say that it is there."""
        if self._sqlite is None:
            with self._connection.begin():
                return do(self._connection)
        return self._run_on_sqlite(do, "FULL" if sync else "NORMAL")

    def _run_on_sqlite(self, do: Callable[[Connection], Any], level: str) -> Any:
        execute = self._sqlite.execute
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
