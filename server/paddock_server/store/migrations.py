"""Migrations: steps that bring an older database to the latest schema, one version at a time.

A step never changes after its release, while schema.py may. PostgreSQL came with version 3, so the
steps before it are in SQLite's dialect only.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, insert, inspect, select, update

from paddock_server.store import nodes
from paddock_server.store.address import CannotOpen
from paddock_server.store.connection import SHARED
from paddock_server.store.schema import METADATA, NODES, VERSION

_OLD_BOTS: Final = "name, owner, token_hash, added, version, formats, forfeits, probation"
_OLD_MATCHES: Final = "number, id, format, state, opening, started, ended, results, record"

_TO_2: Final = (  # tournaments and ratings; tables are made anew, as columns get defaults
    "ALTER TABLE bots RENAME TO old_bots",
    """CREATE TABLE bots (
        name TEXT NOT NULL, owner TEXT NOT NULL, token_hash BLOB NOT NULL, added TEXT NOT NULL,
        version TEXT DEFAULT '' NOT NULL, formats TEXT DEFAULT '[]' NOT NULL,
        forfeits INTEGER DEFAULT '0' NOT NULL, probation TEXT DEFAULT '' NOT NULL,
        PRIMARY KEY (name))""",
    f"INSERT INTO bots ({_OLD_BOTS}) SELECT {_OLD_BOTS} FROM old_bots",  # noqa: S608
    "DROP TABLE old_bots",
    "DROP INDEX ix_matches_state",
    "ALTER TABLE matches RENAME TO old_matches",
    """CREATE TABLE matches (
        number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, format TEXT NOT NULL,
        state TEXT NOT NULL, opening TEXT NOT NULL, started TEXT DEFAULT '' NOT NULL,
        ended TEXT DEFAULT '' NOT NULL, results TEXT DEFAULT '[]' NOT NULL, record BLOB,
        tournament TEXT DEFAULT '' NOT NULL, pairing TEXT DEFAULT '' NOT NULL,
        block TEXT DEFAULT '' NOT NULL, round INTEGER DEFAULT '0' NOT NULL, rated INTEGER,
        void TEXT DEFAULT '' NOT NULL, UNIQUE (id))""",
    """INSERT INTO sqlite_sequence (name, seq)
        SELECT 'matches', seq FROM sqlite_sequence WHERE name = 'old_matches'""",
    f"INSERT INTO matches ({_OLD_MATCHES}) SELECT {_OLD_MATCHES} FROM old_matches",  # noqa: S608
    "DROP TABLE old_matches",
    *(
        f"ALTER TABLE seats ADD COLUMN {column}"
        for column in (
            "format TEXT DEFAULT '' NOT NULL", "version TEXT DEFAULT '' NOT NULL",
            "total INTEGER", "rank INTEGER", "faults INTEGER", "forfeit INTEGER", "rated INTEGER",
            "mu_before FLOAT", "sigma_before FLOAT", "mu FLOAT", "sigma FLOAT",
        )
    ),
    "UPDATE seats SET format = (SELECT format FROM matches WHERE number = seats.match)",
    *(
        f"""UPDATE seats SET {column} = (
            SELECT json_extract(results, '$[' || seats.seat || '].{column}')
            FROM matches WHERE number = seats.match)"""  # noqa: S608
        for column in ("total", "rank", "faults", "forfeit")
    ),
    "CREATE INDEX ix_matches_state ON matches (state)",
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
        ended TEXT DEFAULT '' NOT NULL, PRIMARY KEY (name))""",
)  # fmt: skip

_TO_3: Final = (  # languages; and what is asked of one tournament or ladder looks at no other
    "ALTER TABLE bots ADD COLUMN language TEXT DEFAULT '' NOT NULL",
    """CREATE INDEX matches_by_tournament ON matches (tournament, number, state, block)
        WHERE tournament != ''""",
    """CREATE UNIQUE INDEX matches_by_rating ON matches (format, rated)
        WHERE rated IS NOT NULL""",
)

