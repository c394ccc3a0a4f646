"""Databases of every earlier version become what a new one is, with all that was in them."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect

from paddock_server.referee.events import Dealt, Stepped
from paddock_server.referee.result import SeatResult
from paddock_server.store import ratings, results, store, tournament_matches
from paddock_server.store.database import Database
from paddock_server.store.migrations import LATEST, STEPS
from paddock_server.store.rows import JournalRow, MatchFilter
from tests import postgresql
from tests.store.opened import bot, new_match, opened, plan, played_match, read, stepped, write

SCHEMAS = Path(__file__).parents[1] / "data" / "schema"
PLAYED = played_match("winter", ended="2026-11-16T12:00:00.000Z")
RESULTS = [
    SeatResult(bot, "2", total=3 - seat, rank=seat + 1, forfeit=False, faults=0, fallbacks=seat)
    for seat, bot in enumerate(("ada-1", "zoe's", "eve"))
]


COMPUTED = ("whole_mu", "whole_sigma")  # from the rest, and again at any time
OLD = [("sqlite", version) for version in range(1, LATEST)]
OLD += [("postgresql", version) for version in range(3, LATEST)]  # it came with version 3


@pytest.fixture(params=OLD, ids="{0[0]} {0[1]}".format)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of an earlier version; there must be one of each."""
    kind, version = request.param
    if kind == "sqlite":
        path = tmp_path / "old.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((SCHEMAS / f"{version}.sql").read_text())
        return str(path)
    place: str = request.getfixturevalue("postgresql_place")
    tell(place, (SCHEMAS / "postgresql" / f"{version}.sql").read_text())
    return place


@pytest.fixture
def fresh(old: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a new database of the same kind can be."""
    if not is_url(old):
        yield str(tmp_path / "new.db")
        return
    with postgresql.database(request.getfixturevalue("postgresql_server")) as place:
        yield place


def is_url(place: str) -> bool:
    """Whether this is PostgreSQL's."""
    return place.startswith("postgresql:")


def tell(place: str, statement: str) -> None:
    """Have a database do this, past Paddock."""
    if is_url(place):
        postgresql.tell(place, statement)
        return
    with closing(sqlite3.connect(place)) as connection:
        connection.execute(statement)
        connection.commit()


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
    options = index.get("dialect_options", {})
    where = options.get("sqlite_where", options.get("postgresql_where"))
    return f"{index['name']} {index['column_names']} {index['unique']} {where}"


def rows(place: str) -> dict[str, list[dict[str, Any]]]:
    """All there is, by table."""
    engine = create_engine(
        place.replace("postgresql:", "postgresql+psycopg:", 1)
        if is_url(place)
        else f"sqlite:///{place}"
    )
    with engine.connect() as connection:
        tables = inspect(connection).get_table_names()
        found = {
            name: [
                dict(row._mapping)
                for row in connection.exec_driver_sql(f"SELECT * FROM {name} ORDER BY 1, 2")  # noqa: S608
            ]
            for name in tables
            if name != "schema_version"
        }
    engine.dispose()
    return found


def test_it_becomes_what_a_new_one_is(old: str, fresh: str) -> None:
    with opened(old) as migrated, opened(fresh) as new:
        assert described(migrated) == described(new)


def test_nothing_that_was_there_is_lost(old: str) -> None:
    before = rows(old)
    assert all(before.values())  # the file has something of everything
    Database(old).close()
    after = rows(old)
    for table, kept in before.items():
        names = [name for name in kept[0] if name not in COMPUTED]
        assert _only(after[table], names) == _only(kept, names)


def _only(some: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in names} for row in some]


