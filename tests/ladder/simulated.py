"""Ladders of known truth: strengths, matches between them by the model, and who pairs them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.schedules import Seating
from paddock_ladder.schedules.ladder import Candidate, Quality, pair
from paddock_ladder.schedules.meetings import Meetings
from paddock_ladder.update import rate

Tables: TypeAlias = Callable[[Mapping[str, Rating], Random], Sequence[Sequence[str]]]
"""A round in which everybody plays: from the live ratings to tables."""


class Ladder(NamedTuple):
    """What happened, and what is true."""

    strengths: dict[str, float]
    played: list[tuple[list[str], list[int]]]
    live: dict[str, Rating]

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


def by_pair(seats: int, worth: Quality) -> Tables:
    """Tables as a ladder makes them when everybody is free, by this worth of a table."""
    meetings = Meetings()

    def tables(live: Mapping[str, Rating], rng: Random) -> list[Sequence[str]]:
        pool = [
            Candidate(bot, bot, {"": live[bot]}, waited=0, met=meetings.lately(bot)) for bot in live
        ]
        seating = Seating("", seats, min(seats, 3))
        result = pair(pool, (seating,), worth, len(pool), rng.getrandbits(64))
        for table in result:
            meetings.add(table.bots)
        return [table.bots for table in result]

    return tables


def ladder(
    seed: object, bots: int, rounds: int, spread: float, tables: Tables, parameters: Parameters
) -> Ladder:
    """Rounds of bots whose strengths lie this far apart; beta is that of the parameters."""
    rng = Random(f"ladder {seed}")
    strengths = {f"bot{number:03}": rng.gauss(25, spread) for number in range(bots)}
    live = dict.fromkeys(strengths, parameters.first)
    played = []
    for _ in range(rounds):
        for table in tables(live, rng):
            performed = [rng.gauss(strengths[bot], parameters.beta) for bot in table]
            ranks = [1 + sum(other > one for other in performed) for one in performed]
            rated = rate([live[bot] for bot in table], ranks, parameters)
            live.update(zip(table, rated, strict=True))
            played.append((list(table), ranks))
    return Ladder(strengths, played, live)
