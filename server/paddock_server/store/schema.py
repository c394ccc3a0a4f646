"""The schema: the latest tables; migrations.py brings older databases to it."""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Sequence,
    Table,
    Text,
    TypeDecorator,
    literal_column,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import TypeEngine

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


def types_of(table: Table, *names: str) -> dict[str, TypeEngine[Any]]:
    """The types of these columns of a table, by name."""
    return {name: table.c[name].type for name in names}


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
    # Of its name, which no other bot may share; with ~ and the name if others were there before.
    Column("skeleton", _TEXT, nullable=False, server_default=""),
    Index("bots_by_skeleton", "skeleton", unique=True),
)

MATCHES = Table(
    "matches",
    METADATA,
    Column("number", _NUMBER, primary_key=True),
    Column("id", _TEXT, nullable=False, unique=True),
    Column("format", _TEXT, nullable=False),
    Column("state", _TEXT, nullable=False, index=True),  # waiting, open, finished, declared, stuck
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
    Column("node", _NUMBER),  # of the cluster that plays it, if it is open
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
    # One row per bot and format, however many versions there are.
    Index(
        "ratings_latest",
        "format",
        "bot",
        sqlite_where=literal_column("latest") == literal_column("1"),
        postgresql_where=literal_column("latest") == literal_column("1"),
    ),
)

VERSIONS = Table(
    "versions",
    METADATA,
    Column("bot", _TEXT, primary_key=True),
    Column("version", _TEXT, primary_key=True),
    Column("since", _TEXT, nullable=False),  # when the bot first came with it
    Index("versions_by_time", "bot", "since"),
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

OWNERS = Table(
    "owners",
    METADATA,
    Column("name", _TEXT, primary_key=True),  # as in bots.owner
    Column("token_hash", LargeBinary, nullable=False),
    Column("added", _TEXT, nullable=False),
    Column("most_bots", Integer, nullable=False),
    Index("owners_by_token", "token_hash", unique=True),
)

SUBMISSIONS = Table(
    "submissions",
    METADATA,
    Column("id", _TEXT, primary_key=True),  # a ULID: later ones sort behind earlier ones
    Column("bot", _TEXT, nullable=False),
    Column("owner", _TEXT, nullable=False),
    Column("version", _TEXT, nullable=False),
    Column("language", _TEXT, nullable=False),
    Column("formats", _TEXT, nullable=False),  # JSON
    Column("manifest", LargeBinary, nullable=False),
    Column("archive", _TEXT, nullable=False),  # SHA-256 in hexadecimal digits
    Column("archive_bytes", _NUMBER, nullable=False),
    Column("kept", Integer, nullable=False, server_default="1"),  # 0: the archive is gone
    Column("state", _TEXT, nullable=False),  # received, building, checking, active, ...
    Column("reason", _TEXT, nullable=False, server_default=""),  # of a rejection
    Column("sentence", _TEXT, nullable=False, server_default=""),
    Column("received", _TEXT, nullable=False),
    Column("changed", _TEXT, nullable=False),  # when it got its state
    Column("accepted", _TEXT, nullable=False, server_default=""),  # when it first was active
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("toolchain", _TEXT, nullable=False, server_default=""),  # that it was checked with
    Column("artefact", _TEXT, nullable=False, server_default=""),  # SHA-256 of what was built
    Column("artefact_bytes", _NUMBER, nullable=False, server_default="0"),
    Column("certificate", LargeBinary),  # as on the wire
    Index("submissions_by_bot", "bot", "id"),
    Index("submissions_by_owner", "owner", "id"),
    Index("submissions_by_state", "state", "id"),
    Index("submissions_by_archive", "archive"),
)

SUBMISSION_LOGS = Table(
    "submission_logs",
    METADATA,
    Column("submission", _TEXT, primary_key=True),
    Column("stage", _TEXT, primary_key=True),  # building, checking, playing
    Column("text", _TEXT, nullable=False),  # the last 64 KB
    Column("dropped", _NUMBER, nullable=False),  # characters that were before it
)

LEASES = Table(
    "leases",
    METADATA,
    Column("id", _TEXT, primary_key=True),
    Column("kind", _TEXT, nullable=False),  # prepare, run
    Column("submission", _TEXT, nullable=False),
    Column("bot", _TEXT, nullable=False),
    Column("runner", _TEXT, nullable=False),
    Column("token_hash", LargeBinary, nullable=False),  # of the run token; empty: it has none
    Column("given", _TEXT, nullable=False),
    Column("until", _TEXT, nullable=False),  # lost then, unless it is renewed
    Column("attempt", Integer, nullable=False),
    Index("leases_by_submission", "submission"),
)

RUNNERS = Table(
    "runners",
    METADATA,
    Column("name", _TEXT, primary_key=True),
    Column("token_hash", LargeBinary, nullable=False),
    Column("added", _TEXT, nullable=False),
    Column("seen", _TEXT, nullable=False, server_default=""),
    Column("slots", Integer, nullable=False, server_default="0"),
    Column("cores", Integer, nullable=False, server_default="0"),
    Column("ready", LargeBinary),  # WorkReady, as on the wire
    Index("runners_by_token", "token_hash", unique=True),
)

# The servers that share this database as a cluster, also those that are gone; see nodes.py.
NODES = Table(
    "nodes",
    METADATA,
    Column("node", _NUMBER, primary_key=True),
    Column("name", _TEXT, nullable=False),
    Column("grpc", _TEXT, nullable=False),  # the addresses where other nodes reach it
    Column("http", _TEXT, nullable=False),
    Column("bus", Integer, nullable=False),  # the version of the messages that it understands
    Column("state", _TEXT, nullable=False),  # alive, leaving, gone
    Column("beat", DateTime(timezone=True), nullable=False),  # by the clock of the database
)
# The order of the sessions of bots in a cluster; on PostgreSQL alone, as SQLite has no sequences.
SESSIONS: Final = Sequence("sessions", metadata=METADATA)
