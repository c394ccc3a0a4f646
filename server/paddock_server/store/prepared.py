"""Prepared statements: executed by the driver directly, for queries that run in every match."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Delete, Insert, Select, Update
from sqlalchemy.dialects import postgresql, sqlite

from paddock_server.store.schema import without_zero
from paddock_server.store.text import dumps

_DIALECTS: Final = {
    "sqlite": sqlite.dialect(paramstyle="named"),
    "postgresql": postgresql.psycopg.dialect(),  # type: ignore[no-untyped-call]
}


Rows: TypeAlias = Callable[[], list[Any]]
"""Rows that were asked for: the call fetches them. It is made once."""


def pipelined(connection: Connection) -> AbstractContextManager[object]:
    """A block whose statements go to PostgreSQL together, with one wait for all of them."""
    if connection.dialect.name == "postgresql":
        driver: Any = connection.connection.driver_connection
        pipeline: AbstractContextManager[object] = driver.pipeline()
        return pipeline
    return nullcontext()


class Prepared:
    """A prepared statement with named values, which bypasses SQLAlchemy.

    A statement through SQLAlchemy takes several times as long as SQLite needs for it.
    """

    def __init__(self, statement: Select[Any] | Insert | Update | Delete) -> None:
        self._texts, self._fixed = {}, {}
        for name, dialect in _DIALECTS.items():
            compiled = statement.compile(dialect=dialect)
            self._texts[name] = str(compiled)
            self._fixed[name] = {
                key: value for key, value in compiled.params.items() if value is not None
            }

    def run(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Execute it; the number of rows that it changed."""
        return int(self._executed(connection, values).rowcount)

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it for every row of values."""
        if rows:
            kind = connection.dialect.name
            parameters = [self._parameters(kind, row) for row in rows]
            connection.connection.cursor().executemany(self._texts[kind], parameters)

    def rows(self, connection: Connection, values: Mapping[str, Any]) -> list[Any]:
        """Execute it; the rows that it selects."""
        return self.asked(connection, values)()

    def asked(self, connection: Connection, values: Mapping[str, Any]) -> Rows:
        """Execute it; its rows, to be fetched after the `pipelined` block that this is in."""
        fetch: Rows = self._executed(connection, values).fetchall
        return fetch

    def _executed(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        kind = connection.dialect.name
        cursor = connection.connection.cursor()
        cursor.execute(self._texts[kind], self._parameters(kind, values))
        return cursor

    def _parameters(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        if kind == "postgresql":
            values = {name: without_zero(value) for name, value in values.items()}
        fixed = self._fixed[kind]
        return {**fixed, **values} if fixed else values


class Written:
    """A statement as text with a ? for every value, executed by the driver directly.

    Values by place take the driver less time than values by name: for what a match executes often.
    """

    def __init__(self, text: str) -> None:
        self._texts = {"sqlite": text, "postgresql": text.replace("?", "%s")}

    def run_many(self, connection: Connection, rows: Sequence[Sequence[Any]]) -> None:
        """Execute it for every row of values."""
        if rows:
            kind = connection.dialect.name
            if kind == "postgresql":
                rows = [tuple(map(without_zero, row)) for row in rows]
            connection.connection.cursor().executemany(self._texts[kind], rows)


class Among:
    """A statement as text with a ? for every value, and `= ANY(?)` last, for one of some values."""

    def __init__(self, text: str) -> None:
        listed = text.replace("= ANY(?)", "IN (SELECT value FROM json_each(?))")
        self._texts = {"sqlite": listed, "postgresql": text.replace("?", "%s")}

    def rows(self, connection: Connection, some: Sequence[Any], *values: Any) -> list[Any]:
        """Execute it for these values and some of a kind; the rows that it selects."""
        return self.asked(connection, some, *values)()

    def asked(self, connection: Connection, some: Sequence[Any], *values: Any) -> Rows:
        """Execute it; its rows, to be fetched after the `pipelined` block that this is in."""
        fetch: Rows = self._executed(connection, some, values).fetchall
        return fetch

    def run(self, connection: Connection, some: Sequence[Any], *values: Any) -> None:
        """Execute it for these values and some of a kind."""
        self._executed(connection, some, values)

    def _executed(self, connection: Connection, some: Sequence[Any], values: Sequence[Any]) -> Any:
        kind = connection.dialect.name
        cursor = connection.connection.cursor()
        listed = [without_zero(one) for one in some] if kind == "postgresql" else dumps(some)
        cursor.execute(self._texts[kind], (*values, listed))
        return cursor
