"""Databases of every earlier version become what a new one is, with all that was in them."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect

from paddock_server.store import ratings, results, store, tournaments
from paddock_server.store.database import Database
from paddock_server.store.migrations import LATEST
from paddock_server.store.tournaments import TournamentRow
from tests.store.opened import bot, new_match, opened, read, write

SCHEMAS = Path(__file__).parents[1] / "data" / "schema"
RECORD = {
    "format": "winter",
    "ended": "2026-11-16T12:00:00.000Z",
    "seats": [{"bot": name, "version": "2"} for name in ("ada-1", "zoe's", "eve")],
}
RESULTS = [{"total": 3 - at, "rank": at + 1, "forfeit": False, "faults": 0} for at in range(3)]


@pytest.fixture(params=range(1, LATEST), ids="version {}".format)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database of an earlier version; there must be one of each."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((SCHEMAS / f"{request.param}.sql").read_text())
    return path


def described(database: Database) -> dict[str, Any]:
    """Tables, columns, types, defaults and indexes, without the order they were made in."""
    found = inspect(database.engine)
    return {
        table: (
            [(c["name"], str(c["type"]), c["nullable"], c["default"])
             for c in found.get_columns(table)],
            found.get_pk_constraint(table)["constrained_columns"],
            sorted(str(constraint) for constraint in found.get_unique_constraints(table)),
            sorted(_index(index) for index in found.get_indexes(table)),
        )
        for table in sorted(found.get_table_names())
    }  # fmt: skip


def _index(index: Any) -> str:
    where = index.get("dialect_options", {}).get("sqlite_where")
    return f"{index['name']} {index['column_names']} {index['unique']} {where}"


def rows(path: Path) -> dict[str, list[dict[str, Any]]]:
    """All there is, by table."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return {
            name: [dict(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2")]  # noqa: S608
            for (name,) in tables.fetchall()
            if name not in {"schema_version", "sqlite_sequence"}
        }


def test_it_becomes_what_a_new_one_is(old: Path, tmp_path: Path) -> None:
    with opened(old) as migrated, opened(tmp_path / "new.db") as fresh:
        assert described(migrated) == described(fresh)


def test_postgresql_gets_the_log_of_tournaments_as_a_new_database_has_it(
    postgresql_place: str,
) -> None:
    undo = (
        "ALTER TABLE tournaments DROP COLUMN changes",
        "ALTER TABLE tournaments DROP COLUMN file",
        "DROP TABLE tournament_log",
        "DROP INDEX matches_by_tournament",
        """CREATE INDEX matches_by_tournament ON matches (tournament, number, state, block)
            WHERE tournament != ''""",
        "UPDATE schema_version SET version = 4",
        """INSERT INTO tournaments VALUES ('T', '{"name": "T"}', 'done', '2026', '2027')""",
    )
    with opened(postgresql_place) as database:
        new = described(database)
        with database.engine.begin() as connection:
            for statement in undo:
                connection.exec_driver_sql(statement)
    with opened(postgresql_place) as database:
        assert described(database) == new
        row = read(database, tournaments.find_tournament, "T")
        assert row == TournamentRow("T", {"name": "T"}, "done", "2026", "2027", (), {"name": "T"})


def test_nothing_that_was_there_is_lost(old: Path) -> None:
    before = rows(old)
    assert all(before.values())  # the file has something of everything
    Database(str(old)).close()
    after = rows(old)
    for table, kept in before.items():
        shown = [{name: row[name] for name in kept[0]} for row in after[table]]
        assert shown == kept


def test_the_store_works_on_it(old: Path) -> None:
    with opened(old) as database:
        known = read(database, store.find_bot, "zoe's")
        assert known is not None
        assert known.owner == "Zoë 漢字"
        playing, waiting = read(database, store.unfinished)
        assert [event["event"] for event in playing.events] == ["dealt", "step"]
        assert waiting.row.opening == {"planned": 4}
        found = read(database, store.find_match, "M1")
        assert found is not None
        assert found[0].results[1]["faults"] == 3
        assert '"M1"' in found[1]
        (met,) = read(database, ratings.meetings, "ada-1", "zoe's", "two-player")
        assert (met.points, met.ranks) == ((31, 27), (1, 2))
        assert [row.id for row in read(database, store.list_matches, None, 9, bot="ada-1")] == [
            "M4", "M2", "M1",
        ]  # fmt: skip

        write(database, store.add_bot, bot("new"))
        new = new_match("M8", "new", "ada-1")._replace(tournament="U", pairing="p")
        assert write(database, store.add_matches, [new]) == [8]  # 7 was given once
        write(database, store.append, [(2, 2, {"event": "step", "step": 1})])
        changes = write(database, results.finish, 2, RECORD, RESULTS, rated=True)
        assert changes is not None
        assert len(changes) == 3
        assert read(database, ratings.count_rated, "winter") == 1
        assert [row.key for row in read(database, tournaments.pairings, "U")] == ["p"]


def test_there_is_a_file_of_every_version() -> None:
    assert sorted(int(path.stem) for path in SCHEMAS.glob("*.sql")) == list(range(1, LATEST))


def test_what_can_not_be_brought_up_is_left_as_it_was(old: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("CREATE TABLE tournament_log (in_the INTEGER, way INTEGER)")
        connection.commit()
    copy = shutil.copy(old, tmp_path / "copy.db")
    with pytest.raises(Exception, match="tournament_log"):
        Database(str(old))
    assert rows(old) == rows(Path(copy))
