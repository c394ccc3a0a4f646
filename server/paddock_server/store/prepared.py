"""Statements that are executed every match, at what the driver itself costs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Delete, Insert, Select, Update
from sqlalchemy.dialects import postgresql, sqlite

from paddock_server.store.schema import without_zero

_DIALECTS: Final = {
    "sqlite": sqlite.dialect(paramstyle="named"),
    "postgresql": postgresql.psycopg.dialect(),  # type: ignore[no-untyped-call]
}


class Prepared:
    """A statement whose values have names; it goes past SQLAlchemy.

    A round through SQLAlchemy costs several times what SQLite does with it.
    """

    def __init__(self, statement: Select[Any] | Insert | Update | Delete) -> None:
        self._texts, self._fixed = {}, {}
        for name, dialect in _DIALECTS.items():
            made = statement.compile(dialect=dialect)
            self._texts[name] = str(made)
            self._fixed[name] = {key: each for key, each in made.params.items() if each is not None}

    def run(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Execute it; how many rows it changed."""
        return int(self._executed(connection, values).rowcount)

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it for every row of values."""
        if rows:
            kind = connection.dialect.name
            given = [self._given(kind, row) for row in rows]
            connection.connection.cursor().executemany(self._texts[kind], given)

    def rows(self, connection: Connection, values: Mapping[str, Any]) -> list[Any]:
        """What it finds."""
        found: list[Any] = self._executed(connection, values).fetchall()
        return found

    def _executed(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        kind = connection.dialect.name
        cursor = connection.connection.cursor()
        cursor.execute(self._texts[kind], self._given(kind, values))
        return cursor

    def _given(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        if kind == "postgresql":
            values = {name: without_zero(value) for name, value in values.items()}
        fixed = self._fixed[kind]
        return {**fixed, **values} if fixed else values
