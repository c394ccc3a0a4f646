"""Answers to an ask that are not choices."""

from typing import Final, NamedTuple

MALFORMED: Final = object()
"""An answer that could not be read."""


class Fallback(NamedTuple):
    """The answer of a client whose bot did not choose; it means the default choice."""

    reason: str
