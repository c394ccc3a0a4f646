"""A database: made when it is not there, kept when it is, refused when it is from tomorrow."""

from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, update

from paddock_server.store import store
from paddock_server.store.address import address_of
from paddock_server.store.database import Database
from paddock_server.store.migrations import LATEST, NewerSchema, OlderSchema
from paddock_server.store.schema import METADATA, VERSION
from tests.store.opened import bot, opened, read, write


def version(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT version FROM schema_version").scalar_one())


def test_an_empty_database_gets_every_table(place: str) -> None:
    with opened(place) as database:
        assert set(inspect(database.engine).get_table_names()) >= set(METADATA.tables)
        assert read(database, version) == LATEST
        assert read(database, store.unfinished) == []
        assert read(database, store.list_bots, "", 10) == []
        assert read(database, store.list_matches, None, 10) == []


def test_what_is_there_stays_there(place: str) -> None:
    for _ in range(3):
        with opened(place) as database:
            write(database, store.add_bot, bot())
            assert read(database, store.list_bots, "", 10) == [bot()]
            assert read(database, version) == LATEST


@pytest.mark.parametrize("reading", [False, True])
@pytest.mark.parametrize("ahead", [1, 99])
def test_a_newer_schema_is_refused_and_left_alone(place: str, ahead: int, reading: bool) -> None:
    with opened(place) as database, database.engine.begin() as connection:
        connection.execute(update(VERSION).values(version=LATEST + ahead))
        connection.exec_driver_sql("DROP TABLE ratings")  # who knows what they need
        tables = set(inspect(connection).get_table_names())
    with pytest.raises(NewerSchema, match=rf"schema {LATEST + ahead}, .*; upgrade Paddock"):
        Database(place, reading=reading)
    engine = address_of(place).engine()
    assert set(inspect(engine).get_table_names()) == tables
    engine.dispose()


def test_an_older_schema_is_not_read_before_it_was_brought_up(place: str) -> None:
    with opened(place) as database, database.engine.begin() as connection:
        connection.execute(update(VERSION).values(version=LATEST - 1))
    with pytest.raises(OlderSchema, match=rf"schema {LATEST - 1}, .* start a server with it once"):
        Database(place, reading=True)


def test_a_url_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "by-url.db"
    database = Database(f"sqlite:///{path}")
    try:
        assert path.exists()
    finally:
        database.close()


def test_sqlite_waits_for_others_and_keeps_a_write_ahead_log(tmp_path: Path) -> None:
    with opened(tmp_path / "set-up.db") as database, database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 10_000
