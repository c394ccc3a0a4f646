"""Open matches as values: what watchers may see of a match under way."""

from typing import Any, NamedTuple

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
    table: Any  # the open table, as its game has it; None: it is not dealt yet
    results: tuple[SeatResult, ...] = ()  # by seat, once it is over


def lies_open(state: Any) -> Any:
    """The open table of a state, without hands and deal; None: it is not dealt yet."""
    return None if state is None else state.table
