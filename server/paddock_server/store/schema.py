"""The schema: the latest tables; migrations.py brings older databases to it."""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.dialects import postgresql

METADATA: Final = MetaData()


class _PostgresqlText(TypeDecorator[str]):
    """Text for PostgreSQL that sorts by its bytes; zero bytes in it are replaced."""

    impl = postgresql.TEXT(collation="C")
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        """The value that is sent to the database."""
        del dialect
        return without_zero(value)


def without_zero(value: Any) -> Any:
    """The value; in a text, zero bytes are replaced, because PostgreSQL does not take them."""
    if isinstance(value, str) and "\0" in value:
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return value


# Names sort by their bytes everywhere, independent of the locale of a server.
_TEXT: Final = Text().with_variant(_PostgresqlText(), "postgresql")
_NUMBER: Final = BigInteger().with_variant(Integer, "sqlite")

VERSION = Table("schema_version", METADATA, Column("version", Integer, nullable=False))

BOTS = Table(
    "bots",
    METADATA,
    Column("name", _TEXT, primary_key=True),
    Column("owner", _TEXT, nullable=False),
    Column("token_hash", LargeBinary, nullable=False),
    Column("added", _TEXT, nullable=False),
    Column("version", _TEXT, nullable=False, server_default=""),
    Column("formats", _TEXT, nullable=False, server_default="[]"),  # JSON
    Column("forfeits", Integer, nullable=False, server_default="0"),  # matches in a row
    Column("probation", _TEXT, nullable=False, server_default=""),  # why, or empty
    Column("language", _TEXT, nullable=False, server_default=""),  # as it says itself
)

MATCHES = Table(
    "matches",
    METADATA,
    Column("number", _NUMBER, primary_key=True),
    Column("id", _TEXT, nullable=False, unique=True),
    Column("format", _TEXT, nullable=False),
    Column("state", _TEXT, nullable=False, index=True),  # waiting, open, finished, declared
    Column("opening", _TEXT, nullable=False),  # JSON
    Column("started", _TEXT, nullable=False, server_default=""),
    Column("ended", _TEXT, nullable=False, server_default=""),
    Column("results", _TEXT, nullable=False, server_default="[]"),  # JSON: by seat
    Column("record", LargeBinary),  # JSON, compressed
    Column("tournament", _TEXT, nullable=False, server_default=""),
    Column("pairing", _TEXT, nullable=False, server_default=""),  # its key in the tournament
    Column("block", _TEXT, nullable=False, server_default=""),  # those of a block share a deal
    Column("round", Integer, nullable=False, server_default="0"),
    Column("rated", _NUMBER),  # in which order matches were rated; null: it was not
    Column("void", _TEXT, nullable=False, server_default=""),  # why it does not count, or empty
    sqlite_autoincrement=True,  # a number is never given twice, or ask ids would not be unique
)
# A pairing is played once, however often a tournament is resumed.
Index(
    "matches_by_pairing",
    MATCHES.c.tournament,
    MATCHES.c.pairing,
    unique=True,
    sqlite_where=MATCHES.c.tournament != "",
    postgresql_where=MATCHES.c.tournament != "",
)
# Has all columns that queries of a tournament use, in the order of its matches.
Index(
    "matches_by_tournament",
    MATCHES.c.tournament,
    MATCHES.c.number,
    MATCHES.c.state,
    MATCHES.c.block,
    MATCHES.c.pairing,
    sqlite_where=MATCHES.c.tournament != "",
    postgresql_where=MATCHES.c.tournament != "",
)
Index(
    "matches_by_rating",
    MATCHES.c.format,
    MATCHES.c.rated,
    unique=True,
    sqlite_where=MATCHES.c.rated.is_not(None),
    postgresql_where=MATCHES.c.rated.is_not(None),
)
Index("matches_by_rated", MATCHES.c.rated, unique=True)
Index("matches_by_format", MATCHES.c.format, MATCHES.c.number)

