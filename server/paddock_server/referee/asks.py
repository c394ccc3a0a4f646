"""The ids of asks: the same before and after a restart, as long as the view is the same.

An id has 64 bits: the number of the match, the step, a mark of everything that the view follows
from, and the seat.

A server that lost the last steps of a match asks for them again, and one that lost its opening
draws another seed. If they turn out differently then, the marks of the later asks differ, and no
client takes a new ask for one that it has answered.

The mark follows from the seed as well. So it tells nobody what others chose of what they alone
could see: without the seed, which is secret until the end, nobody can compute it. The match's id is
in it, because matches of a block have the same seed, and nobody is to know which.
"""

import hashlib
from typing import Final

from paddock_games import Match
from paddock_server.referee.events import Committed, Dealt, Event

_LABEL: Final = b"paddock-asks-1"  # of nothing else that is made from a seed
_STEP_BITS: Final = 13  # a match has at most 8,192 steps
_SEAT_BITS: Final = 3  # a table has at most eight seats
_MARK_BITS: Final = 16
_SEATS: Final = (1 << _SEAT_BITS) - 1
_MARKS: Final = (1 << _MARK_BITS) - 1


class Trail:
    """A digest of the deal and of all choices so far."""

    def __init__(self, match: Match) -> None:
        self._digest = hashlib.sha256(_LABEL + match.seed + match.id.encode()).digest()

    def add(self, event: Event) -> None:
        """Add what an event decided; times and faults are in no view."""
        if isinstance(event, Committed):
            return
        decided = event.nonces if isinstance(event, Dealt) else event.choices
        text = ",".join(map(str, decided))
        self._digest = hashlib.sha256(self._digest + text.encode()).digest()

    @property
    def mark(self) -> int:
        """The part of the digest that goes into ids."""
        return int.from_bytes(self._digest) & _MARKS


def ask_id(number: int, step: int, seat: int, mark: int = 0) -> int:
    """The id of an ask; those of a step differ in the seat only."""
    return ((number << _STEP_BITS | step) << _MARK_BITS | mark) << _SEAT_BITS | seat


def asked_match(asked: int) -> int:
    """The number of the match that an ask belongs to."""
    return asked >> (_STEP_BITS + _SEAT_BITS + _MARK_BITS)


def asked_seat(asked: int) -> int:
    """The seat that was asked."""
    return asked & _SEATS
