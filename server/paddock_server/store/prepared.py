"""Statements that are executed every match, at what the driver itself costs where that counts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Delete, Insert, Select, Update
from sqlalchemy.dialects import sqlite

_SQLITE: Final = sqlite.dialect(paramstyle="named")


class Prepared:
    """A statement whose values have names; on SQLite it goes past SQLAlchemy.

    There a round through SQLAlchemy costs several times what the database does.
    """

    def __init__(self, statement: Select[Any] | Insert | Update | Delete) -> None:
        made = statement.compile(dialect=_SQLITE)
        self._statement = statement
        self._text = str(made)
        self._fixed = {name: value for name, value in made.params.items() if value is not None}

    def run(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Execute it; how many rows it changed."""
        return int(self._executed(connection, values).rowcount)

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it for every row of values."""
        if not rows:
            return
        if connection.dialect.name == "sqlite":
            fixed = self._fixed
            given = [{**fixed, **row} for row in rows] if fixed else rows
            connection.connection.cursor().executemany(self._text, given)
        else:
            connection.execute(self._statement, rows)

    def rows(self, connection: Connection, values: Mapping[str, Any]) -> list[Any]:
        """What it finds."""
        found: list[Any] = self._executed(connection, values).fetchall()
        return found

    def _executed(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        if connection.dialect.name == "sqlite":
            cursor = connection.connection.cursor()
            cursor.execute(self._text, {**self._fixed, **values})
            return cursor
        return connection.execute(self._statement, values)
