"""How an older database becomes a newer one, a version at a time.

Each step stands as it was when its version was the latest, and never changes; schema.py may.
Version 1 was of SQLite alone, so the step to 2 speaks its dialect only.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, insert, inspect, select, text, update

from paddock_server.store.address import CannotOpen
from paddock_server.store.schema import METADATA, VERSION

_TO_2: Final = (  # tournaments and ratings
    *(
        f"ALTER TABLE matches ADD COLUMN {column}"
        for column in (
            "tournament TEXT NOT NULL DEFAULT ''",
            "pairing TEXT NOT NULL DEFAULT ''",
            "block TEXT NOT NULL DEFAULT ''",
            "round INTEGER NOT NULL DEFAULT 0",
            "rated INTEGER",
            "void TEXT NOT NULL DEFAULT ''",
        )
    ),
    *(
        f"ALTER TABLE seats ADD COLUMN {column}"
        for column in (
            "format TEXT NOT NULL DEFAULT ''",
            "version TEXT NOT NULL DEFAULT ''",
            "total INTEGER",
            "rank INTEGER",
            "faults INTEGER",
            "forfeit INTEGER",
            "rated INTEGER",
            "mu_before FLOAT",
            "sigma_before FLOAT",
            "mu FLOAT",
            "sigma FLOAT",
        )
    ),
    "UPDATE seats SET format = (SELECT format FROM matches WHERE number = seats.match)",
    """CREATE UNIQUE INDEX matches_by_pairing ON matches (tournament, pairing)
        WHERE tournament != ''""",
    "CREATE UNIQUE INDEX matches_by_rated ON matches (rated)",
    "CREATE INDEX matches_by_format ON matches (format, number)",
    "CREATE INDEX seats_by_rating ON seats (bot, format, rated)",
    """CREATE TABLE ratings (
        format TEXT NOT NULL, bot TEXT NOT NULL, version TEXT NOT NULL, latest INTEGER NOT NULL,
        mu FLOAT NOT NULL, sigma FLOAT NOT NULL, matches INTEGER NOT NULL,
        points INTEGER NOT NULL, wins FLOAT NOT NULL, faults INTEGER NOT NULL,
        forfeits INTEGER NOT NULL, change FLOAT NOT NULL, changed TEXT NOT NULL,
        whole_mu FLOAT, whole_sigma FLOAT, PRIMARY KEY (format, bot, version))""",
    "CREATE INDEX ratings_latest ON ratings (format, latest)",
    """CREATE TABLE tournaments (
        name TEXT NOT NULL, definition TEXT NOT NULL, state TEXT NOT NULL, started TEXT NOT NULL,
        ended TEXT NOT NULL DEFAULT '', PRIMARY KEY (name))""",
)

_STEPS: Final[Mapping[int, Sequence[str]]] = {2: _TO_2}
LATEST: Final = max(_STEPS)


class NewerSchema(CannotOpen):
    """Raised when a database was written by a newer Paddock than this."""


class OlderSchema(CannotOpen):
    """Raised when a database is to be read that is older than this Paddock."""


def migrate(connection: Connection) -> None:
    """Bring a database, empty or older, to the latest schema; all of it or nothing."""
    if not inspect(connection).has_table(VERSION.name):
        METADATA.create_all(connection)
        connection.execute(insert(VERSION).values(version=LATEST))
        return
    found = _found(connection)
    for version in range(found + 1, LATEST + 1):
        for statement in _STEPS[version]:
            connection.execute(text(statement))
        connection.execute(update(VERSION).values(version=version))


def check(connection: Connection) -> None:
    """Refuse a database that can't be read without being changed."""
    if not inspect(connection).has_table(VERSION.name):
        raise OlderSchema("the database is empty; start a server with it once")
    found = _found(connection)
    if found < LATEST:
        raise OlderSchema(
            f"the database has schema {found}, this Paddock reads {LATEST}; "
            "start a server with it once, which brings it up to date"
        )


def _found(connection: Connection) -> int:
    found = int(connection.execute(select(VERSION.c.version)).scalar_one())
    if found > LATEST:
        raise NewerSchema(
            f"the database has schema {found}, this Paddock knows up to {LATEST}; upgrade Paddock"
        )
    return found