def test_the_store_works_on_it(old: str) -> None:
    with opened(old) as database:
        known = read(database, store.find_bot, "zoe's")
        assert known is not None
        assert known.owner == "Zoë 漢字"
        playing, waiting = read(database, store.unfinished)
        dealt, step = playing.events
        assert isinstance(dealt, Dealt)
        assert isinstance(step, Stepped)
        assert (dealt.nonces[0], step.step, step.choices) == ("1" * 32, 0, [0, 1, 2])
        assert [(timing.ms, timing.fallback) for timing in step.timings] == [(1.25, None)] * 3
        assert playing.row.plan == plan("ada-1", "zoe's", "eve", form="winter")
        assert playing.row.begun is not None
        assert [each.owner for each in playing.row.begun.entrants] == ["ada-1", "zoe's", "eve"]
        assert waiting.row.plan == plan("zoe's", "ada-1", "house-greedy")
        assert waiting.row.begun is None
        found = read(database, store.find_match, "M1")
        assert found is not None
        first, second = found[0].results
        assert (first.bot, first.version, first.total) == ("ada-1", "1.2", 31)
        assert (second.bot, second.faults, second.forfeit) == ("zoe's", 3, True)
        assert (first.fallbacks, second.fallbacks) == (0, 0)
        if read(database, ratings.standings):  # which came with version 2
            assert {row.totals.fallbacks for row in read(database, ratings.standings)} == {0}
            begun = {row.totals.opponents for row in read(database, ratings.standings)}
            assert begun == {0}  # until somebody adds up the matches
            write(database, ratings.add_up, "two-player")
            (ada, zoe) = (row.totals for row in read(database, ratings.standings, "two-player"))
            assert (ada.opponents, ada.score) == (zoe.opponents, 1 - zoe.score) == (1, 1.0)
            assert ada.expected == pytest.approx(0.5)  # they were equals
            assert zoe.expected == pytest.approx(0.5)
        assert '"M1"' in found[1]
        (met,) = read(database, ratings.meetings, "ada-1", "zoe's", "two-player")
        assert (met.mine, met.theirs) == (31, 27)
        mine = MatchFilter(bot="ada-1")
        assert [row.id for row in read(database, store.list_matches, None, 9, mine)] == [
            "M4", "M2", "M1",
        ]  # fmt: skip

        write(database, store.add_bot, bot("new"))
        new = new_match("M8", "new", "ada-1", tournament="U", pairing="p")
        assert write(database, store.add_matches, [new]) == [8]  # 7 was given once
        write(database, store.append, [JournalRow(2, 2, stepped(1))])
        changes = write(database, results.finish, 2, PLAYED, RESULTS, rated=True)
        (one,) = (r for r in read(database, ratings.standings, "winter") if r.bot == "zoe's")
        assert (one.totals.fallbacks, one.totals.opponents, one.totals.score) == (1, 2, 1.0)
        assert changes is not None
        assert len(changes) == 3
        assert read(database, ratings.count_rated, "winter") == 1
        assert [row.key for row in read(database, tournament_matches.pairings, "U")] == ["p"]


def test_bots_that_look_alike_stay_and_no_others_join_them(old: str) -> None:
    for number, name in enumerate(("Rex", "rex", "reX", "Barn", "VVin1")):
        columns = "name, owner, token_hash, added, version, formats, forfeits, probation"
        tell(
            old,
            f"INSERT INTO bots ({columns}) "  # noqa: S608
            f"VALUES ('{name}', 'ada', '', '2026-11-1{number}', '', '[]', 0, '')",
        )
    with opened(old) as database:
        for name in ("Rex", "rex", "reX"):
            assert read(database, store.find_bot, name) is not None
            assert read(database, store.find_alike, name) == name
        assert not write(database, store.add_bot, bot("REX"))
        assert read(database, store.find_alike, "REX") == "Rex"  # who was there first
        for name in ("ADA-1", "bam", "WlNI"):
            assert not write(database, store.add_bot, bot(name))
        assert write(database, store.add_bot, bot("other"))


# A step never changes once a database may have taken it: it would not be taken again. A new version
# adds a line here. Only the last step may change, and only until it is released.
STEPS_BY_HASH = {
    2: "f9a1caec3e2229fcf499eeac803df94c4c2680e26f3383c7fa7e7e167ea579dc",
    3: "5584c0d4b90e7c7fe2ce7cd8b86a59c602ff5ad940cb7d514e97fa2b8aa80400",
    4: "11a9f2fd5a824bb5328e4a42dceba88f6a1ac228a7b53ab8243ee0c04f93dca5",
}


def test_every_step_is_what_it_was() -> None:
    hashes = {
        version: hashlib.sha256("\n".join(statements).encode()).hexdigest()
        for version, statements in STEPS.items()
    }
    assert hashes == STEPS_BY_HASH


def test_there_is_a_file_of_every_version() -> None:
    assert sorted(int(path.stem) for path in SCHEMAS.glob("*.sql")) == list(range(1, LATEST))


def test_what_can_not_be_brought_up_is_left_as_it_was(old: str) -> None:
    # In the way of a late statement of the last step.
    tell(old, "CREATE TABLE tournament_log (in_the INTEGER, way INTEGER)")
    before = rows(old)
    with pytest.raises(Exception, match="tournament_log"):
        Database(old)
    assert rows(old) == before