SEATS = Table(
    "seats",
    METADATA,
    Column("match", _NUMBER, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("bot", _TEXT, nullable=False),
    Column("format", _TEXT, nullable=False, server_default=""),
    Column("version", _TEXT, nullable=False, server_default=""),
    Column("total", Integer),  # points; null before the end, as all that follows
    Column("rank", Integer),
    Column("faults", Integer),
    Column("forfeit", Integer),
    Column("rated", _NUMBER),  # as the match; null: not rated
    Column("mu_before", Float),
    Column("sigma_before", Float),
    Column("mu", Float),
    Column("sigma", Float),
    Column("fallbacks", Integer, nullable=False, server_default="0"),
    Index("seats_by_bot", "bot", "match"),
    Index("seats_by_rating", "bot", "format", "rated"),
)

JOURNAL = Table(
    "journal",
    METADATA,
    Column("match", _NUMBER, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("event", _TEXT, nullable=False),  # JSON
)

RATINGS = Table(
    "ratings",
    METADATA,
    Column("format", _TEXT, primary_key=True),
    Column("bot", _TEXT, primary_key=True),
    Column("version", _TEXT, primary_key=True),
    Column("latest", Integer, nullable=False),  # 1: the version that played last
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("points", _NUMBER, nullable=False),  # added up
    Column("wins", Float, nullable=False),  # a shared win counts as a share
    Column("faults", Integer, nullable=False),
    Column("forfeits", Integer, nullable=False),
    Column("change", Float, nullable=False),  # of the conservative rating, in the last match
    Column("changed", _TEXT, nullable=False),  # when
    Column("fallbacks", Integer, nullable=False, server_default="0"),
    Column("opponents", Integer, nullable=False, server_default="0"),  # in all its matches
    Column("score", Float, nullable=False, server_default="0"),  # 1 for a win over one, 1/2: a tie
    Column("expected", Float, nullable=False, server_default="0"),  # by the ratings before
    Index("ratings_latest", "format", "latest"),
)

STANDINGS = Table(
    "standings",
    METADATA,
    Column("format", _TEXT, primary_key=True),
    Column("epoch", Integer, nullable=False),  # whose constants it was computed with
    Column("computed", _TEXT, nullable=False),  # when
    Column("seconds", Float, nullable=False),  # that this took
    Column("covered", _NUMBER, nullable=False),  # the last `rated` among its matches
    Column("matches", Integer, nullable=False),  # that it was computed from
    Column("strengths", LargeBinary, nullable=False),  # and calibration: JSON, compressed
    Column("covariance", LargeBinary, nullable=False),  # of these, see standings.py
)

EPOCHS = Table(
    "epochs",
    METADATA,
    Column("format", _TEXT, primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1; the highest is in force
    Column("since", _TEXT, nullable=False),
    Column("why", _TEXT, nullable=False),
    Column("fitted", Integer, nullable=False),  # 1: beta was fitted to the format's matches
    Column("draw_probability", Float, nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("beta", Float, nullable=False),
    Column("tau", Float, nullable=False),
)

TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("name", _TEXT, primary_key=True),
    Column("definition", _TEXT, nullable=False),  # JSON
    Column("state", _TEXT, nullable=False),  # upcoming, running, stopped, done
    Column("started", _TEXT, nullable=False),
    Column("ended", _TEXT, nullable=False, server_default=""),
    Column("changes", _TEXT, nullable=False, server_default="[]"),  # JSON: late entries, ...
    Column("file", _TEXT, nullable=False, server_default="{}"),  # JSON: as last sent
)

TOURNAMENT_LOG = Table(
    "tournament_log",
    METADATA,
    Column("tournament", _TEXT, primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1
    Column("at", _TEXT, nullable=False),
    Column("who", _TEXT, nullable=False),
    Column("event", _TEXT, nullable=False),
    Column("bot", _TEXT, nullable=False),  # that it is about, or empty
    Column("match_id", _TEXT, nullable=False),  # likewise
    Column("why", _TEXT, nullable=False),
)
