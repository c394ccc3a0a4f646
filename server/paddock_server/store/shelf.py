"""The shelf: books of ladders that are kept from one transaction to the next, by format.

So the end of a match reads no ratings that the one before has just written. A book is only used
where the last match that it knows of is the last one stored, which it is not after a transaction
that failed. Whoever changes ratings in another way drops the book. Where other nodes of a cluster
write, too, no book is kept: they may have voided a match, or changed the constants.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine

from paddock_server.store.book import Book
from paddock_server.store.connection import SHARED

_SHELVES: Final[WeakKeyDictionary[Engine, dict[str, "_Kept"]]] = WeakKeyDictionary()


class _Kept(NamedTuple):
    """A book, and how far it goes."""

    last: int  # in the order in which matches were rated
    book: Book


def knows(connection: Connection, format_name: str, bots: Iterable[str]) -> bool:
    """Whether the ratings of all these bots need not be read, unless `take` has nothing."""
    kept = _shelf(connection).get(format_name)
    return kept is not None and kept.book.knows(bots)


def take(connection: Connection, format_name: str, last: int) -> Book | None:
    """Take the book of a format off the shelf, if it goes up to this match."""
    kept = _shelf(connection).pop(format_name, None)
    return kept.book if kept is not None and kept.last == last else None


def keep(connection: Connection, format_name: str, last: int, book: Book) -> None:
    """Keep a book that goes up to this match for the next."""
    _shelf(connection)[format_name] = _Kept(last, book)


def drop(connection: Connection, format_name: str) -> None:
    """Drop the book of a format whose ratings or constants are others than before."""
    _shelf(connection).pop(format_name, None)


def clear(engine: Engine) -> None:
    """Drop all books: another process may have written."""
    _SHELVES.pop(engine, None)


def _shelf(connection: Connection) -> dict[str, _Kept]:
    """The books of a database, for all connections that write."""
    if SHARED in connection.info:
        return {}
    return _SHELVES.setdefault(connection.engine, {})
