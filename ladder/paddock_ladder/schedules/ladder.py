"""A ladder's pairing: tables by quality and doubt, which mix and leave nobody waiting."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from paddock_ladder.rating import Rating
from paddock_ladder.schedules.entries import Seating
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.meetings import freshness

NEAREST: Final = 24  # candidates for a seat whose quality is looked at, by distance in rating
VARIETY: Final = (
    0.5  # how far chance may move a candidate's worth, so that equals don't always meet
)


Quality: TypeAlias = Callable[[str, Sequence[Rating]], float]
"""How good a match of a format these would have, from 0 to 1."""


class Candidate(NamedTuple):
    """A bot that has time for a match."""

    bot: str
    owner: str
    ratings: Mapping[str, Rating]  # by format; it plays those alone
    waited: int  # calls in a row that did not seat it, 0 if the last one did or it is new
    played: int = 0  # matches lately
    met: Mapping[str, float] = MappingProxyType({})  # by bot, how often (`Meetings.lately`)


class Lineup(NamedTuple):
    """A match that the ladder wants."""

    format: str
    bots: tuple[str, ...]  # by seat


def pair(
    pool: Sequence[Candidate],
    formats: Sequence[Seating],
    quality: Quality,
    tables: int,
    seed: int,
    *,
    owners_may_meet: bool = False,
) -> tuple[Lineup, ...]:
    """Up to this number of tables, nobody at two of them; the order of the pool does not matter.

    The first seat of a table is for who waited longest (then: who played least lately, who is
    least known). So of those who can be seated at all the one with the longest wait always is, and
    in a pool of n everybody plays within n calls. The others at the table are chosen one by one:
    the quality of the match, more for those who waited and those who are little known, less for
    every time that they met somebody at the table lately, and a bit of chance. A pool too thin for
    a full table makes a smaller one, down to what the format takes. `seed` decides all lots.
    """
    if len({candidate.bot for candidate in pool}) < len(pool):
        raise BadSchedule("pool", "a bot is in it twice; give every bot once")
    rng = Random(f"paddock ladder {seed}")
    by_name = sorted(pool, key=lambda candidate: candidate.bot)
    lots = {candidate.bot: rng.random() for candidate in by_name}
    queue = sorted(by_name, key=lambda one: (-one.waited, one.played, -_doubt(one), lots[one.bot]))
    free = {seating.format: _Free(queue, seating.format, lots) for seating in formats}
    seated: set[str] = set()
    result: list[Lineup] = []
    for first in queue:
        if len(result) >= tables:
            break
        if first.bot in seated:
            continue
        # A bot's formats take turns, by chance, but one that has no company now is passed over.
        turns = {seating.format: rng.random() for seating in formats}
        for seating in sorted(formats, key=lambda one: (turns[one.format], one.format)):
            if seating.format not in first.ratings:
                continue
            filling = _Company(first, free[seating.format], quality, not owners_may_meet)
            filling.fill(seating.seats)
            company = filling.seated
            if len(company) >= seating.least:
                seated.update(one.bot for one in company)
                for some in free.values():
                    some.take(company)
                company.sort(key=lambda one: (rng.random(), one.bot))
                result.append(Lineup(seating.format, tuple(one.bot for one in company)))
                break
    return tuple(result)


def _doubt(candidate: Candidate) -> float:
    return max((rating.sigma for rating in candidate.ratings.values()), default=0.0)


class _Place(NamedTuple):
    """The place of a candidate among those of its format; lots decide among equals."""

    mu: float
    lot: float
    bot: str
    candidate: Candidate


class _Free:
    """The candidates of one format that have no seat yet, by rating and by how long they waited."""

    def __init__(self, queue: Sequence[Candidate], name: str, lots: Mapping[str, float]) -> None:
        self.format = name
        self.lots = lots
        self._queue = {one.bot: one for one in queue if name in one.ratings}
        self._line: list[_Place] = []
        for one in self._queue.values():
            insort(self._line, self._place(one))
        sigmas = [one.ratings[name].sigma for one in self._queue.values()]
        self.most_doubt = max(sigmas, default=0.0) or 1.0

    def _place(self, one: Candidate) -> _Place:
        return _Place(one.ratings[self.format].mu, self.lots[one.bot], one.bot, one)

    def take(self, company: Sequence[Candidate]) -> None:
        """These have seats."""
        for one in company:
            if self._queue.pop(one.bot, None) is not None:
                del self._line[bisect_left(self._line, self._place(one))]

    def waiting(self) -> Iterator[Candidate]:
        """Who waited longest first."""
        return iter(self._queue.values())

    def around(self, centre: float) -> Iterator[Candidate]:
        """Who is nearest by rating first."""
        line = self._line
        high = bisect_left(line, centre, key=lambda place: place.mu)
        low = high - 1
        while low >= 0 or high < len(line):
            if low < 0 or (high < len(line) and line[high].mu - centre <= centre - line[low].mu):
                yield line[high].candidate
                high += 1
            else:
                yield line[low].candidate
                low -= 1


class _Company:
    """The bots at a table that is being filled."""

    def __init__(self, first: Candidate, free: _Free, quality: Quality, apart: bool) -> None:
        """`apart`: no owner has two bots at the table."""
        self.seated = [first]
        self._free = free
        self._quality = quality
        self._apart = apart

    def fill(self, seats: int) -> None:
        """Seat one after another, as long as there is anybody."""
        while len(self.seated) < seats:
            ratings = self._ratings()
            centre = sum(rating.mu for rating in ratings) / len(ratings)
            near = list(islice(filter(self._may_join, self._free.around(centre)), NEAREST))
            if not near:
                break
            near.append(next(filter(self._may_join, self._free.waiting())))
            self.seated.append(max(near, key=lambda one: (self._worth(one), one.bot)))

    def _ratings(self) -> list[Rating]:
        return [one.ratings[self._free.format] for one in self.seated]

    def _may_join(self, one: Candidate) -> bool:
        return not any(
            one.bot == other.bot or (self._apart and one.owner == other.owner)
            for other in self.seated
        )

    def _worth(self, one: Candidate) -> float:
        """What a candidate is worth in the next seat."""
        new = one.ratings[self._free.format]
        known = 1 + new.sigma / self._free.most_doubt
        chance = 1 - VARIETY / 2 + VARIETY * self._free.lots[one.bot]
        fresh = freshness(one.met, [other.bot for other in self.seated])
        even = self._quality(self._free.format, [*self._ratings(), new])
        return even * known * (1 + one.waited) * fresh * chance
