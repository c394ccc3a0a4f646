"""The opening of a match, and the ids of its asks."""

from typing import Final, NamedTuple

from paddock_games import Match
from paddock_server.referee.clock import Clock

_SEAT_BITS: Final = 3  # a table has at most eight seats
_STEP_BITS: Final = 13  # and a match at most 8,192 steps
_SEATS: Final = (1 << _SEAT_BITS) - 1


class Opening(NamedTuple):
    """A match before its first event: seats, seed and clock."""

    number: int  # unique in the store, so that ask ids are unique everywhere
    match: Match  # its nonces are those of seats that send none: zeros, or those of its block
    clock: Clock
    sends_nonces: tuple[bool, ...]


def ask_id(number: int, step: int, seat: int) -> int:
    """The id of an ask: the same before and after a restart."""
    return (number << _STEP_BITS | step) << _SEAT_BITS | seat


def asked_match(asked: int) -> int:
    """The number of the match that an ask belongs to."""
    return asked >> (_SEAT_BITS + _STEP_BITS)


def asked_seat(asked: int) -> int:
    """The seat that was asked."""
    return asked & _SEATS
