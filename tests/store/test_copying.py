"""A database that moves to PostgreSQL: all of it or nothing, and the same ladders."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from paddock_server.referee.events import Dealt
from paddock_server.store import ratings, store
from paddock_server.store.address import CannotOpen
from paddock_server.store.copying import copy_database
from paddock_server.store.rows import JournalRow
from paddock_server.store.schema import MATCHES, METADATA, without_zero
from tests import postgresql
from tests.cli.command import call
from tests.store.ladder import add, played, some_matches
from tests.store.opened import begun, bot, count, opened, plan, read, write

HISTORY = some_matches(30, 6, formats=("summer", "winter"))
TABLES = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A database with two ladders and an open match, whose last match is gone."""
    place = str(tmp_path / "paddock.db")
    with opened(place) as database:
        write(database, store.add_bot, bot("ada", owner="Zoë \0 漢字"))
        played(database, *HISTORY)
        number = add(database, HISTORY[0])
        write(database, store.open_match, number, plan(), begun(plan()))
        events = [JournalRow(number, at, Dealt([f"{at}"])) for at in range(3)]
        write(database, store.append, events)
        gone = add(database, HISTORY[1])
        write(
            database, lambda there: there.execute(MATCHES.delete().where(MATCHES.c.number == gone))
        )
    return place


def everything(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    return {
        table.name: sorted(
            tuple(map(without_zero, row)) for row in connection.execute(select(table))
        )
        for table in METADATA.sorted_tables
        if table.name not in ("matches", "bots", "standings")
    }


def test_everything_moves_and_play_goes_on(source: str, postgresql_place: str) -> None:
    outcome = call("db", "copy", source, postgresql_place)
    assert outcome.code == 0, outcome
    assert f"{source} was copied: " in outcome.out
    assert "31 matches" in outcome.out
    assert "2 of 2 ladders are equal to the stored ones, computed again" in outcome.out
    with opened(source) as old, opened(postgresql_place) as new:
        assert read(old, everything) == read(new, everything)
        for name in ("M0", "M29"):
            assert read(old, store.find_match, name) == read(new, store.find_match, name)
        (left,) = read(new, store.unfinished)
        assert left.events == [Dealt([f"{at}"]) for at in range(3)]
        known = read(new, store.find_bot, "ada")
        assert known is not None
        assert known == read(old, store.find_bot, "ada")._replace(owner=known.owner)  # type: ignore[union-attr]
        for form in ("summer", "winter"):
            assert read(old, ratings.rated_anew, form) == read(new, ratings.rated_anew, form)
        # A number is never given twice, not even that of a match that is gone.
        assert add(new, HISTORY[2], "later") == add(old, HISTORY[2], "later") == 33


def test_nothing_is_copied_where_it_could_do_harm(
    source: str, postgresql_place: str, tmp_path: Path
) -> None:
    (tmp_path / "text.db").write_text("no database" * 100)
    with opened(source), pytest.raises(CannotOpen, match="in use by another Paddock"):
        copy_database(source, postgresql_place)
    cases = [
        (postgresql_place, postgresql_place, "is not a file"),
        (source, source, "is a file; name a target such as"),
        (str(tmp_path / "none.db"), postgresql_place, "there is no database"),
        (str(tmp_path / "text.db"), postgresql_place, "file is not a database"),
        (source, "postgresql://ada:geheim@127.0.0.1:1/x", "can't be written"),
    ]
    for old, new, sentence in cases:
        with pytest.raises(CannotOpen, match=sentence) as refused:
            copy_database(old, new)
        assert "geheim" not in str(refused.value)
    assert postgresql.tell(postgresql_place, TABLES) == [(0,)]
    with opened(postgresql_place):  # which somebody has begun to use
        pass
    with pytest.raises(CannotOpen, match="is not empty; create a new one"):
        copy_database(source, postgresql_place)
    assert not (tmp_path / "none.db").exists()


def test_a_copy_that_is_interrupted_leaves_nothing(source: str, postgresql_place: str) -> None:
    def interrupt(what: str, done: int, _of: int) -> None:
        if what == "seats" and done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_database(source, postgresql_place, interrupt)
    assert postgresql.tell(postgresql_place, TABLES) == [(0,)]
    assert copy_database(source, postgresql_place).tables["matches"] == 31
    with opened(source) as database:  # and the file is as it was, free for a server
        assert read(database, count, "matches") == 31


def test_a_ladder_that_is_not_what_its_matches_say_is_told(
    source: str, postgresql_place: str
) -> None:
    """As where a bot that was removed has no owner any more; the copy is still the same."""
    with opened(source) as database:
        write(database, lambda there: there.exec_driver_sql(
            "UPDATE ratings SET mu = mu + 1 WHERE format = 'winter'"))  # fmt: skip
    assert copy_database(source, postgresql_place).differing == ("winter",)
