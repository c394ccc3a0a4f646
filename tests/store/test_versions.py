"""Versions of bots: counted by day, and however many there are, a match costs the same."""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from paddock_server.referee.result import SeatResult
from paddock_server.store import ratings, results, store
from paddock_server.store.versions import note_version
from tests.store.opened import begun, count, new_match, opened, plan, played_match, read, write

DAY = "2026-11-{:02}T12:00:00.000Z"


def noted(connection: Connection, version: str, day: int, most: int = 3) -> bool:
    now, since = DAY.format(day), DAY.format(day - 1)
    return note_version(connection, "rex", version, now, since=since, most=most)


def test_new_versions_are_counted_by_day(place: str) -> None:
    with opened(place) as database:
        for version in ("1", "2", "3", "2", "1"):
            assert write(database, noted, version, 10)
        assert not write(database, noted, "4", 10)
        assert write(database, noted, "3", 10)  # it is known
        assert write(database, noted, "4", 11)
        assert read(database, count, "versions") == 4


def play(database: Any, name: str, version: str) -> None:
    """Finish a rated match of rex in this version."""
    (number,) = write(database, store.add_matches, [new_match(name, "rex", "bob")])
    planned = plan("rex", "bob")
    write(database, store.open_match, number, planned, begun(planned))
    seats = [
        SeatResult("rex", version, 20, 1, forfeit=False, faults=0),
        SeatResult("bob", "1", 10, 2, forfeit=False, faults=0),
    ]
    played = played_match(ended="2026-11-18T12:00:00.000Z")
    write(database, results.finish, number, played, seats, rated=True)


def test_a_version_that_comes_back_is_the_latest_again(place: str) -> None:
    with opened(place) as database:
        for number, version in enumerate(("1", "2", "2", "1", "1")):
            play(database, f"M{number}", version)
            (row,) = [row for row in read(database, ratings.standings) if row.bot == "rex"]
            assert row.version == version
        assert row.totals.matches == 2
        assert read(database, count, "ratings") == 3


def test_a_match_costs_the_same_however_many_versions_its_bots_had(tmp_path: Path) -> None:
    """Counted in steps of SQLite's machine, which are the same on every run."""
    with opened(tmp_path / "versions.db") as database:
        play(database, "M1", "0")

        def steps(name: str, version: str) -> int:
            counted = [0]

            def step() -> int:
                counted[0] += 1
                return 0

            with database.engine.connect() as connection:
                raw: sqlite3.Connection = connection.connection.dbapi_connection  # type: ignore[assignment]
                raw.set_progress_handler(step, 10)
            play(database, name, version)
            raw.set_progress_handler(None, 0)
            return counted[0]

        play(database, "M2", "1")
        few = steps("M3", "2")

        def add_many(connection: Connection) -> None:
            columns = [c for c in read(database, names) if c not in ("version", "latest")]
            copied = ", ".join(columns)
            for number in range(3000):
                connection.exec_driver_sql(
                    f"INSERT INTO ratings (version, latest, {copied}) SELECT 'v{number}', 0, "  # noqa: S608
                    f"{copied} FROM ratings WHERE bot = 'rex' AND latest = 1"
                )

        def names(connection: Connection) -> list[str]:
            rows = connection.exec_driver_sql("PRAGMA table_info(ratings)")
            return [row[1] for row in rows]

        write(database, add_many)
        many = steps("M4", "3")
        assert 0 < many < 1.5 * few
