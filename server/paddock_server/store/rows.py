"""What the store gives and takes: plain values, no SQL."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from paddock_ladder.rating import Rating


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
    language: str = ""


class NewMatch(NamedTuple):
    """A match that is to be played."""

    id: str
    format: str
    bots: Sequence[str]
    opening: Mapping[str, Any]
    tournament: str = ""
    pairing: str = ""
    block: str = ""
    round: int = 0


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
    tournament: str = ""
    pairing: str = ""
    block: str = ""
    round: int = 0
    rated: int | None = None  # in which order it was rated
    void: str = ""  # why it does not count


class Unfinished(NamedTuple):
    """A match that goes on after a restart, with all that was made durable of it."""

    row: MatchRow
    events: Sequence[Mapping[str, Any]]


class SeatResult(NamedTuple):
    """How a match ended for one seat."""

    bot: str
    version: str
    total: int
    rank: int
    forfeit: bool
    faults: int
    fallbacks: int = 0


class RatingChange(NamedTuple):
    """What a match did to a rating."""

    before: Rating
    after: Rating
