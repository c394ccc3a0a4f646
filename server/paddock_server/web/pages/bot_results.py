"""The results of a bot in one format: by seat and pen, time, faults, fallbacks and luck."""

import json
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import sqrt
from statistics import fmean, median, stdev
from typing import Final, NamedTuple

from paddock_games import FORMATS, Timing, read_record, replay
from paddock_server.store import pages
from paddock_server.store.database import Database
from paddock_server.store.pages import KeptRecord, SeatRow
from paddock_server.tournaments.telling import Telling
from paddock_server.visitors.pool import aside
from paddock_server.web.drawing import drawing_of

_RECORDS: Final = 25  # records that are read
_LUCK: Final = 10  # of these, the newest, whose luck is computed
_KEPT: Final = 20_000  # digests of records in the cache


class SeatShare(NamedTuple):
    """The results of a bot in one seat of tables of one size."""

    seats: int
    seat: int
    matches: int
    wins: float  # share of first places, shared ones included
    points: float  # per match


class Part(NamedTuple):
    """Points per match from one pen: the bot's, and those of the others at its tables."""

    name: str
    mine: float
    field: float


class TimeUsed(NamedTuple):
    """The time of decisions in milliseconds, without network lag."""

    decisions: int
    median: float
    slowest: float
    lag: float  # the network's share, the median


class LuckShare(NamedTuple):
    """The luck of a bot in points per match; the mean over all matches is zero."""

    matches: int  # the last ones
    mean: float
    error: float  # of that mean, if only chance is at work


class Results(NamedTuple):
    """The results of a bot in its last matches of one format."""

    matches: int  # that seats are computed from
    seats: tuple[SeatShare, ...]
    records: int  # that parts, times, faults and fallbacks are computed from, the last ones
    parts: tuple[Part, ...]
    time: TimeUsed | None
    faults: Mapping[str, int]  # by reason
    fallbacks: Mapping[str, int]  # by what its client said, the most frequent first
    luck: LuckShare | None  # None: with fewer than two records


class _Looked(NamedTuple):
    """A digest of a record: one seat, and the others at its table."""

    parts: Mapping[str, int]
    others: Mapping[str, float]
    timings: Sequence[Timing]
    luck: float | None  # None: not computed, because that takes longest


class Digests:
    """A cache of what the records of matches say about their seats."""

    def __init__(self, database: Database, telling: Telling) -> None:
        self._database = database
        self._telling = telling
        self._looked: OrderedDict[tuple[str, int], _Looked] = OrderedDict()

    async def results(self, seats: Sequence[SeatRow], format_name: str) -> Results:
        """The results of a bot in these seats of one format, the newest first."""
        newest = seats[:_RECORDS]
        missing = [seat for seat in newest if (seat.match_id, seat.seat) not in self._looked]
        if missing:
            numbers = [seat.number for seat in missing]
            records = await self._database.read(pages.records_of, numbers)
            lucky = {seat.match_id for seat in newest[:_LUCK]}
            await self._look_into(records, missing, lucky, format_name)
        looked = [
            self._looked[seat.match_id, seat.seat]
            for seat in newest
            if (seat.match_id, seat.seat) in self._looked
        ]
        return Results(
            matches=len(seats),
            seats=_by_seat(seats),
            records=len(looked),
            parts=_parts(looked),
            time=_time(looked),
            faults=_counted(timing.fault for each in looked for timing in each.timings),
            fallbacks=_counted(timing.fallback for each in looked for timing in each.timings),
            luck=_luck([each.luck for each in looked if each.luck is not None]),
        )

    async def _look_into(
        self,
        records: Sequence[KeptRecord],
        seats: Sequence[SeatRow],
        lucky: Collection[str],
        format_name: str,
    ) -> None:
        """Read these records once for these seats, as far as they may be shown.

        `lucky` are the matches whose luck is computed.
        """
        shown = [
            each
            for each in records
            if await self._telling.is_told(each.plan, each.tournament, each.block)
        ]
        if shown:
            seat_in = {seat.match_id: seat.seat for seat in seats}
            game = FORMATS[format_name].game
            looked = await aside(
                lambda: {
                    (each.match_id, seat_in[each.match_id]): _looked(
                        game, each, seat_in[each.match_id], with_luck=each.match_id in lucky
                    )
                    for each in shown
                }
            )
            self._looked.update(looked)
            while len(self._looked) > _KEPT:
                self._looked.popitem(last=False)


def _by_seat(seats: Sequence[SeatRow]) -> tuple[SeatShare, ...]:
    groups: dict[tuple[int, int], list[SeatRow]] = {}
    for seat in seats:
        groups.setdefault((seat.seats, seat.seat), []).append(seat)
    return tuple(
        SeatShare(
            size, number, len(group), fmean(seat.rank == 1 for seat in group),
            fmean(seat.total for seat in group),
        )
        for (size, number), group in sorted(groups.items())
    )  # fmt: skip


def _looked(game: str, row: KeptRecord, seat: int, *, with_luck: bool) -> _Looked:
    drawing, games = drawing_of(game), json.loads(row.record)["games"]
    parts = drawing.parts(games)
    timings = drawing.timings(games)
    if not parts:
        return _Looked({}, {}, (), None)
    others = [points for other, points in enumerate(parts) if other != seat]
    field = {part: fmean(points.get(part, 0) for points in others) for part in parts[seat]}
    luck = replay(read_record(row.record)).luck[seat].total if with_luck else None
    return _Looked(parts[seat], field, timings[seat], luck)


def _luck(lucks: Sequence[float]) -> LuckShare | None:
    if len(lucks) < 2:
        return None
    return LuckShare(len(lucks), fmean(lucks), stdev(lucks) / sqrt(len(lucks)))


def _parts(looked: Sequence[_Looked]) -> tuple[Part, ...]:
    names = dict.fromkeys(part for each in looked for part in each.parts)
    return tuple(
        Part(
            name,
            fmean(each.parts.get(name, 0) for each in looked),
            fmean(each.others.get(name, 0.0) for each in looked),
        )
        for name in names
    )


def _counted(reasons: Iterable[str | None]) -> dict[str, int]:
    return dict(Counter(reason for reason in reasons if reason).most_common())


def _time(looked: Sequence[_Looked]) -> TimeUsed | None:
    spent = [_spent(timing) for each in looked for timing in each.timings]
    if not spent:
        return None
    lags = [timing.lag_ms for each in looked for timing in each.timings]
    return TimeUsed(len(spent), median(spent), max(spent), median(lags))


def _spent(timing: Timing) -> float:
    """The part of a decision's time that the bot used itself."""
    if timing.charge_ms is not None:
        return timing.charge_ms
    return max(timing.ms - timing.lag_ms, 0.0)  # old records have no charge
