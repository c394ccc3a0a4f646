"""Prepared statements: executed by the driver directly, for queries that run in every match."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Delete, Insert, Select, Update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.types import TypeEngine

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
    """A statement for many rows of values by place, executed by the driver directly.

    In the text of an UPDATE `{name}` is a value, and `{rows}`, before WHERE, is where rows come
    from; in that of an INSERT `{all}` is all values. SQLite executes it once a row, which costs it
    next to nothing. To PostgreSQL all rows go as one statement, with a list for each column.
    """

    def __init__(self, text: str, values: Mapping[str, TypeEngine[Any]]) -> None:
        """`values` are the names of a row's values and their types, as in the schema."""
        kinds = [_kind(each) for each in values.values()]
        lists = ", ".join(f"%s::{kind}[]" for kind in kinds)
        rows = f"FROM unnest({lists}) AS given ({', '.join(values)})"
        one = dict.fromkeys(values, "?")
        self._once_a_row = text.format(rows="", all=f"VALUES ({', '.join(one.values())})", **one)
        given = {name: f"given.{name}" for name in values}
        self._at_once = text.format(rows=rows, all=f"SELECT * {rows}", **given)

    def run_many(self, connection: Connection, rows: Sequence[Sequence[Any]]) -> None:
        """Execute it for every row of values."""
        if not rows:
            return
        cursor = connection.connection.cursor()
        if connection.dialect.name == "sqlite":
            cursor.executemany(self._once_a_row, rows)
        else:
            cursor.execute(self._at_once, [_list(column) for column in zip(*rows, strict=True)])


def _kind(of: TypeEngine[Any]) -> str:
    """What PostgreSQL calls a type of the schema, without the order in which it sorts."""
    return of.compile(dialect=_DIALECTS["postgresql"]).partition(" COLLATE")[0]


def _list(values: Sequence[Any]) -> str:
    """A list as PostgreSQL writes it, whatever the type of its values.

    The driver makes the same of a Python list, but takes ten times as long.
    """
    return "{" + ",".join([_AS_ELEMENT[type(value)](value) for value in values]) + "}"


def _quoted(value: str) -> str:
    if "\\" in value or '"' in value:
        value = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{without_zero(value)}"'


_AS_ELEMENT: Final[Mapping[type, Callable[[Any], str]]] = {
    str: _quoted,
    int: repr,
    float: repr,
    bytes: lambda value: f'"\\\\x{value.hex()}"',
    type(None): lambda _: "NULL",
}


class Among:
    """A statement as text with a ? for every value, and `= ANY(?)` last, for one of some values."""

    def __init__(self, text: str, of: TypeEngine[Any]) -> None:
        """`of` is the type of these values, as in the schema."""
        listed = text.replace("= ANY(?)", "IN (SELECT value FROM json_each(?))")
        cast = text.replace("ANY(?)", f"ANY(?::{_kind(of)}[])").replace("?", "%s")
        self._texts = {"sqlite": listed, "postgresql": cast}

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
        listed = _list(some) if kind == "postgresql" else dumps(some)
        cursor.execute(self._texts[kind], (*values, listed))
        return cursor
