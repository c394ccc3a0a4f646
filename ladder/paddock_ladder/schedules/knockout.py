"""Knockout: the best of every table go on, until one table is left."""

from collections import Counter
from collections.abc import Sequence

from paddock_ladder.schedules.entry import Entry, Seating
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
from paddock_ladder.schedules.staged import Past, Staged, Tables
from paddock_ladder.schedules.tables import matches_of, records, refuse_too_many, table_sizes


class Knockout(Staged):
    """Tables by seeding; the final is the round that has everybody who is left at one table."""

    criteria = (ROUND, ROUND_SCORE, ROUND_SHARE)

    def __init__(self, entry: Entry, seating: Seating) -> None:
        super().__init__(entry, seating)
        name, seats, least = seating
        self._advance = seats // 2 if entry.advance is None else entry.advance
        if not 1 <= self._advance < seats:
            raise BadSchedule(
                "advance", f"of a table of {seats} at least 1 and at most {seats - 1} go on"
            )
        self._seeds = {bot: seed for seed, bot in enumerate(entry.bots)}
        # A table that sends everybody on decides nothing, so it may not be that small.
        self._least = max(least, self._advance + 1)
        self._stages = self._plan()
        refuse_too_many(self.planned())
        (final,) = self._stages[-1]
        if final < least:
            raise BadSchedule(
                "advance",
                f"{len(entry.bots)} bots at tables of {seats} leave {final} for the final, and "
                f"{name} needs {least}; change the seats, the field or how many go on",
            )

    def _plan(self) -> list[tuple[int, ...]]:
        """The sizes of all rounds' tables."""
        left = len(self.entry.bots)
        stages = []
        while left > self.seating.seats:
            sizes = table_sizes(left, self.seating.seats, self._least)
            stages.append(sizes)
            left -= sum(size - self._advance for size in sizes)
        return [*stages, (left,)]

    def planned(self) -> int:
        """How many matches there will be in all."""
        return sum(matches_of(size, self.entry) for sizes in self._stages for size in sizes)

    def tables_after(self, past: Past) -> Tables:
        """Who is left, dealt out there and back so that good seeds are apart."""
        if len(past) == len(self._stages):
            return ()
        left = self._left(past)
        sizes = self._stages[len(past)]
        byes = Counter(dict.fromkeys(left, 0))
        for stage in past:
            byes.update(set(left).difference(*stage.tables))
        by_byes = sorted(left, key=lambda bot: (byes[bot], self._seeds[bot]))
        resting = set(by_byes[: len(left) - sum(sizes)])
        playing = [bot for bot in left if bot not in resting]
        tables: list[list[str]] = [[] for _ in sizes]
        while playing:
            rooms = [at for at, size in enumerate(sizes) if len(tables[at]) < size]
            back = len(tables[rooms[0]]) % 2 == 1
            for at in reversed(rooms) if back else rooms:
                tables[at].append(playing.pop(0))
        return tuple(map(tuple, tables))

    def _left(self, past: Past) -> list[str]:
        """Who has not gone out, in seeding order."""
        out = {bot for stage in past for bot in self._out(stage.tables, stage.outcomes)}
        return [bot for bot in self.entry.bots if bot not in out]

    def _out(self, tables: Tables, outcomes: Sequence[Outcome]) -> list[str]:
        return [bot for table in tables for bot in self._ranked(table, outcomes)[self._advance :]]

    def _ranked(self, bots: Sequence[str], outcomes: Sequence[Outcome]) -> list[str]:
        """By mean rank score, then mean point share, then seeding."""
        done = records(outcomes)
        by_seed = sorted(bots, key=self._seeds.__getitem__)
        return sorted(by_seed, key=lambda bot: done[bot], reverse=True)

    def places_after(self, past: Past, current: Sequence[Outcome]) -> tuple[Placed, ...]:
        """Who came further is better; those who went out together by how they did then.

        While the tournament runs those who are left share the first place.
        """
        over = len(past) == len(self._stages)
        left = [] if over else self._left(past)
        numbers: dict[str, Numbers] = {bot: (len(past) + 1, None, None) for bot in left}
        for number, stage in reversed(list(enumerate(past, start=1))):
            final = number == len(self._stages)
            out = stage.tables[0] if final else self._out(stage.tables, stage.outcomes)
            done = records(stage.outcomes)
            by_seed = sorted(out, key=self._seeds.__getitem__)
            numbers.update({bot: (number, *done[bot]) for bot in by_seed})
        return placed(self.criteria, numbers)
