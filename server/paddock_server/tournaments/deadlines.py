"""Deadlines of a tournament: the moments in its file."""

from datetime import UTC, datetime
from typing import Any

from paddock_server.basics.toml_file import BadFile


def now() -> datetime:
    """The time of day, in UTC."""
    return datetime.now(UTC)


def read_moment(where: str, moment: Any) -> datetime:
    """A date and time in UTC; one without an offset is taken as UTC."""
    if isinstance(moment, str):  # as it is stored
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError:
            moment = None
    if not isinstance(moment, datetime):
        raise BadFile(f"{where} must be a date and time such as 2026-11-21T18:00:00+01:00")
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
