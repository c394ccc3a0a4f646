"""A matchmaker of a ladder: who has room, since when, whom they met, and when they are paired."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from paddock_ladder.quality import quality
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.schedules.entries import Seating
from paddock_ladder.schedules.ladder import Candidate, Lineup, Quality, pair
from paddock_ladder.schedules.meetings import Meetings
from paddock_ladder.schedules.pace import Pace
from paddock_ladder.schedules.patience import Patience, Prospect, Waiting

AT_A_TIME: Final = 32  # tables of one call: it takes some milliseconds, however many bots are free


class Present(NamedTuple):
    """A bot that takes part in a ladder now."""

    bot: str
    owner: str
    formats: Collection[str]  # of the ladder's formats, those that it plays
    at_once: int  # matches that it may have under way


class RatedFormat(NamedTuple):
    """A format of a ladder, and the constants of its ratings."""

    seating: Seating
    parameters: Parameters


def _any(_format: str, _ratings: Sequence[Rating]) -> float:
    """Every match is as good as any other."""
    return 1.0


class Matchmaker:
    """The memory of a ladder between two pairings; time and lots are passed in."""

    def __init__(
        self,
        formats: Sequence[RatedFormat],
        *,
        owners_may_meet: bool = False,
        stale_wait: bool = True,
    ) -> None:
        """`stale_wait`: a table of bots that met often lately waits for another match to end."""
        self._formats = [one.seating for one in formats]
        self._parameters = {one.seating.format: one.parameters for one in formats}
        self._owners_may_meet = owners_may_meet
        self._patience = Patience(max(seating.seats for seating in self._formats))
        if not stale_wait:
            self._patience = self._patience._replace(longest=0.0)
        self._pace = Pace()
        self._open: Counter[str] = Counter()  # matches under way, by bot
        self._waited: Counter[str] = Counter()
        self._played: Counter[str] = Counter()
        self._ratings: dict[str, dict[str, Rating]] = {}  # by bot and format
        self._meetings = Meetings()
        self._free_since: dict[str, float] = {}  # by bot with room for a match

    def remember(self, bots: Collection[str]) -> None:
        """These met before; tell the earliest tables first."""
        self._meetings.add(bots)
        self._played.update(bots)

    def rated(self, bot: str, format_name: str, rating: Rating) -> None:
        """A bot has this rating now."""
        self._ratings.setdefault(bot, {})[format_name] = rating

    def rated_again(self, format_name: str, ratings: Mapping[str, Rating]) -> None:
        """These are all ratings of a format now, by bot; who has none is new."""
        for known in self._ratings.values():
            known.pop(format_name, None)
        for bot, rating in ratings.items():
            self.rated(bot, format_name, rating)

    def begun(self, table: Lineup, now: float | None = None) -> None:
        """This match is under way; `now` is left out if it began before anybody looked."""
        self._pace.begun(table, now)
        self._open.update(table.bots)

    def ended(self, table: Lineup, now: float | None = None) -> None:
        """This match is under way no more; `now` is left out if it was not played."""
        self._pace.ended(table, now)
        self._open.subtract(table.bots)

    def tables(
        self, present: Iterable[Present], most: int, now: float, seed: int
    ) -> tuple[Lineup, ...]:
        """The tables to be played now, at most this number, which count as begun.

        Ask again until there are none. `now` is in seconds of any clock that never goes back.
        """
        here = {one.bot: one for one in present}
        free = [bot for bot, one in here.items() if self._open[bot] < one.at_once]
        self._free_since = {bot: self._free_since.get(bot, now) for bot in free}
        if not free:
            return ()
        seconds = now - min(self._free_since.values())
        waiting = Waiting(len(free), len(here), self._pace.under_way.total(), seconds)
        if not self._patience.over(waiting):
            return ()
        pool = {bot: self._candidate(here[bot]) for bot in free}
        most = min(most, AT_A_TIME)
        result = self._pair(pool.values(), self._quality, most, seed)
        held: set[str] = set()
        if not self._patience.has_choice(waiting):
            result, stale = self._sifted(result, here, now)
            if stale:  # maybe there are others for them, if strength does not matter
                taken = {bot for table in result for bot in table.bots}
                rest = [candidate for bot, candidate in pool.items() if bot not in taken]
                again = {frozenset(table.bots) for table in stale}
                for table in self._pair(rest, _any, most - len(result), seed):
                    if frozenset(table.bots) in again:
                        held.update(table.bots)
                    else:
                        result.append(table)
        self._seat(result, pool, held, now)
        return tuple(result)

    def _quality(self, format_name: str, ratings: Sequence[Rating]) -> float:
        return quality(ratings, self._parameters[format_name])

    def _pair(
        self, pool: Collection[Candidate], worth: Quality, most: int, seed: int
    ) -> list[Lineup]:
        """Tables of these bots, at most this number."""
        may = self._owners_may_meet
        return list(pair([*pool], self._formats, worth, most, seed, owners_may_meet=may))

    def _sifted(
        self, tables: Sequence[Lineup], here: Mapping[str, Present], now: float
    ) -> tuple[list[Lineup], list[Lineup]]:
        """The tables that begin now, and those that wait until another match ends."""
        next_end = self._pace.next_end(now)
        ready: list[Lineup] = []
        stale: list[Lineup] = []
        for table in tables:
            prospect = Prospect(
                self._staleness(table, here),
                now - min(self._free_since[bot] for bot in table.bots),
                next_end,
                self._pace.typical(table.format),
            )
            (stale if self._patience.waits(prospect) else ready).append(table)
        return ready, stale

    def _staleness(self, table: Lineup, here: Mapping[str, Present]) -> float:
        """How much oftener these met each other lately than all they could meet, by the mean."""
        more = []
        for bot in table.bots:
            met = self._meetings.lately(bot)
            others = [other for other in table.bots if other != bot]
            possible = [
                one.bot
                for one in here.values()
                if one.bot != bot
                and table.format in one.formats
                and (self._owners_may_meet or one.owner != here[bot].owner)
            ]
            here_mean = fmean(met.get(other, 0.0) for other in others)
            more.append(here_mean - fmean(met.get(other, 0.0) for other in possible))
        return fmean(more)

    def _seat(
        self,
        tables: Sequence[Lineup],
        pool: Mapping[str, Candidate],
        held: Collection[str],
        now: float,
    ) -> None:
        """These tables begin; `held` are those who wait for another match to end."""
        seated = {bot for table in tables for bot in table.bots}
        for bot, candidate in pool.items():
            if bot in seated:
                self._waited[bot] = 0
                del self._free_since[bot]
            elif bot not in held:  # who is left over waits from now on
                self._waited[bot] = candidate.waited + 1
                self._free_since[bot] = now
        for table in tables:
            self.begun(table, now)
            self.remember(table.bots)

    def _candidate(self, one: Present) -> Candidate:
        known = self._ratings.get(one.bot, {})
        return Candidate(
            one.bot,
            one.owner,
            {name: known.get(name, self._parameters[name].first) for name in one.formats},
            waited=self._waited[one.bot],
            played=self._played[one.bot],
            met=self._meetings.lately(one.bot),
        )
