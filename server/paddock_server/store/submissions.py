"""Submissions in the store: versions of bots that were handed in, and where each stands."""

import json
from collections.abc import Collection
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from paddock_server.store.schema import SUBMISSION_LOGS, SUBMISSIONS, VERSIONS

WAITING: Final = ("received", "building", "checking")
"""States of a submission that nothing is decided about."""
ACCEPTED: Final = ("active", "retired")
LOG_LETTERS: Final = 64 * 1024
"""How much of a log is kept."""


class SubmissionRow(NamedTuple):
    """A submission as it is stored."""

    id: str
    bot: str
    owner: str
    version: str
    language: str
    formats: tuple[str, ...]
    manifest: bytes
    archive: str  # SHA-256, as are all hashes of blobs
    archive_bytes: int
    state: str
    received: str
    changed: str
    kept: int = 1
    reason: str = ""
    sentence: str = ""
    accepted: str = ""
    attempts: int = 0
    toolchain: str = ""
    artefact: str = ""
    artefact_bytes: int = 0
    certificate: bytes | None = None


class LogRow(NamedTuple):
    """The output of a stage of a submission."""

    stage: str
    text: str
    dropped: int  # characters that were before it


_SUBMISSION = select(*(SUBMISSIONS.c[name] for name in SubmissionRow._fields))


def add_submission(connection: Connection, row: SubmissionRow) -> None:
    """Add a submission."""
    values = {**row._asdict(), "formats": json.dumps(row.formats)}
    connection.execute(insert(SUBMISSIONS), values)


def change_submission(connection: Connection, submission: str, **values: Any) -> bool:
    """Set columns of a submission; False if there is none of this id."""
    mine = update(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)
    return connection.execute(mine, values).rowcount == 1


def find_submission(connection: Connection, submission: str) -> SubmissionRow | None:
    """The submission of this id, if there is one."""
    return _one(connection, _SUBMISSION.where(SUBMISSIONS.c.id == submission))


def find_archive(connection: Connection, bot: str, archive: str) -> SubmissionRow | None:
    """The last submission of this archive for this bot, if there is one."""
    mine = (SUBMISSIONS.c.bot == bot) & (SUBMISSIONS.c.archive == archive)
    return _one(connection, _SUBMISSION.where(mine).order_by(SUBMISSIONS.c.id.desc()).limit(1))


def find_version(
    connection: Connection, bot: str, version: str, *, rejected: bool = False
) -> SubmissionRow | None:
    """The last submission of this version, if there is one; perhaps one that was rejected."""
    mine = (SUBMISSIONS.c.bot == bot) & (SUBMISSIONS.c.version == version)
    query = _SUBMISSION.where(mine)
    if not rejected:
        query = query.where(SUBMISSIONS.c.state != "rejected")
    return _one(connection, query.order_by(SUBMISSIONS.c.id.desc()).limit(1))


def has_played(connection: Connection, bot: str, version: str) -> bool:
    """Whether a bot ever came with this version."""
    mine = (VERSIONS.c.bot == bot) & (VERSIONS.c.version == version)
    return connection.execute(select(VERSIONS.c.bot).where(mine)).first() is not None


def list_submissions(
    connection: Connection,
    before: str,
    limit: int,
    *,
    bot: str = "",
    owner: str = "",
) -> list[SubmissionRow]:
    """The submissions before this id, the newest first; of a bot or an owner where it is given."""
    query = _SUBMISSION.order_by(SUBMISSIONS.c.id.desc()).limit(limit)
    if before:
        query = query.where(SUBMISSIONS.c.id < before)
    if bot:
        query = query.where(SUBMISSIONS.c.bot == bot)
    if owner:
        query = query.where(SUBMISSIONS.c.owner == owner)
    return _all(connection, query)


def submissions_in(connection: Connection, states: Collection[str]) -> list[SubmissionRow]:
    """The submissions in these states, the oldest first."""
    wanted = SUBMISSIONS.c.state.in_(states)
    return _all(connection, _SUBMISSION.where(wanted).order_by(SUBMISSIONS.c.id))


def active_of(connection: Connection, bot: str) -> SubmissionRow | None:
    """The version of a bot that plays, if it was handed in."""
    mine = (SUBMISSIONS.c.bot == bot) & (SUBMISSIONS.c.state == "active")
    return _one(connection, _SUBMISSION.where(mine).limit(1))


def activate(connection: Connection, submission: SubmissionRow, now: str) -> None:
    """Make a version the one that plays; the one before is retired."""
    mine = (SUBMISSIONS.c.bot == submission.bot) & (SUBMISSIONS.c.state == "active")
    connection.execute(update(SUBMISSIONS).where(mine), {"state": "retired", "changed": now})
    accepted = submission.accepted or now
    values = {"state": "active", "reason": "", "sentence": "", "changed": now}
    change_submission(connection, submission.id, **values, accepted=accepted)


