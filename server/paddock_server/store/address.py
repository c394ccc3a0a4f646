"""The address of a database: as a user wrote it, as a driver takes it, and without its password."""

from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import URL, Engine, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from paddock_server.basics.errors import ServerError

_POSTGRESQL: Final = "postgresql"
# Defaults of the connection: a server that is gone is noticed within half a minute.
_PATIENCE: Final = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
    "application_name": "paddock",
}
_HOW: Final = "name a file, or postgresql://user@host/database"


class CannotOpen(ServerError):
    """Raised when a database can't be opened or used; the text says why, and what to do."""

    reason = "database/unusable"


class Address(NamedTuple):
    """The address of a database."""

    url: URL
    shown: str  # for logs and errors: without the password
    file: Path | None  # of SQLite; None for a server

    def engine(self, **options: Any) -> Engine:
        """An engine for this database; its errors never show the values of a statement."""
        return create_engine(self.url, hide_parameters=True, **options)

    def reason(self, problem: BaseException) -> str:
        """Why a driver refused, in one line without the password."""
        text = reason(problem)
        for secret in (self.url.password, self.url.query.get("password")):
            text = text.replace(str(secret), "***") if secret else text
        return text


def reason(problem: BaseException) -> str:
    """Why a driver refused, in one line."""
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    text = str(getattr(problem, "orig", None) or problem).strip()
    return text.splitlines()[0] if text else type(problem).__name__


def away(problem: BaseException) -> CannotOpen:
    """The error for callers while a database can't be used; strangers do not hear why."""
    error = CannotOpen("the database can't be reached now; try again soon")
    error.__cause__ = problem
    return error


def address_of(named: str) -> Address:
    """The address in what a user wrote: a path, or a URL of SQLite or PostgreSQL."""
    if "://" not in named:
        return Address(URL.create("sqlite", database=named), named, Path(named))
    scheme = named.partition("://")[0]
    try:
        url = make_url(named)
    except (ArgumentError, ValueError):  # such as a port that is not a number
        raise CannotOpen(f"the address {scheme}://... is invalid; {_HOW}") from None
    if url.drivername == "sqlite":
        if not url.database or url.query:
            raise CannotOpen(f"the address {scheme}://... names no file; {_HOW}")
        return Address(url, url.database, Path(url.database))
    if url.drivername != _POSTGRESQL:
        raise CannotOpen(f"databases of the kind {scheme}:// are not supported; {_HOW}")
    if "@" in (url.host or ""):
        raise CannotOpen(f"the address {scheme}://... has more than one @; write %40 in a password")
    query = {**_PATIENCE, **url.query}
    shown = URL.create(
        _POSTGRESQL, url.username, host=url.host, port=url.port, database=url.database
    )
    driver = url.set(drivername=f"{_POSTGRESQL}+psycopg", query=query)
    return Address(driver, shown.render_as_string(), None)


def with_program(named: str, program: str) -> str:
    """The address of a PostgreSQL database, for connections that it knows by this name."""
    url = make_url(named).update_query_dict({"application_name": program})
    return url.render_as_string(hide_password=False)