_TO_4: Final = (
    # Decisions that clients made instead of their bots.
    "ALTER TABLE seats ADD COLUMN fallbacks INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE ratings ADD COLUMN fallbacks INTEGER DEFAULT '0' NOT NULL",
    # Scores beside the expected ones; `paddock ladder recompute` adds up the matches so far.
    "ALTER TABLE ratings ADD COLUMN opponents INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE ratings ADD COLUMN score FLOAT DEFAULT '0' NOT NULL",
    "ALTER TABLE ratings ADD COLUMN expected FLOAT DEFAULT '0' NOT NULL",
    # Tournaments that change, and their logs.
    "ALTER TABLE tournaments ADD COLUMN changes {text} DEFAULT '[]' NOT NULL",
    "ALTER TABLE tournaments ADD COLUMN file {text} DEFAULT '{}' NOT NULL",
    "UPDATE tournaments SET file = definition",
    """CREATE TABLE tournament_log (
        tournament {text} NOT NULL, number INTEGER NOT NULL, at {text} NOT NULL,
        who {text} NOT NULL, event {text} NOT NULL, bot {text} NOT NULL,
        match_id {text} NOT NULL, why {text} NOT NULL, PRIMARY KEY (tournament, number))""",
    "DROP INDEX matches_by_tournament",
    """CREATE INDEX matches_by_tournament ON matches (tournament, number, state, block, pairing)
        WHERE tournament != ''""",
    # Standings, which take the place of the whole history's columns; and the constants in force.
    "ALTER TABLE ratings DROP COLUMN whole_mu",
    "ALTER TABLE ratings DROP COLUMN whole_sigma",
    """CREATE TABLE standings (
        format {text} NOT NULL, epoch INTEGER NOT NULL, computed {text} NOT NULL,
        seconds FLOAT NOT NULL, covered {number} NOT NULL, matches INTEGER NOT NULL,
        strengths {bytes} NOT NULL, covariance {bytes} NOT NULL, PRIMARY KEY (format))""",
    """CREATE TABLE epochs (
        format {text} NOT NULL, number INTEGER NOT NULL, since {text} NOT NULL,
        why {text} NOT NULL, fitted INTEGER NOT NULL, draw_probability FLOAT NOT NULL,
        mu FLOAT NOT NULL, sigma FLOAT NOT NULL, beta FLOAT NOT NULL, tau FLOAT NOT NULL,
        PRIMARY KEY (format, number))""",
    # Names that look alike are one name. Bots that are there already keep theirs.
    "ALTER TABLE bots ADD COLUMN skeleton {text} DEFAULT '' NOT NULL",
    """UPDATE bots SET skeleton =
        replace(replace(replace(replace(replace(
            lower(name), 'rn', 'm'), 'vv', 'w'), '0', 'o'), '1', 'l'), 'i', 'l')""",
    "CREATE INDEX bots_alike ON bots (skeleton)",
    """UPDATE bots SET skeleton = skeleton || '~' || name WHERE EXISTS (
        SELECT 1 FROM bots AS other WHERE other.skeleton = bots.skeleton
        AND (other.added, other.name) < (bots.added, bots.name))""",
    "DROP INDEX bots_alike",
    "CREATE UNIQUE INDEX bots_by_skeleton ON bots (skeleton)",
    # However many versions a bot has, a match reads one row; and new ones are counted by day.
    "DROP INDEX ratings_latest",
    "CREATE INDEX ratings_latest ON ratings (format, bot) WHERE latest = 1",
    """CREATE TABLE versions (
        bot {text} NOT NULL, version {text} NOT NULL, since {text} NOT NULL,
        PRIMARY KEY (bot, version))""",
    "CREATE INDEX versions_by_time ON versions (bot, since)",
    """INSERT INTO versions (bot, version, since)
        SELECT bot, version, min(changed) FROM ratings GROUP BY bot, version""",
    # Submissions: who may hand in bots, what they handed in, and the runners that work on it.
    """CREATE TABLE owners (
        name {text} NOT NULL, token_hash {bytes} NOT NULL, added {text} NOT NULL,
        most_bots INTEGER NOT NULL, PRIMARY KEY (name))""",
    "CREATE UNIQUE INDEX owners_by_token ON owners (token_hash)",
    """CREATE TABLE submissions (
        id {text} NOT NULL, bot {text} NOT NULL, owner {text} NOT NULL, version {text} NOT NULL,
        language {text} NOT NULL, formats {text} NOT NULL, manifest {bytes} NOT NULL,
        archive {text} NOT NULL, archive_bytes {number} NOT NULL,
        kept INTEGER DEFAULT '1' NOT NULL, state {text} NOT NULL,
        reason {text} DEFAULT '' NOT NULL, sentence {text} DEFAULT '' NOT NULL,
        received {text} NOT NULL, changed {text} NOT NULL, accepted {text} DEFAULT '' NOT NULL,
        attempts INTEGER DEFAULT '0' NOT NULL, toolchain {text} DEFAULT '' NOT NULL,
        artefact {text} DEFAULT '' NOT NULL, artefact_bytes {number} DEFAULT '0' NOT NULL,
        certificate {bytes}, PRIMARY KEY (id))""",
    "CREATE INDEX submissions_by_bot ON submissions (bot, id)",
    "CREATE INDEX submissions_by_owner ON submissions (owner, id)",
    "CREATE INDEX submissions_by_state ON submissions (state, id)",
    "CREATE INDEX submissions_by_archive ON submissions (archive)",
    """CREATE TABLE submission_logs (
        submission {text} NOT NULL, stage {text} NOT NULL, text {text} NOT NULL,
        dropped {number} NOT NULL, PRIMARY KEY (submission, stage))""",
    """CREATE TABLE leases (
        id {text} NOT NULL, kind {text} NOT NULL, submission {text} NOT NULL, bot {text} NOT NULL,
        runner {text} NOT NULL, token_hash {bytes} NOT NULL, given {text} NOT NULL,
        until {text} NOT NULL, attempt INTEGER NOT NULL, PRIMARY KEY (id))""",
    "CREATE INDEX leases_by_submission ON leases (submission)",
    """CREATE TABLE runners (
        name {text} NOT NULL, token_hash {bytes} NOT NULL, added {text} NOT NULL,
        seen {text} DEFAULT '' NOT NULL, slots INTEGER DEFAULT '0' NOT NULL,
        cores INTEGER DEFAULT '0' NOT NULL, ready {bytes}, PRIMARY KEY (name))""",
    "CREATE UNIQUE INDEX runners_by_token ON runners (token_hash)",
    # Clusters: which node plays a match.
    "ALTER TABLE matches ADD COLUMN node {number}",
    """CREATE TABLE nodes (
        node {serial} NOT NULL, name {text} NOT NULL, grpc {text} NOT NULL, http {text} NOT NULL,
        bus INTEGER NOT NULL, state {text} NOT NULL, beat {moment} NOT NULL, PRIMARY KEY (node))""",
    "CREATE SEQUENCE sessions",
)

