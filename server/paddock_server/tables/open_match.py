"""Open matches as values: what those without a seat may see of a match under way."""

from typing import Any, NamedTuple

from paddock_server.referee.plan import Entrant, Plan
from paddock_server.referee.result import SeatResult


class OpenMatch(NamedTuple):
    """A match under way, as it is at one moment."""

    number: int
    id: str
    plan: Plan
    entrants: tuple[Entrant, ...]  # by seat
    started: str
    steps: int  # that are over
    points: tuple[int, ...]  # by seat, as things lie
    table: Any  # what lies open, as its game has it; None: it is not dealt yet
    results: tuple[SeatResult, ...] = ()  # by seat, once it is over


def lies_open(state: Any) -> Any:
    """The part of a state that everybody sees: hands and deal stay behind."""
    return None if state is None else state.table
