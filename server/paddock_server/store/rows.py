"""What the store gives and takes: plain values, no SQL."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class BotRow(NamedTuple):
    """A bot as it is stored."""

    name: str
    owner: str
    token_hash: bytes
    added: str
    version: str = ""
    formats: tuple[str, ...] = ()
    forfeits: int = 0
    probation: str = ""


class NewMatch(NamedTuple):
    """A match that is to be played."""

    id: str
    format: str
    bots: Sequence[str]
    opening: Mapping[str, Any]


class MatchRow(NamedTuple):
    """A match in a list."""

    number: int
    id: str
    format: str
    state: str
    opening: Mapping[str, Any]
    started: str
    ended: str
    results: Sequence[Mapping[str, Any]]


class Unfinished(NamedTuple):
    """A match that goes on after a restart, with all that was made durable of it."""

    row: MatchRow
    events: Sequence[Mapping[str, Any]]
