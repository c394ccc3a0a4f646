"""Books that are kept from one transaction to the next, beside ratings that are read every time."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection

from paddock_server.store import epochs, ratings, results, shelf, store
from paddock_server.store.database import Database
from paddock_server.store.rows import EndRow
from tests.postgresql import tell
from tests.store.ladder import BOTS, FORMAT, add, end_of, shown, some_matches
from tests.store.opened import bot, opened, read
from tests.store.test_results import rows

FORMATS = (FORMAT, "winter")
TABLES = ("matches", "seats", "ratings", "bots")


class _Failed(Exception):
    """Raised at the end of a transaction that is to change nothing."""


def _end(connection: Connection, ends: list[EndRow]) -> object:
    return results.finish_many(connection, ends)


def _fail(connection: Connection, ends: list[EndRow]) -> None:
    results.finish_many(connection, ends)
    raise _Failed


def _void(connection: Connection, number: int) -> int:
    return ratings.void(connection, number, "a test")


def _recompute(connection: Connection, name: str) -> None:
    ratings.add_up(connection, name)


def _begin_epoch(connection: Connection, name: str) -> None:
    now = epochs.current(connection, name)
    later = now.next(epochs.constants_of(name), "a test", fitted=False)
    constants = later.parameters.__class__(now.parameters.draw_probability / 2)
    epochs.begin(connection, later._replace(since="now", parameters=constants))
    ratings.rate_again(connection, name, since=0)


@pytest.mark.parametrize("seed", range(4))
def test_a_kept_book_changes_nothing(place: str, tmp_path: Any, seed: int) -> None:
    """Whatever else is written in between, and whichever transactions fail."""
    rng = Random(seed)
    matches = some_matches(60, seed, formats=FORMATS)
    with opened(place) as keeping, opened(tmp_path / "plain.db") as plain:

        def both(do: Callable[..., Any], *values: Any) -> None:
            for name in FORMATS:
                with plain.engine.connect() as connection:
                    shelf.drop(connection, name)
            assert _outcome(keeping, do, *values) == _outcome(plain, do, *values)

        for name in BOTS[:3]:
            both(store.add_bot, bot(name, owner="zoe" if name < "c" else name))
        ends = []
        for number, match in enumerate(matches, 1):
            assert add(keeping, match) == add(plain, match) == number
            ends.append(end_of(number, match))
        done = 0
        while done < len(ends):
            some = ends[done : done + rng.randint(1, 6)]
            what = rng.randrange(10)
            if what == 0 and done:
                both(_void, rng.randint(1, done))
            elif what == 1:
                both(_recompute, rng.choice(FORMATS))
            elif what == 2:
                both(_begin_epoch, rng.choice(FORMATS))
            elif what == 3:
                both(_fail, some)
            else:
                both(_end, some)
                done += len(some)
        for table in TABLES:
            assert read(keeping, rows, table) == read(plain, rows, table)


def _outcome(database: Database, do: Callable[..., Any], *values: Any) -> Any:
    try:
        return database.write(lambda connection: do(connection, *values))
    except _Failed:
        return "failed"


def test_a_book_that_is_kept_is_not_read_again(place: str) -> None:
    """So the test above is about something."""
    match = some_matches(1, 1)[0]
    with opened(place) as database:
        kept = []
        for _ in range(3):
            number = add(database, match)
            with database.engine.connect() as connection:
                kept.append(shelf.knows(connection, FORMAT, match.bots))
            database.write(lambda connection: _end(connection, [end_of(number, match)]))  # noqa: B023
        assert kept == [False, True, True]


def test_books_are_dropped_when_another_process_may_have_written(postgresql_place: str) -> None:
    first, second, third = some_matches(3, 3)
    with opened(postgresql_place) as database:
        numbers = [add(database, match) for match in (first, second, third)]
        ends = [end_of(*both) for both in zip(numbers, (first, second, third), strict=True)]
        database.write(lambda connection: _end(connection, ends[:2]))
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        tell(postgresql_place, f"{cut} AND datname = current_database()")
        with opened(postgresql_place) as other:
            other.write(lambda connection: _void(connection, numbers[0]))
        database.write(lambda connection: _end(connection, ends[2:]))
        stored = {bot: row.rating for bot, row in shown(database).items()}
        anew = read(database, ratings.rated_anew, FORMAT)
        assert stored.items() <= {bot: rating for (bot, _), rating in anew.items()}.items()
