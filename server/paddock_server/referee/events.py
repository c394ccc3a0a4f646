"""Events of a match, which are stored before anybody hears of them.

The same events in the same order restore the state of a referee.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from paddock_games import Timing


class Committed(NamedTuple):
    """The digests of the seats' nonces, which bind them before the nonces are opened."""

    digests: Sequence[str | None]  # by seat, as hexadecimal text; None: it sent none
    nonces: Sequence[str | None]  # by seat: those that came without a digest


class Dealt(NamedTuple):
    """The deal of a match, with the nonces of its seats."""

    nonces: Sequence[str]  # by seat, as hexadecimal text
    late: Sequence[int] = ()  # the seats whose nonce did not come in time


class Stepped(NamedTuple):
    """A step: the choices of the seats to move, and the time and faults of all seats after it."""

    step: int  # from 0
    choices: Sequence[int]  # by seat to move: the number of the choice among the legal ones
    timings: Sequence[Timing]  # by seat to move
    banks: Sequence[float]  # by seat: seconds that are left
    in_a_row: Sequence[int]  # by seat: faults
    forfeits: Sequence[str | None]  # by seat: the fault that it forfeited for


Event: TypeAlias = Committed | Dealt | Stepped