STEPS: Final[Mapping[int, Sequence[str]]] = {2: _TO_2, 3: _TO_3, 4: _TO_4}
_TYPES: Final[Mapping[str, Mapping[str, str]]] = {
    "sqlite": {
        "{text}": "TEXT",
        "{number}": "INTEGER",
        "{bytes}": "BLOB",
        "{serial}": "INTEGER",
        "{moment}": "DATETIME",
    },
    # Names sort by their bytes everywhere, whatever a server's language is.
    "postgresql": {
        "{text}": 'TEXT COLLATE "C"',
        "{number}": "BIGINT",
        "{bytes}": "BYTEA",
        "{serial}": "BIGSERIAL",
        "{moment}": "TIMESTAMP WITH TIME ZONE",
    },
}
LATEST: Final = max(STEPS)
_MIGRATING: Final = int.from_bytes(b"migrate")  # the names of advisory locks are numbers


class NewerSchema(CannotOpen):
    """Raised when a database was written by a newer version of Paddock."""


class OldNodes(CannotOpen):
    """Raised when nodes of a cluster still run with an older schema."""

    reason = "cluster/old_nodes"


class OlderSchema(CannotOpen):
    """Raised when a database is opened for reading and has an older schema."""


def migrate(connection: Connection) -> None:
    """Bring a database, empty or older, to the latest schema; all of it or nothing."""
    if connection.dialect.name == "postgresql":  # nodes of a cluster may start at the same time
        hold_version(connection)
    if not inspect(connection).has_table(VERSION.name):
        METADATA.create_all(connection)
        connection.execute(insert(VERSION).values(version=LATEST))
        return
    stored = _stored_version(connection)
    if stored < LATEST and SHARED in connection.info:
        _expect_no_nodes(connection, stored)
    for version in range(stored + 1, LATEST + 1):
        for statement in STEPS[version]:
            if statement.startswith("CREATE SEQUENCE") and connection.dialect.name == "sqlite":
                continue  # it has none
            connection.exec_driver_sql(_in_dialect(statement, connection.dialect.name))
        connection.execute(update(VERSION).values(version=version))


def hold_version(connection: Connection) -> None:
    """Let nobody else migrate the database until the end of this transaction."""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")


def _expect_no_nodes(connection: Connection, stored: int) -> None:
    """Raise OldNodes if nodes live: they would write what a newer schema does not take."""
    there = nodes.not_late(connection) if inspect(connection).has_table(NODES.name) else []
    if there:
        names = ", ".join(row.name for row in there)
        raise OldNodes(
            f"the database has schema {stored}, and nodes that need it still run: {names}; "
            f"stop all nodes, then start those of this Paddock, which bring it to {LATEST}"
        )


def _in_dialect(statement: str, dialect: str) -> str:
    for word, kind in _TYPES[dialect].items():
        statement = statement.replace(word, kind)
    return statement


def check(connection: Connection) -> None:
    """Raise OlderSchema or NewerSchema if the database can't be read as it is."""
    if not inspect(connection).has_table(VERSION.name):
        raise OlderSchema("the database is empty; start a server with it once to set it up")
    version = _stored_version(connection)
    if version < LATEST:
        raise OlderSchema(
            f"the database has schema {version}, this Paddock reads {LATEST}; "
            "start a server with it once to bring it up to date"
        )


def _stored_version(connection: Connection) -> int:
    version = int(connection.execute(select(VERSION.c.version)).scalar_one())
    if version > LATEST:
        raise NewerSchema(
            f"the database has schema {version}, this Paddock knows up to {LATEST}; upgrade Paddock"
        )
    return version
