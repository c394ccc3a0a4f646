"""Deadlines of a tournament: moments in its file, and how long it is until them."""

from datetime import UTC, datetime
from typing import Any

from paddock_server.toml_file import BadFile


def now() -> datetime:
    """The time of day, in UTC."""
    return datetime.now(UTC)


def read_moment(where: str, given: Any) -> datetime:
    """A date and time in UTC; one without an offset is taken as UTC."""
    if isinstance(given, str):  # as it is stored
        try:
            given = datetime.fromisoformat(given)
        except ValueError:
            given = None
    if not isinstance(given, datetime):
        raise BadFile(f"{where} must be a date and time such as 2026-11-21T18:00:00+01:00")
    return given.replace(tzinfo=given.tzinfo or UTC).astimezone(UTC)


def how_long(seconds: float) -> str:
    """A time span in words, such as 2 h 5 min; it is rounded up."""
    minutes = -(-max(0, int(seconds)) // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
