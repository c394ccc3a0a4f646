"""Knockout: the best of every table go on, until one table is left."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from paddock_ladder.schedules.entries import Entries, Seating
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.pairing import Outcome
from paddock_ladder.schedules.placing import (
    ROUND,
    ROUND_SCORE,
    ROUND_SHARE,
    Numbers,
    Placed,
    placed,
)
from paddock_ladder.schedules.staged import Past, Stage, Staged, Tables
from paddock_ladder.schedules.tables import (
    NOTHING,
    matches_of,
    records,
    refuse_too_many,
    table_sizes,
)


class Knockout(Staged):
    """A knockout with tables by seeding; the final has everybody who is left at one table."""

    criteria = (ROUND, ROUND_SCORE, ROUND_SHARE)

    def __init__(self, entries: Entries, seating: Seating) -> None:
        super().__init__(entries, seating)
        name, seats, least = seating
        self._advance = seats // 2 if entries.advance is None else entries.advance
        if not 1 <= self._advance < seats:
            raise BadSchedule(
                "advance", f"must be from 1 to {seats - 1} for tables of {seats} seats"
            )
        if self.roster.late:
            raise BadSchedule(
                "bots", f"{next(iter(self.roster.late))} can't enter: the knockout has begun"
            )
        self._seeds = {bot: seed for seed, bot in enumerate(self.roster.bots)}
        # A table that sends everybody on decides nothing, so it may not be that small.
        self._least = max(least, self._advance + 1)
        self._stages = self._plan()
        refuse_too_many(self.planned())
        (final,) = self._stages[-1]
        if final < least:
            raise BadSchedule(
                "advance",
                f"{len(self.roster.at(1))} bots at tables of {seats} leave {final} for the final, "
                f"and {name} needs {least}; change the seats, the field or how many go on",
            )

    def _plan(self) -> list[tuple[int, ...]]:
        """The sizes of all rounds' tables."""
        left = len(self.roster.at(1))
        stages = []
        while left > self.seating.seats:
            sizes = table_sizes(left, self.seating.seats, self._least)
            stages.append(sizes)
            left -= sum(size - self._advance for size in sizes)
        return [*stages, (left,)]

    def planned(self) -> int:
        """How many matches there will be in all."""
        return sum(matches_of(size, self.entries) for sizes in self._stages for size in sizes)

    def counted_at(self, number: int, making: int) -> int:
        """Who goes on is decided when the next round is made, once and for all."""
        return min(number + 1, making)

    def tables_after(self, past: Past) -> Tables:
        """Who is left, dealt out there and back so that good seeds are apart."""
        left, seats = self._left(past), self.seating.seats
        if self._final_is_over(past) or len(left) < max(2, self.seating.least):
            return ()
        sizes = (len(left),) if len(left) <= seats else table_sizes(len(left), seats, self._least)
        byes = Counter(dict.fromkeys(left, 0))
        for stage in past:
            byes.update(set(left).difference(*stage.tables))
        by_byes = sorted(left, key=lambda bot: (byes[bot], self._seeds[bot]))
        resting = set(by_byes[: len(left) - sum(sizes)])
        playing = [bot for bot in left if bot not in resting]
        tables: list[list[str]] = [[] for _ in sizes]
        while playing:
            rooms = [table for table, size in enumerate(sizes) if len(tables[table]) < size]
            back = len(tables[rooms[0]]) % 2 == 1
            for table in reversed(rooms) if back else rooms:
                tables[table].append(playing.pop(0))
        return tuple(map(tuple, tables))

    def _final_is_over(self, past: Past) -> bool:
        return bool(past) and len(self._left(past[:-1])) <= self.seating.seats

    def _left(self, past: Past) -> list[str]:
        """Who has not gone out, in seeding order."""
        left = self.roster.at(len(past) + 1)
        for number, stage in enumerate(past, start=1):
            out = self._out(stage, set(self.roster.at(number + 1)))
            left = [bot for bot in left if bot not in out]
        return left

    def _out(self, stage: Stage, there: Collection[str]) -> set[str]:
        """Who does not go on: the best of a table who are still there do."""
        out: set[str] = set()
        for table in stage.tables:
            ranked = self._ranked([bot for bot in table if bot in there], stage.outcomes)
            out.update(ranked[self._advance :])
        return out

    def _ranked(self, bots: Iterable[str], outcomes: Sequence[Outcome]) -> list[str]:
        """By mean rank score, then mean point share, then seeding."""
        done = records(outcomes)
        by_seed = sorted(bots, key=self._seeds.__getitem__)
        return sorted(by_seed, key=lambda bot: done.get(bot, NOTHING), reverse=True)

    def places_after(self, past: Past, current: Sequence[Outcome]) -> tuple[Placed, ...]:
        """Who came further is better; those who went out together by how they did then.

        While the tournament runs those who are left share the first place.
        """
        left = [] if self._final_is_over(past) else self._left(past)
        numbers: dict[str, Numbers] = {bot: (len(past) + 1, None, None) for bot in left}
        for number in range(len(past), 0, -1):
            done = records(past[number - 1].outcomes)
            for bot in self._left(past[: number - 1]):
                numbers.setdefault(bot, (number, *done.get(bot, (None, None))))
        for bot in self.roster.bots:
            numbers.setdefault(bot, (0, None, None))
        return placed(self.criteria, numbers, self.roster.disqualified())
