"""Results of a match by seat."""

from typing import NamedTuple


class SeatResult(NamedTuple):
    """The result of one seat."""

    bot: str
    version: str
    total: int
    rank: int
    forfeit: bool
    faults: int
    fallbacks: int = 0
