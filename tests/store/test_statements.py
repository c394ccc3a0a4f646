"""The statements of every match: how many PostgreSQL gets, as the driver's own log tells, what it
reads for them, and that lists get there as they are."""

import re
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Connection, Float, Integer, LargeBinary, Text
from sqlalchemy.types import TypeEngine

from paddock_server.store import results, store
from paddock_server.store.connection import SHARED
from paddock_server.store.database import Database
from paddock_server.store.prepared import Among, Written
from paddock_server.store.rows import EndRow, JournalRow
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


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("size", [1, 2, 20])
def test_a_group_of_ends_is_one_statement_a_table(
    postgresql_place: str, size: int, shared: bool
) -> None:
    match = Played(BOTS, (1, 2, 3, 4, 5), ("1",) * 5)
    with opened(postgresql_place) as database:
        for name in BOTS:
            write(database, store.add_bot, bot(name))
        ends = [end_of(add(database, match), match) for _ in range(size + 1)]
        write(database, results.finish_many, ends[:1])  # what is read once

        def end(connection: Connection) -> None:
            if shared:
                connection.info[SHARED] = True  # as in a node of a cluster
            results.finish_many(connection, ends[1:])

        sent = statements(database, end)
        reads = ["who is alive", "bots", "the last match"]
        if shared:  # other nodes may have changed what this one knew
            reads += ["the lock", "the epoch", "ratings", "owners"]
            reads += [f"whom {name} met" for name in BOTS]
        writes = ["ratings", "matches", "seats", "journal", "forfeits"]
        assert sent == len(reads) + len(writes)
        assert {row.totals.matches for row in shown(database, FORMAT).values()} == {size + 1}


def test_ends_read_their_own_matches_alone(postgresql_place: str) -> None:
    """Neither a whole table nor all that is waiting, however many plans PostgreSQL tries."""
    match = Played(BOTS[:4], (1, 2, 3, 4), ("1",) * 4)
    with opened(postgresql_place) as database:
        for name in BOTS:
            write(database, store.add_bot, bot(name))
        played = [end_of(add(database, match), match) for _ in range(200)]
        write(database, results.finish_many, played)
        write(database, lambda connection: connection.exec_driver_sql("ANALYZE"))
        write(database, store.add_matches, [new_match(f"W{number}") for number in range(1000)])
        read_too_much: list[list[str]] = []
        for _ in range(40):
            ends = [end_of(add(database, match), match)]
            events = [JournalRow(end.number, 0, stepped(0)) for end in ends]
            database.write(partial(store.append, events=events))
            read_too_much.append(database.write(partial(_too_much, ends=ends)))
        assert read_too_much == [[]] * 40


@pytest.mark.parametrize("shared", [False, True])
def test_plans_of_a_young_database_read_no_more_in_an_old_one(
    postgresql_place: str, shared: bool
) -> None:
    """The driver has PostgreSQL keep the plans of the first ends, when a table had a few rows."""
    match = Played(BOTS[:4], (1, 2, 3, 4), ("1",) * 4)
    with opened(postgresql_place) as database:

        def end(matches: int) -> list[str]:
            ends = [end_of(add(database, match), match) for _ in range(matches)]
            return database.write(partial(_too_much, ends=ends, shared=shared))

        for _ in range(20):
            end(1)
        for _ in range(6):
            end(200)
        assert [end(1) for _ in range(5)] == [[]] * 5


def test_statements_of_every_match_are_planned_once(postgresql_place: str) -> None:
    match = Played(BOTS[:4], (1, 2, 3, 4), ("1",) * 4)
    with opened(postgresql_place) as database:
        for _ in range(30):
            number = add(database, match)
            event = JournalRow(number, 0, stepped(0))
            database.write(partial(store.append, events=[event]))
            database.write(partial(results.finish_many, ends=[end_of(number, match)]))
        plans = "SELECT sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements"
        kept, again = database.write(lambda connection: connection.exec_driver_sql(plans).one())
        assert kept > 100
        assert again == 0


def _too_much(connection: Connection, ends: list[EndRow], *, shared: bool = False) -> list[str]:
    """The tables that PostgreSQL read from end to end for these ends, and the indexes."""
    if shared:
        connection.info[SHARED] = True  # as in a node of a cluster
    before = _reads(connection)
    results.finish_many(connection, ends)
    after = _reads(connection)
    return [name for name, read in after.items() if read.times - before[name].times >= read.most]


class _Read(NamedTuple):
    """How often a table was read from end to end of late, or how many rows were by an index."""

    times: int
    most: int  # that is too often, or too many


def _reads(connection: Connection) -> dict[str, _Read]:
    query = (
        "SELECT relname, CASE relkind WHEN 'r' THEN pg_stat_get_xact_numscans(oid) "
        "ELSE pg_stat_get_xact_tuples_returned(oid) END, CASE relkind WHEN 'r' THEN 1 ELSE 500 END "
        "FROM pg_class "
        "WHERE relkind IN ('r', 'i') AND relnamespace = current_schema()::regnamespace"
    )
    return {
        str(name): _Read(int(times), most)
        for name, times, most in connection.exec_driver_sql(query)
    }


_ODD = ("", " ", "NULL", "{}", 'a"b', "a\\b", '\\"', "a,b", "\n\t", "漢字", "'", "\\x41", "}", "%s")


def test_lists_are_taken_as_they_are(place: str) -> None:
    kinds: dict[str, TypeEngine[Any]] = {
        "at": Integer(),
        "text": Text(),
        "data": LargeBinary(),
        "number": Float(),
    }
    put = Written("INSERT INTO kept (at, text, data, number) {all}", kinds)
    numbers = (0.1, -0.0, 5e-324, 1.7976931348623157e308, 2**53 + 1.0, 3)
    rows: list[tuple[Any, ...]] = [
        (at, text, text.encode() + bytes(range(256)), numbers[at % len(numbers)])
        for at, text in enumerate(_ODD)
    ]
    rows.append((len(rows), None, None, None))
    with opened(place) as database:

        def kept(connection: Connection) -> list[Any]:
            data, number = ("BLOB", "REAL")
            if connection.dialect.name == "postgresql":
                data, number = ("BYTEA", "DOUBLE PRECISION")
            columns = f"at INTEGER, text TEXT, data {data}, number {number}"
            connection.exec_driver_sql(f"CREATE TEMPORARY TABLE kept ({columns})")
            put.run_many(connection, rows)
            found = Among("SELECT at FROM kept WHERE text = ANY(?)", Text())
            assert sorted(found.rows(connection, _ODD)) == [(at,) for at in range(len(_ODD))]
            return connection.exec_driver_sql("SELECT * FROM kept ORDER BY at").all()  # type: ignore[return-value]

        assert [tuple(row) for row in write(database, kept)] == rows
