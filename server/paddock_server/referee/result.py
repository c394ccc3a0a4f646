"""The result of a match, seat by seat."""

from typing import NamedTuple


class SeatResult(NamedTuple):
    """How a match ended for one seat."""

    bot: str
    version: str
    total: int
    rank: int
    forfeit: bool
    faults: int
    fallbacks: int = 0
