"""The row of a ladder: what is stored of a bot's matches, and what every table shows of it.

A column of the ladder is a field here. What is added up match by match is a field of `Totals`, by
the name of its column in the store. What people and programs get is a field of `LadderRow`, by the
name of its key in JSON, its column in CSV and its field in the contract.
"""

from operator import add
from typing import NamedTuple


class Totals(NamedTuple):
    """Totals of rated matches: of one, or of all that a version has played."""

    matches: int = 0
    points: int = 0
    wins: float = 0.0  # a shared win counts as a share
    faults: int = 0
    fallbacks: int = 0
    forfeits: int = 0
    opponents: int = 0  # met, counted in every match
    score: float = 0.0  # of these: 1 for each that was beaten, 1/2 for each tie
    expected: float = 0.0  # the score that the live ratings expected before each match

    def plus(self, more: "Totals") -> "Totals":
        """Both together."""
        return Totals._make(map(add, self, more))

    @property
    def points_a_match(self) -> float:
        """The mean; 0 where nothing was played."""
        return self.points / self.matches if self.matches else 0.0


class LadderRow(NamedTuple):
    """A row of a ladder: one bot; its true rank is from best to worst, at the table's level."""

    rank: int | None  # None: it has not played enough for a place; so for the next two
    best: int | None
    worst: int | None
    bot: str
    owner: str  # empty where the bot was removed
    language: str  # as the bot says itself
    version: str  # that played last
    rating: float  # the conservative rating: mu less three sigma
    mu: float  # by which the table is made; on the points table, points per match
    sigma: float
    matches: int
    points: float  # per match
    wins: float
    faults: int
    fallbacks: int
    forfeits: int
    change: float  # of the live rating, by the last match
    changed: str
    provisional: bool
    idle: bool
    whole_mu: float | None  # by the whole history, where that was computed
    whole_sigma: float | None
    opponents: int  # met, counted in every match
    score: float  # of these: 1 for each that it beat, 1/2 for each tie
    expected: float  # the score that the live ratings expected before each match
    above_expected: float  # the score less the expected one
    trend: tuple[float, ...] = ()  # the live rating after each of its last matches, oldest first
