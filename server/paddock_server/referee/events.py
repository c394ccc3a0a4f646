"""Events of a match that are made durable before anybody hears of them.

The same events, in the same order, bring a referee back to where it was.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from paddock_games import Timing


class Dealt(NamedTuple):
    """The deal: what the seats gave to it."""

    nonces: Sequence[str]  # by seat, as hexadecimal text


class Stepped(NamedTuple):
    """A step: what every seat to move chose, and what that leaves each seat with."""

    step: int  # from 0
    choices: Sequence[int]  # by seat to move: the number of the choice among the legal ones
    timings: Sequence[Timing]  # by seat to move
    banks: Sequence[float]  # by seat: seconds that are left
    in_a_row: Sequence[int]  # by seat: faults
    forfeits: Sequence[str | None]  # by seat: the fault that it forfeited for


Event: TypeAlias = Dealt | Stepped
