"""The tables, and how an older file becomes a newer one."""

from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    insert,
    inspect,
    select,
)

METADATA: Final = MetaData()

VERSION = Table("schema_version", METADATA, Column("version", Integer, nullable=False))

BOTS = Table(
    "bots",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False),
    Column("added", Text, nullable=False),
    Column("version", Text, nullable=False, default=""),
    Column("formats", Text, nullable=False, default="[]"),  # JSON
    Column("forfeits", Integer, nullable=False, default=0),  # matches in a row
    Column("probation", Text, nullable=False, default=""),  # why, or empty
)

MATCHES = Table(
    "matches",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("format", Text, nullable=False),
    Column("state", Text, nullable=False, index=True),  # waiting, open, finished
    Column("opening", Text, nullable=False),  # JSON
    Column("started", Text, nullable=False, default=""),
    Column("ended", Text, nullable=False, default=""),
    Column("results", Text, nullable=False, default="[]"),  # JSON: by seat
    Column("record", LargeBinary),  # JSON, compressed
    sqlite_autoincrement=True,  # a number is never given twice, or ask ids would not be unique
)

SEATS = Table(
    "seats",
    METADATA,
    Column("match", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("bot", Text, nullable=False),
    Index("seats_by_bot", "bot", "match"),
)

JOURNAL = Table(
    "journal",
    METADATA,
    Column("match", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("event", Text, nullable=False),  # JSON
)

LATEST: Final = 1


class NewerSchema(Exception):
    """Raised when a database was written by a newer Paddock than this."""


def migrate(connection: Connection) -> None:
    """Bring a database, empty or older, to the latest schema."""
    if not inspect(connection).has_table(VERSION.name):
        METADATA.create_all(connection)
        connection.execute(insert(VERSION).values(version=LATEST))
        return
    found = connection.execute(select(VERSION.c.version)).scalar_one()
    if found > LATEST:
        raise NewerSchema(
            f"the database has schema {found}, this Paddock knows up to {LATEST}; upgrade Paddock"
        )
