"""How many statements PostgreSQL gets for a group of writes, as the driver's own log tells."""

import re
import tempfile
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from paddock_server.store import results, store
from paddock_server.store.database import Database
from paddock_server.store.rows import JournalRow
from tests.store.ladder import BOTS, FORMAT, Played, add, end_of, shown
from tests.store.opened import bot, count, new_match, opened, read, stepped, write

_SENT = re.compile(rb"\tF\t\d+\t(?:Query|Execute)\b")


def statements(database: Database, do: Callable[[Connection], Any]) -> int:
    """How many statements the server executes for this work, in one transaction."""

    def traced(connection: Connection) -> int:
        connection.exec_driver_sql("SELECT 1")  # so that the transaction has begun
        driver: Any = connection.connection.driver_connection
        with tempfile.TemporaryFile() as log:
            driver.pgconn.trace(log.fileno())
            try:
                do(connection)
            finally:
                driver.pgconn.untrace()
            log.seek(0)
            return len(_SENT.findall(log.read()))

    return write(database, traced)


@pytest.mark.parametrize("size", [1, 2, 40])
def test_a_group_of_events_is_one_statement(postgresql_place: str, size: int) -> None:
    with opened(postgresql_place) as database:
        matches = [new_match(f"M{number}") for number in range(size)]
        numbers = write(database, store.add_matches, matches)
        events = [JournalRow(number, 0, stepped(number)) for number in numbers]
        assert statements(database, lambda connection: store.append(connection, events)) == 1
        assert statements(database, lambda connection: store.append(connection, events)) == 1
        assert read(database, count, "journal") == size  # the second time changed nothing


@pytest.mark.parametrize("size", [1, 2, 20])
def test_a_group_of_ends_is_one_statement_a_table(postgresql_place: str, size: int) -> None:
    match = Played(BOTS, (1, 2, 3, 4, 5), ("1",) * 5)
    with opened(postgresql_place) as database:
        for name in BOTS:
            write(database, store.add_bot, bot(name))
        ends = [end_of(add(database, match), match) for _ in range(size + 1)]
        write(database, results.finish_many, ends[:1])  # what is read once a connection
        sent = statements(database, lambda connection: results.finish_many(connection, ends[1:]))
        reads = ["who is alive", "bots", "the last match", "the epoch", "ratings"]
        writes = ["ratings", "matches", "seats", "journal", "forfeits"]
        assert sent == len(reads) + len(writes)
        assert {row.totals.matches for row in shown(database, FORMAT).values()} == {size + 1}
