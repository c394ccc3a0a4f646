"""The patience of a ladder: when it pairs.

Pairing whoever has just ended a match would seat the same bots together again and again, because
everybody else is busy. So a ladder waits until there is a choice, but not for long. The bots of one
table alone are no choice, however few are connected.
"""

from typing import NamedTuple


class Waiting(NamedTuple):
    """A ladder between two pairings."""

    free: int  # bots with room for a match
    connected: int  # bots that take part, free or not
    under_way: int  # matches
    seconds: float  # since the first of those who are free became free


class Patience(NamedTuple):
    """The patience of a ladder: how large a choice it waits for, and how long."""

    seats: int  # of the largest table
    enough: int = 24  # free bots make a choice, however many are connected
    part: float = 0.5  # of those who are connected make a choice, too
    seconds: float = 2.0  # after which whoever is free is paired

    def over(self, waiting: Waiting) -> bool:
        """Whether to pair now."""
        choice = max(self.seats + 1, min(self.enough, self.part * waiting.connected))
        return (
            waiting.free >= min(choice, waiting.connected)
            or waiting.seconds >= self.seconds
            or not waiting.under_way
        )
