"""Rejections: writes that the database does not take, though it is there and takes others."""

import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from paddock_server.basics.errors import ServerError

# What a driver calls a statement that is wrong by itself. Everything else that a driver raises can
# be over in a moment: a full disk, a lock, a connection or a server that is gone.
_WRONG: Final = frozenset({"DataError", "IntegrityError", "NotSupportedError", "ProgrammingError"})


def is_rejection(problem: Exception) -> bool:
    """Whether the same write would fail again; False: the database is in trouble, or away."""
    if isinstance(problem, OSError | ServerError | MemoryError):
        return False
    cause = getattr(problem, "orig", None) or problem
    if isinstance(cause, sqlite3.OperationalError):
        # Such as a table that is not there; others are about the disk and about locks.
        return getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    kinds = (*type(problem).__mro__, *type(cause).__mro__)
    if isinstance(problem, DBAPIError) or _of_driver(cause):
        return not _WRONG.isdisjoint(kind.__name__ for kind in kinds)
    return not isinstance(problem, SQLAlchemyError) or cause is not problem  # a bug of ours


def _of_driver(cause: BaseException) -> bool:
    rooms = {kind.__module__.partition(".")[0] for kind in type(cause).__mro__}
    return not rooms.isdisjoint(("sqlite3", "psycopg"))
