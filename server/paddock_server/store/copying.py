"""A copy of a SQLite database in PostgreSQL: everything in one transaction, and checked in it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, func, inspect, select, tuple_
from sqlalchemy.exc import SQLAlchemyError

from paddock_ladder.rating import Rating
from paddock_server.store import ratings
from paddock_server.store.address import Address, CannotOpen, address_of
from paddock_server.store.database import Database
from paddock_server.store.file_lock import FileLock
from paddock_server.store.schema import MATCHES, METADATA, RATINGS, without_zero
from paddock_server.store.writing import transactions

_CHUNK: Final = 1000  # rows
Tell = Callable[[str, int, int], None]
"""Called with a table, the rows that are copied, and the rows that there are."""


class Copied(NamedTuple):
    """The result of copying a database, with what a recompute of the ladders said."""

    tables: dict[str, int]  # rows by table
    ladders: int  # that were computed again
    differing: tuple[str, ...]  # formats whose ladder, computed again, is not the stored one


def copy_database(source: str, target: str, tell: Tell = lambda *_: None) -> Copied:
    """Copy a SQLite database to an empty PostgreSQL database; all of it, or nothing.

    Raises CannotOpen if a server writes to the source, or if the target is not empty.
    """
    old, new = address_of(source), address_of(target)
    if old.file is None:
        raise CannotOpen(f"the database {old.shown} is not a file; name a SQLite file to copy from")
    if new.file is not None:
        raise CannotOpen(f"{new.shown} is a file; name a target such as postgresql://host/database")
    if not old.file.exists():
        raise CannotOpen(f"there is no database {old.file}; name a server's database")
    with _alone(old) as reading:
        engine = new.engine()
        try:
            writing = transactions(new, engine)
            try:
                return reading.look(
                    lambda here: writing.run(lambda there: _copy(here, there, new, tell), sync=True)
                )
            finally:
                writing.close()
        except SQLAlchemyError as problem:
            raise CannotOpen(
                f"the database {new.shown} can't be written ({new.reason(problem)}); "
                "check that the server runs and that you have access"
            ) from None
        finally:
            engine.dispose()


@contextmanager
def _alone(address: Address) -> Iterator[Database]:
    """The database, which nobody else can write to while the block runs."""
    assert address.file is not None, "a server has no file"  # noqa: S101
    lock = FileLock(address.file, address.shown)
    try:
        database = Database(address.shown, reading=True)
        try:
            yield database
        finally:
            database.close()
    finally:
        lock.release()


def _copy(here: Connection, there: Connection, target: Address, tell: Tell) -> Copied:
    if inspect(there).get_table_names():
        raise CannotOpen(
            f"the database {target.shown} is not empty; create a new one with: "
            "createdb --encoding UTF8 --template template0 NAME"
        )
    METADATA.create_all(there)
    tables = {table.name: _copy_table(here, there, table, tell) for table in METADATA.sorted_tables}
    _go_on_counting(here, there)
    formats = sorted(here.execute(select(RATINGS.c.format).distinct()).scalars())
    differing = []
    for format_name in formats:
        tell(f"ladder of {format_name}", 0, 1)
        again = ratings.rated_anew(there, format_name)
        if again != ratings.rated_anew(here, format_name):
            raise CannotOpen(f"the copy of {format_name} gives other ratings; nothing was written")
        if again != _stored(there, format_name):
            differing.append(format_name)
        tell(f"ladder of {format_name}", 1, 1)
    return Copied(tables, len(formats), tuple(differing))


def _copy_table(here: Connection, there: Connection, table: Table, tell: Tell) -> int:
    count = int(here.execute(select(func.count()).select_from(table)).scalar_one())
    key = list(table.primary_key.columns)
    copied = 0
    rows = iter(here.execution_options(yield_per=_CHUNK).execute(select(table).order_by(*key)))
    while chunk := list(islice(rows, _CHUNK)):
        there.execute(table.insert(), [dict(row._mapping) for row in chunk])
        _compare(there, table, chunk)
        copied += len(chunk)
        tell(table.name, copied, count)
    return copied


def _compare(there: Connection, table: Table, chunk: Sequence[Any]) -> None:
    """Read these rows back, and raise CannotOpen if they are others."""
    key = list(table.primary_key.columns)
    if not key:  # the version of the schema, which the next start checks
        return
    (first, last) = (tuple(without_zero(chunk[at]._mapping[c.name]) for c in key) for at in (0, -1))
    place = tuple_(*key)
    query = select(table).where(place >= tuple_(*first), place <= tuple_(*last)).order_by(*key)
    back = [tuple(row) for row in there.execute(query)]
    if back != [tuple(map(without_zero, row)) for row in chunk]:
        raise CannotOpen(f"the copy of table {table.name} differs; nothing was written")


def _go_on_counting(here: Connection, there: Connection) -> None:
    """Have the next match get a number that no match ever had."""
    last = here.exec_driver_sql("SELECT max(seq) FROM sqlite_sequence WHERE name = 'matches'")
    number = last.scalar_one() or 0
    if number:
        sequence = func.pg_get_serial_sequence(MATCHES.name, MATCHES.c.number.name)
        there.execute(select(func.setval(sequence, number)))


def _stored(connection: Connection, format_name: str) -> dict[tuple[str, str], Rating]:
    """The stored ratings of a format, by bot and version."""
    columns = (RATINGS.c.bot, RATINGS.c.version, RATINGS.c.mu, RATINGS.c.sigma)
    query = select(*columns).where(RATINGS.c.format == format_name)
    return {
        (bot, version): Rating(mu, sigma) for bot, version, mu, sigma in connection.execute(query)
    }
