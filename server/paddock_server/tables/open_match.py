"""Open matches as values: what watchers may see of a match under way."""

from typing import NamedTuple

from paddock_games.game import OpenTable
from paddock_server.referee.plan import Entrant, Plan
from paddock_server.referee.result import SeatResult


class OpenMatch(NamedTuple):
    """A match under way at one moment."""

    number: int
    id: str
    plan: Plan
    entrants: tuple[Entrant, ...]  # by seat
    started: str
    steps: int  # so far
    points: tuple[int, ...]  # by seat, so far
    table: OpenTable | None  # None: it is not dealt yet, or withheld
    results: tuple[SeatResult, ...] = ()  # by seat, once it is over

    @property
    def withheld(self) -> bool:
        """Whether nobody may watch it, because other matches are to play the same deal."""
        return self.plan.hides_deal
