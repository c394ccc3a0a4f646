"""A matchmaker of a ladder: who has room, since when, whom they met, and when they are paired."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from paddock_ladder.quality import quality
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.schedules.entry import Seating
from paddock_ladder.schedules.ladder import Candidate, Table, pair
from paddock_ladder.schedules.meetings import Meetings
from paddock_ladder.schedules.patience import Patience, Waiting

AT_A_TIME: Final = 32  # tables of one call: it takes some milliseconds, however many bots are free


class Present(NamedTuple):
    """A bot that takes part in a ladder now."""

    bot: str
    owner: str
    formats: Collection[str]  # of the ladder's formats, those that it plays
    at_once: int  # matches that it may have under way


class Matchmaker:
    """All that a ladder knows of its bots between two pairings; time and lots are given to it."""

    def __init__(
        self,
        formats: Sequence[Seating],
        parameters: Parameters,
        *,
        owners_may_meet: bool = False,
    ) -> None:
        """Quality is measured with these parameters; those of the formats hardly differ."""
        self.under_way = 0  # matches
        self._formats = formats
        self._first = parameters.first
        self._quality = partial(quality, parameters=parameters)
        self._owners_may_meet = owners_may_meet
        self._patience = Patience(max(seating.seats for seating in formats))
        self._open: Counter[str] = Counter()  # matches under way, by bot
        self._waited: Counter[str] = Counter()
        self._played: Counter[str] = Counter()
        self._ratings: dict[str, dict[str, Rating]] = {}  # by bot and format
        self._meetings = Meetings()
        self._free_since: float | None = None

    def remember(self, bots: Collection[str]) -> None:
        """These met before; tell the earliest tables first."""
        self._meetings.add(bots)
        self._played.update(bots)

    def rated(self, bot: str, format_name: str, rating: Rating) -> None:
        """A bot has this rating now."""
        self._ratings.setdefault(bot, {})[format_name] = rating

    def begun(self, bots: Collection[str]) -> None:
        """A match of these is under way."""
        self.under_way += 1
        self._open.update(bots)

    def ended(self, bots: Collection[str]) -> None:
        """A match of these is under way no more: they have room again."""
        self.under_way -= 1
        self._open.subtract(bots)

    def tables(
        self, present: Iterable[Present], most: int, now: float, seed: int
    ) -> tuple[Table, ...]:
        """The tables to be played now, at most this number, which count as begun.

        Ask again until there are none. `now` is in seconds of any clock that never goes back.
        """
        here = list(present)
        pool = [self._candidate(one) for one in here if self._open[one.bot] < one.at_once]
        if not pool:
            self._free_since = None
            return ()
        if self._free_since is None:
            self._free_since = now
        waiting = Waiting(len(pool), len(here), self.under_way, now - self._free_since)
        if not self._patience.over(waiting):
            return ()
        result = pair(
            pool,
            self._formats,
            self._quality,
            min(most, AT_A_TIME),
            seed,
            owners_may_meet=self._owners_may_meet,
        )
        self._free_since = None  # who is left over waits from now on
        seated = {bot for table in result for bot in table.bots}
        for candidate in pool:
            self._waited[candidate.bot] = 0 if candidate.bot in seated else candidate.waited + 1
        for table in result:
            self.begun(table.bots)
            self.remember(table.bots)
        return result

    def _candidate(self, one: Present) -> Candidate:
        known = self._ratings.get(one.bot, {})
        return Candidate(
            one.bot,
            one.owner,
            {name: known.get(name, self._first) for name in one.formats},
            waited=self._waited[one.bot],
            played=self._played[one.bot],
            met=self._meetings.lately(one.bot),
        )
