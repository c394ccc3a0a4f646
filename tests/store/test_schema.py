"""A database file: made when it is not there, kept when it is, refused when it is from tomorrow."""

from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, update

from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.migrations import LATEST, NewerSchema
from paddock_server.store.schema import METADATA, VERSION
from tests.store.opened import bot, opened, read, write


def version(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT version FROM schema_version").scalar_one())


def test_an_empty_file_gets_every_table(tmp_path: Path) -> None:
    with opened(tmp_path / "new.db") as database:
        assert set(inspect(database.engine).get_table_names()) >= set(METADATA.tables)
        assert read(database, version) == LATEST
        assert read(database, store.unfinished) == []
        assert read(database, store.list_bots, "", 10) == []
        assert read(database, store.list_matches, None, 10) == []


def test_what_is_there_stays_there(tmp_path: Path) -> None:
    for _ in range(3):
        with opened(tmp_path / "old.db") as database:
            write(database, store.add_bot, bot())
            assert read(database, store.list_bots, "", 10) == [bot()]
            assert read(database, version) == LATEST


def test_two_at_once_can_open_the_same_file(tmp_path: Path) -> None:
    with opened(tmp_path / "one.db") as one, opened(tmp_path / "one.db") as other:
        write(one, store.add_bot, bot())
        assert read(other, store.find_bot, "rex") == bot()


@pytest.mark.parametrize("ahead", [1, 99])
def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path, ahead: int) -> None:
    path = tmp_path / "newer.db"
    with opened(path) as database, database.engine.begin() as connection:
        connection.execute(update(VERSION).values(version=LATEST + ahead))
    before = path.read_bytes()
    with pytest.raises(NewerSchema, match=rf"schema {LATEST + ahead}, .*; upgrade Paddock"):
        Database(str(path))
    assert path.read_bytes() == before


def test_a_url_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "by-url.db"
    database = Database(f"sqlite:///{path}")
    try:
        assert path.exists()
    finally:
        database.close()


def test_every_connection_waits_for_the_others_and_keeps_a_write_ahead_log(tmp_path: Path) -> None:
    with opened(tmp_path / "set-up.db") as database, database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 10_000
