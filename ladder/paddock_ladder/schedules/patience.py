"""The patience of a ladder: when it pairs, and which tables are worth waiting for better ones.

Pairing whoever has just ended a match would seat the same bots together again and again, because
everybody else is busy. So a ladder waits until there is a choice, but not for long. The bots of one
table alone are no choice, however few are connected.

Where matches take a minute, two seldom end within these seconds. A table of bots that met often
lately then waits for the next match to end, if that is likely to be soon enough.
"""

from typing import NamedTuple


class Waiting(NamedTuple):
    """A ladder between two pairings."""

    free: int  # bots with room for a match
    connected: int  # bots that take part, free or not
    under_way: int  # matches
    seconds: float  # since the first of those who are free became free


class Prospect(NamedTuple):
    """A table that could begin now, and what its bots could wait for instead."""

    stale: float  # how much oftener its bots met each other lately than they met everybody
    waited: float  # seconds, by the bot that waited longest
    next_end: float  # seconds until another match is likely to end
    typical: float  # seconds that a match takes


class Patience(NamedTuple):
    """The patience of a ladder: how large a choice it waits for, and how long."""

    seats: int  # of the largest table
    enough: int = 24  # free bots make a choice, however many are connected
    part: float = 0.5  # of those who are connected make a choice, too
    seconds: float = 2.0  # after which tables begin that are not stale
    stalest: float = 0.8  # meetings more than usual that are worth the longest wait
    longest: float = 300.0  # seconds that a stale table waits, and never longer than a match

    def has_choice(self, waiting: Waiting) -> bool:
        """Whether those who are free are worth pairing, or nobody will join them."""
        choice = max(self.seats + 1, min(self.enough, self.part * waiting.connected))
        return waiting.free >= min(choice, waiting.connected) or not waiting.under_way

    def over(self, waiting: Waiting) -> bool:
        """Whether to pair now."""
        return self.has_choice(waiting) or waiting.seconds >= self.seconds

    def waits(self, table: Prospect) -> bool:
        """Whether this table had better wait until another match ends.

        It waits at most for the time of a typical match, and for a part of it if it is only a
        little stale. It does not wait at all if that would not be long enough.
        """
        part = min(1.0, max(0.0, table.stale) / self.stalest)
        return table.waited + table.next_end < part * min(table.typical, self.longest)
