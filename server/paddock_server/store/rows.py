"""What the store gives and takes: plain values, no SQL."""

from collections.abc import Sequence
from typing import NamedTuple

from paddock_ladder.rating import Rating
from paddock_server.referee.events import Event
from paddock_server.referee.plan import Begun, Entrant, Plan
from paddock_server.referee.result import SeatResult


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
    plan: Plan
    begun: Begun | None = None  # where it stands for one that was played


class MatchRow(NamedTuple):
    """A match in a list."""

    number: int
    id: str
    format: str
    state: str
    plan: Plan
    begun: Begun | None  # None: it has not begun
    started: str
    ended: str
    results: tuple[SeatResult, ...]  # by seat; empty before the end
    tournament: str = ""
    pairing: str = ""
    block: str = ""
    round: int = 0
    rated: int | None = None  # in which order it was rated
    void: str = ""  # why it does not count

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Who sits there, by seat; before it begins only their names are known."""
        if self.begun is not None:
            return self.begun.entrants
        return tuple(Entrant(bot, "", "", sends_nonces=False) for bot in self.plan.bots)


class Unfinished(NamedTuple):
    """A match that goes on after a restart, with all that was made durable of it."""

    row: MatchRow
    events: Sequence[Event]


class JournalRow(NamedTuple):
    """An event of an open match."""

    number: int  # of the match
    position: int  # from 0
    event: Event


class RatingChange(NamedTuple):
    """What a match did to a rating."""

    before: Rating
    after: Rating
