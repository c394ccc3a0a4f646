"""Commands of the referee: everything that it wants done."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from paddock_games import PlayedMatch, Step
from paddock_games.game import State
from paddock_server.referee.events import Event
from paddock_server.referee.result import SeatResult


class Start(NamedTuple):
    """Tell a seat that its match begins (or goes on, after it was away)."""

    seat: int


class TellDigests(NamedTuple):
    """Tell a seat the digests of all nonces, so that it opens its own."""

    seat: int
    digests: Sequence[bytes]  # by seat


class Ask(NamedTuple):
    """Ask a seat for a decision."""

    seat: int
    ask_id: int
    state: State
    legal: Sequence[Any]
    time_left: float  # seconds before the bank is used
    bank: float  # seconds


class Refuse(NamedTuple):
    """Tell a seat that an answer does not count."""

    seat: int
    ask_id: int
    reason: str
    sentence: str


class Write(NamedTuple):
    """Make an event durable, then call `Referee.written`."""

    event: Event


class Reveal(NamedTuple):
    """Tell everybody what was chosen in a step."""

    number: int
    step: Step
    after: State


class Fault(NamedTuple):
    """Note that the referee had to choose for a seat."""

    seat: int
    kind: str
    forfeits: bool  # whether the seat forfeits the match


class Finish(NamedTuple):
    """Store the record and tell everybody how the match ended."""

    played: PlayedMatch  # without the time of its end
    results: Sequence[SeatResult]  # by seat


Command: TypeAlias = Start | TellDigests | Ask | Refuse | Write | Reveal | Fault | Finish