def accepted_by(connection: Connection, moment: str) -> list[SubmissionRow]:
    """The version of each owner that was accepted last until then, in the order of acceptance.

    Of each bot the version that plays counts, if it was accepted by then: its owner may have gone
    back to it.
    """
    known = (SUBMISSIONS.c.accepted != "") & (SUBMISSIONS.c.accepted <= moment)
    query = _SUBMISSION.where(known, SUBMISSIONS.c.state.in_(ACCEPTED))
    by_bot: dict[str, SubmissionRow] = {}
    for row in _all(connection, query.order_by(SUBMISSIONS.c.accepted, SUBMISSIONS.c.id)):
        before = by_bot.get(row.bot)
        if before is None or before.state != "active":
            by_bot[row.bot] = row
    newest: dict[str, SubmissionRow] = {}
    for row in sorted(by_bot.values(), key=lambda row: (row.accepted, row.id)):
        newest.pop(row.owner, None)
        newest[row.owner] = row
    return list(newest.values())


def count_since(connection: Connection, bot: str, since: str) -> tuple[int, str]:
    """How many submissions of a bot were received since then, and when the first of them was."""
    mine = (SUBMISSIONS.c.bot == bot) & (SUBMISSIONS.c.received > since)
    query = select(func.count(), func.coalesce(func.min(SUBMISSIONS.c.received), ""))
    number, first = connection.execute(query.where(mine)).one()
    return int(number), str(first)


def count_waiting(connection: Connection, owner: str) -> int:
    """How many submissions of an owner nothing is decided about."""
    mine = (SUBMISSIONS.c.owner == owner) & SUBMISSIONS.c.state.in_(WAITING)
    query = select(func.count()).select_from(SUBMISSIONS).where(mine)
    return int(connection.execute(query).scalar_one())


def let_go(connection: Connection, bot: str, most: int) -> list[str]:
    """Let go of the archives of a bot's oldest versions; the blobs that nobody needs any more.

    The row of a version stays. What is active or not decided is kept.
    """
    mine = (SUBMISSIONS.c.bot == bot) & (SUBMISSIONS.c.kept == 1)
    rows = _all(connection, _SUBMISSION.where(mine).order_by(SUBMISSIONS.c.id.desc()))
    spare = [row for row in rows[most:] if row.state in ("rejected", "retired")]
    for row in spare:
        change_submission(connection, row.id, kept=0)
    blobs = {blob for row in spare for blob in (row.archive, row.artefact) if blob}
    return sorted(blob for blob in blobs if not is_needed(connection, blob))


def is_needed(connection: Connection, blob: str) -> bool:
    """Whether a blob belongs to a submission that is kept."""
    uses = (SUBMISSIONS.c.archive == blob) | (SUBMISSIONS.c.artefact == blob)
    query = select(SUBMISSIONS.c.id).where(uses, SUBMISSIONS.c.kept == 1).limit(1)
    return connection.execute(query).first() is not None


# --- logs -----------------------------------------------------------------------------------


def append_log(connection: Connection, submission: str, stage: str, text: str) -> None:
    """Append to the log of a stage; of a long one, the oldest text goes."""
    mine = (SUBMISSION_LOGS.c.submission == submission) & (SUBMISSION_LOGS.c.stage == stage)
    columns = (SUBMISSION_LOGS.c.text, SUBMISSION_LOGS.c.dropped)
    found = connection.execute(select(*columns).where(mine)).one_or_none()
    before, dropped = found or ("", 0)
    whole = before + text
    more = max(0, len(whole) - LOG_LETTERS)
    values = {"text": whole[more:], "dropped": dropped + more}
    if found is None:
        key = {"submission": submission, "stage": stage}
        connection.execute(insert(SUBMISSION_LOGS), {**key, **values})
    else:
        connection.execute(update(SUBMISSION_LOGS).where(mine), values)


def logs_of(connection: Connection, submission: str) -> list[LogRow]:
    """The logs of a submission, in the order of their stages."""
    columns = (SUBMISSION_LOGS.c[name] for name in LogRow._fields)
    mine = SUBMISSION_LOGS.c.submission == submission
    query = select(*columns).where(mine).order_by(SUBMISSION_LOGS.c.stage)
    return [LogRow(*row) for row in connection.execute(query)]


def _one(connection: Connection, query: Any) -> SubmissionRow | None:
    rows = _all(connection, query)
    return rows[0] if rows else None


def _all(connection: Connection, query: Any) -> list[SubmissionRow]:
    return [_row(row) for row in connection.execute(query)]


def _row(row: Any) -> SubmissionRow:
    values = row._asdict()
    return SubmissionRow(**{**values, "formats": tuple(json.loads(values["formats"]))})
