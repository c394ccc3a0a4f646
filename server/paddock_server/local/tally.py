"""Tallies of points by bot and seat, with the error of their means."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan, sqrt

from paddock_games import Result

Z95 = 1.96  # half-width of a 95 % interval, in standard errors


@dataclass
class Sum:
    """A sum of results, with its mean, margin and share of wins."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    wins: float = 0.0  # a shared win counts as a share

    def add(self, points: float, win: float) -> None:
        """Take one more result."""
        self.count += 1
        self.total += points
        self.squares += points * points
        self.wins += win

    def merge(self, other: "Sum") -> None:
        """Take all of another sum's results."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        self.wins += other.wins

    @property
    def mean(self) -> float:
        """The mean; NaN of nothing."""
        return self.total / self.count if self.count else nan

    @property
    def margin(self) -> float:
        """Half the width of the mean's 95 % interval; NaN below two results."""
        if self.count < 2:
            return nan
        variance = max(0.0, self.squares - self.total * self.total / self.count) / (self.count - 1)
        return Z95 * sqrt(variance / self.count)

    @property
    def win_rate(self) -> float:
        """Wins by result; NaN of nothing."""
        return self.wins / self.count if self.count else nan


@dataclass
class Tally:
    """A tally of what every bot scored in every seat."""

    sums: dict[tuple[str, int], Sum] = field(default_factory=dict)

    def add(self, lineup: Sequence[str], result: Result) -> None:
        """Take the result of one match."""
        self.add_ranked(lineup, result.totals, result.ranks())

    def add_ranked(
        self, lineup: Sequence[str], totals: Sequence[int], ranks: Sequence[int]
    ) -> None:
        """Take points and ranks of one match, by seat."""
        winners = ranks.count(1)
        for seat, (bot, points, rank) in enumerate(zip(lineup, totals, ranks, strict=True)):
            self._sum(bot, seat).add(points, 1 / winners if rank == 1 else 0.0)

    def merge(self, other: "Tally") -> None:
        """Take all of another tally."""
        for key, sums in other.sums.items():
            self._sum(*key).merge(sums)

    def _sum(self, bot: str, seat: int) -> Sum:
        return self.sums.setdefault((bot, seat), Sum())

    def of(self, bot: str, seat: int | None = None) -> Sum:
        """What a bot scored, in one seat or in all."""
        scored = Sum()
        for (name, where), sums in sorted(self.sums.items()):
            if name == bot and seat in (None, where):
                scored.merge(sums)
        return scored

    def in_seat(self, seat: int) -> Sum:
        """What a seat scored, whoever sat there."""
        scored = Sum()
        for (_, where), sums in sorted(self.sums.items()):
            if where == seat:
                scored.merge(sums)
        return scored

    @property
    def bots(self) -> list[str]:
        """The bots, the best mean first."""
        names = {bot for bot, _ in self.sums}
        return sorted(names, key=lambda bot: (-self.of(bot).mean, bot))
