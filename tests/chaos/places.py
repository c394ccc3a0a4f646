"""The databases of a chaos run: what can happen to a SQLite file and to a PostgreSQL server."""

import resource
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests import postgresql
from tests.server.process import Server

_CUT: Final = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"


class Place(NamedTuple):
    """A database, and the faults that only its kind has; each begins one and returns its end."""

    address: str
    faults: Mapping[str, Callable[[Server], Callable[[], None]]]


@contextmanager
def sqlite(folder: Path) -> Iterator[Place]:
    """A SQLite file, whose disk can be full."""
    yield Place(str(folder / "paddock.db"), {"full disk": _fill})


def _fill(server: Server) -> Callable[[], None]:
    """Let no file of the server grow, as on a full disk."""
    assert server.process is not None
    pid = server.process.pid
    unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, unlimited[1]))

    def end() -> None:
        if server.process is not None and server.process.pid == pid and server.process.code is None:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)

    return end


@contextmanager
def on_postgresql(_folder: Path) -> Iterator[Place]:
    """A PostgreSQL server of our own, which can cut connections and crash."""
    server = postgresql.Server(durable=True)
    try:
        server.start()
        with postgresql.database(server.url) as address:

            def crash(_server: Server) -> Callable[[], None]:
                server.stop()
                return server.start

            def cut(_server: Server) -> Callable[[], None]:
                postgresql.tell(address, _CUT)
                return lambda: None

            yield Place(address, {"database crash": crash, "cut connections": cut})
    finally:
        server.remove()


PLACES: Final = {"sqlite": sqlite, "postgresql": on_postgresql}
