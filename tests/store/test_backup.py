"""Copies that are taken while matches are journalled, and what they restore to."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from paddock_server.referee.events import Dealt
from paddock_server.store import ratings, store
from paddock_server.store.address import CannotOpen
from paddock_server.store.backup import back_up
from tests import postgresql
from tests.cli.command import call
from tests.store.ladder import FORMAT, add, played, some_matches
from tests.store.opened import begun, opened, plan, read, write
from tests.store.test_durability import APPENDING

MATCHES = some_matches(20, 6)


@contextmanager
def busy(place: str) -> Iterator[None]:
    """A database with a history, and somebody who journals a match all the while."""
    with opened(place) as database:
        played(database, *MATCHES)
        number = add(database, MATCHES[0])
        write(database, store.open_match, number, plan(), begun(plan()))
    command = [sys.executable, str(APPENDING), place, str(number), "7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(20):  # it is well under way
            process.stdout.readline()
        try:
            yield
            assert process.poll() is None  # nobody had to stop
            process.stdout.readline()
        finally:
            process.kill()
            process.stdout.read()


def check(original: str, copy: str) -> None:
    """The copy is a database of one moment: all that was over, and a journal without a gap."""
    with opened(copy) as restored, opened(original) as there:
        assert read(restored, ratings.standings) == read(there, ratings.standings)
        assert read(restored, ratings.count_rated, FORMAT) == len(MATCHES)
        (left,) = read(restored, store.unfinished)
        assert len(left.events) >= 20 * 7
        assert len(left.events) % 7 == 0
        assert left.events == [Dealt([f"{n}"]) for n in range(len(left.events))]
        assert read(restored, store.find_match, "M3") == read(there, store.find_match, "M3")
        played(restored, *MATCHES[:2])  # and it goes on
        assert read(restored, ratings.count_rated, FORMAT) == len(MATCHES) + 2


def test_a_copy_of_sqlite_is_whole(tmp_path: Path) -> None:
    original, copy = tmp_path / "paddock.db", tmp_path / "copy.db"
    with busy(str(original)):
        outcome = call("backup", "--db", original, copy)
        assert outcome.code == 0, outcome
        assert outcome.out.startswith(f"{copy} is a copy of {original}, ")
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check(str(original), str(copy))


def test_a_dump_of_postgresql_is_whole(
    postgresql_place: str, postgresql_server: str, tmp_path: Path
) -> None:
    dump = str(tmp_path / "paddock.dump")
    pg_dump = [postgresql.program("pg_dump"), "--format=custom", f"--file={dump}", postgresql_place]
    with busy(postgresql_place):
        subprocess.run(pg_dump, check=True)
    with postgresql.database(postgresql_server) as copy:
        pg_restore = [postgresql.program("pg_restore"), "--no-owner", f"--dbname={copy}", dump]
        subprocess.run(pg_restore, check=True)
        check(postgresql_place, copy)


def test_what_can_not_be_copied_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    original, taken = tmp_path / "paddock.db", tmp_path / "taken.db"
    with opened(original):
        pass
    taken.write_text("mine")
    (tmp_path / "text.db").write_text("no database" * 100)
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE a (b)")
    cases = [
        (original, taken, "taken.db exists already"),
        (original, tmp_path / "none" / "x.db", "there is no folder"),
        (tmp_path / "none.db", tmp_path / "x.db", "there is no database"),
        (tmp_path / "text.db", tmp_path / "x.db", "can't be copied .file is not a database"),
        (tmp_path / "other.db", tmp_path / "x.db", "can't be copied .no such table"),
        ("postgresql://ada:geheim@host/x", tmp_path / "x.db", "//ada@host/x .* use: pg_dump"),
    ]
    for source, copy, sentence in cases:
        with pytest.raises(CannotOpen, match=sentence):
            back_up(str(source), copy)
        assert "geheim" not in call("backup", "--db", source, copy).refused()
    assert taken.read_text() == "mine"
    assert not list(tmp_path.glob("x.db*"))


def test_an_older_database_is_copied_as_it_is(tmp_path: Path) -> None:
    """Before an upgrade is when a copy is wanted."""
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.execute("CREATE TABLE schema_version (version INTEGER)")
        connection.execute("INSERT INTO schema_version VALUES (1)")
        connection.commit()
    (tmp_path / "copy.db.part").write_text("of one that was interrupted")
    back_up(str(tmp_path / "old.db"), tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as connection:
        assert connection.execute("SELECT * FROM schema_version").fetchall() == [(1,)]
