"""Ladders of known truth: strengths, matches between them by the model, and who pairs them."""

import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from paddock_ladder.doubt import Guest, Repeats, Showing, believed
from paddock_ladder.leaning import Leanings
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.schedules import Seating
from paddock_ladder.schedules.ladder import Candidate, pair
from paddock_ladder.schedules.meetings import Meetings
from paddock_ladder.update import rate

Tables: TypeAlias = Callable[[Mapping[str, Rating], Random], Sequence[Sequence[str]]]
"""A round in which everybody plays: from the live ratings to tables."""


class Ladder(NamedTuple):
    """What happened, and what is true."""

    strengths: dict[str, float]
    played: list[tuple[list[str], list[int]]]
    live: dict[str, Rating]
    parts: list[float]  # how much of each match counts

    def true_rank(self, bot: str) -> int:
        mine = self.strengths[bot]
        return 1 + sum(other > mine for other in self.strengths.values())


def by_lot(seats: int) -> Tables:
    """Tables by lot alone."""

    def tables(live: Mapping[str, Rating], rng: Random) -> list[list[str]]:
        order = rng.sample(sorted(live), len(live))
        starts = range(0, len(order) - seats + 1, seats)
        return [order[start : start + seats] for start in starts]

    return tables


def by_pair(seats: int, worth: Callable[[Sequence[Rating]], float]) -> Tables:
    """Tables as a ladder makes them when everybody is free, by this worth of a table."""
    meetings = Meetings()

    def tables(live: Mapping[str, Rating], rng: Random) -> list[Sequence[str]]:
        pool = [
            Candidate(bot, bot, {"": live[bot]}, waited=0, met=meetings.lately(bot)) for bot in live
        ]
        seating = Seating("", seats, min(seats, 3))
        result = pair(
            pool, (seating,), lambda _, ratings: worth(ratings), len(pool), rng.getrandbits(64)
        )
        for table in result:
            meetings.add(table.bots)
        return [table.bots for table in result]

    return tables


class Climb:
    """A ladder under way: live ratings, match by match; every bot has an owner of its own."""

    def __init__(
        self, live: Mapping[str, Rating], parameters: Parameters, *, doubt: bool = False
    ) -> None:
        """`doubt`: surprises by one owner count less, as in the product; parts are those of the
        standing."""
        self.live = dict(live)
        self.played: list[tuple[list[str], list[int]]] = []
        self.parts: list[float] = []
        self._parameters = parameters
        self._repeats = Repeats() if doubt else None
        self._leanings = Leanings()

    def play(self, bots: Sequence[str], ranks: Sequence[int]) -> None:
        """Rate a match."""
        before = [self.live[bot] for bot in bots]
        after = rate(before, ranks, self._parameters)
        parts = leanings = [1.0] * len(bots)
        if self._repeats is not None:
            seats = zip(bots, ranks, before, strict=True)
            table = [Guest(bot, bot, Showing(rank, old)) for bot, rank, old in seats]
            parts = self._repeats.parts(table, 0.0, self._parameters)
            leanings = self._leanings.parts(table, self._parameters)
        for bot, old, new, part in zip(bots, before, after, parts, strict=True):
            self.live[bot] = believed(old, new, part)
        self.played.append((list(bots), list(ranks)))
        self.parts.append(math.prod([*parts, *leanings]) ** (1 / len(bots)))


def ladder(
    seed: object,
    bots: int,
    rounds: int,
    spread: float,
    tables: Tables,
    parameters: Parameters,
    *,
    doubt: bool = False,
) -> Ladder:
    """Rounds of bots whose strengths lie this far apart; beta is that of the parameters."""
    rng = Random(f"ladder {seed}")
    strengths = {f"bot{number:03}": rng.gauss(25, spread) for number in range(bots)}
    climb = Climb(dict.fromkeys(strengths, parameters.first), parameters, doubt=doubt)
    for _ in range(rounds):
        for table in tables(climb.live, rng):
            performed = [rng.gauss(strengths[bot], parameters.beta) for bot in table]
            climb.play(table, [1 + sum(other > one for other in performed) for one in performed])
    return Ladder(strengths, climb.played, climb.live, climb.parts)
