"""The entries that a schedule is made from, and their checks."""

from collections import Counter
from typing import NamedTuple

from paddock_ladder.schedules.changes import Change, check_changes
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.roster import Roster

SEATS_AT_MOST = 6


class Seating(NamedTuple):
    """A format and the seats of its tables."""

    format: str
    seats: int
    least: int = 2  # the fewest seats the format can be played with


class Entries(NamedTuple):
    """The entries of a tournament, with its formats and the options of its schedule.

    Every format is scheduled on its own.
    """

    bots: tuple[str, ...]  # in seeding order, the best first
    formats: tuple[Seating, ...]
    blocks: int = 1  # deals for each group or table
    rotations: bool = True  # each deal in all cyclic seat rotations, as one block
    rounds: int | None = None  # Swiss
    groups: int | None = None  # round robin and gauntlet: a balanced sample; None is all of them
    advance: int | None = None  # knockout: how many of a table go on; None is half, rounded down
    challenger: str | None = None  # gauntlet: the bot that meets the field
    changes: tuple[Change, ...] = ()  # since it was entered, in order

    def roster(self, format_name: str) -> Roster:
        """Who is in which round of a format."""
        return Roster(self.bots, self.changes, format_name)

    def check(self, *used: str) -> None:
        """Refuse what no schedule can work with, and fields that this one does not use."""
        if not self.bots:
            raise BadSchedule("bots", "no bot is entered; name the bots in seeding order")
        for bot, times in Counter(self.bots).items():
            if times > 1:
                raise BadSchedule("bots", f"{bot} is entered {times} times; name every bot once")
        check_changes(self.bots, self.changes)
        if not self.formats:
            raise BadSchedule("formats", "no format is named; name at least one")
        for name, times in Counter(seating.format for seating in self.formats).items():
            if times > 1:
                raise BadSchedule("formats", f"{name} is named {times} times; name it once")
        for seating in self.formats:
            self._check_seats(seating)
        if self.blocks < 1:
            raise BadSchedule("blocks", f"{self.blocks} is too few; give at least 1")
        for field in ("rounds", "groups", "advance", "challenger"):
            if field not in used and getattr(self, field) is not None:
                raise BadSchedule(field, "this schedule does not use it; leave it out")
        for field in ("rounds", "groups"):
            number = getattr(self, field)
            if number is not None and number < 1:
                raise BadSchedule(field, f"{number} is too few; give at least 1")

    def _check_seats(self, seating: Seating) -> None:
        name, seats, least = seating
        if not 2 <= least <= seats <= SEATS_AT_MOST:
            low = max(2, least)
            raise BadSchedule(
                "seats", f"a table of {name} has {low} to {SEATS_AT_MOST} seats, not {seats}"
            )
        bots = len(self.roster(name).at(1))
        if seats > bots:
            raise BadSchedule(
                "seats",
                f"{bots} bots can't fill a table of {seats} for {name}; enter more bots "
                "or take fewer seats",
            )
