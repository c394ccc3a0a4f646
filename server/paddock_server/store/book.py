"""The ratings of a ladder, taken out of the store, changed by matches, and put back."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from paddock_ladder.doubt import (
    Guest,
    Repeats,
    Showing,
    believed,
    idled,
)
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.update import rate
from paddock_server.store.prepared import Prepared
from paddock_server.store.recent import seconds_of
from paddock_server.store.rows import RatingChange, SeatResult
from paddock_server.store.schema import RATINGS


class _Standing(NamedTuple):
    """A bot's version in the ladder."""

    bot: str
    version: str
    latest: int
    mu: float
    sigma: float
    matches: int
    points: int
    wins: float
    faults: int
    forfeits: int
    change: float
    changed: str
    fallbacks: int


_NOTHING: Final = _Standing("", "", 0, 0.0, 0.0, 0, 0, 0.0, 0, 0, 0.0, "", 0)
_VALUES: Final = _Standing._fields[2:]
_ADD: Final = Prepared(
    insert(RATINGS).values({name: bindparam(name) for name in ("format", *_Standing._fields)})
)
_CHANGE: Final = Prepared(
    update(RATINGS)
    .where(
        RATINGS.c.format == bindparam("of_format"),
        RATINGS.c.bot == bindparam("of_bot"),
        RATINGS.c.version == bindparam("of_version"),
    )
    .values({name: bindparam(f"new_{name}") for name in _VALUES})
)


class Book:
    """Some bots' ratings in one format, every version's."""

    def __init__(self, format_name: str, parameters: Parameters, repeats: Repeats) -> None:
        """An empty book; `repeats` remembers whom the bots met so far."""
        self._format = format_name
        self._parameters = parameters
        self._repeats = repeats
        self._stored: dict[tuple[str, str], _Standing] = {}
        self._bots: dict[str, dict[str, _Standing]] = {}

    def read(self, connection: Connection, bots: Sequence[str]) -> None:
        """Take what is stored of these bots."""
        values = {f"bot_{number}": bot for number, bot in enumerate(bots)}
        for row in _of(len(bots)).rows(connection, {"of_format": self._format, **values}):
            standing = _Standing(*row)
            self._stored[standing.bot, standing.version] = standing
            self._bots.setdefault(standing.bot, {})[standing.version] = standing

    def rate(
        self, seats: Sequence[SeatResult], owners: Sequence[str], ended: str
    ) -> tuple[RatingChange, ...]:
        """What a match does to the ratings of its seats' versions, by seat."""
        when = seconds_of(ended)
        before = [self._before(seat, when) for seat in seats]
        after = rate(before, [seat.rank for seat in seats], self._parameters)
        table = [
            Guest(seat.bot, owner, Showing(seat.rank, old))
            for seat, owner, old in zip(seats, owners, before, strict=True)
        ]
        parts = self._repeats.parts(table, when, self._parameters)
        changes = tuple(
            RatingChange(old, believed(old, new, part))
            for old, new, part in zip(before, after, parts, strict=True)
        )
        share = 1 / sum(seat.rank == 1 for seat in seats)
        for seat, change in zip(seats, changes, strict=True):
            self._enter(seat, change, share, ended)
        return changes

    def _enter(self, seat: SeatResult, change: RatingChange, share: float, ended: str) -> None:
        """Add a match to a version, which is the bot's latest from now on."""
        old, new = change
        versions = self._bots.setdefault(seat.bot, {})
        last = versions.get(seat.version)
        if last is None or not last.latest:  # another version played last
            for version, standing in versions.items():
                if standing.latest:
                    versions[version] = standing._replace(latest=0)
            last = _NOTHING
        versions[seat.version] = _Standing(
            seat.bot, seat.version, 1, new.mu, new.sigma,
            last.matches + 1,
            last.points + seat.total,
            last.wins + (share if seat.rank == 1 else 0.0),
            last.faults + seat.faults,
            last.forfeits + seat.forfeit,
            new.conservative - old.conservative,
            ended,
            last.fallbacks + seat.fallbacks,
        )  # fmt: skip

    def write(self, connection: Connection) -> None:
        """Put back what has changed since it was taken."""
        added, changed = [], []
        for versions in self._bots.values():
            for standing in versions.values():
                known = self._stored.get((standing.bot, standing.version))
                if known is None:
                    added.append({"format": self._format, **standing._asdict()})
                elif known is not standing:
                    values = {f"new_{name}": getattr(standing, name) for name in _VALUES}
                    of = {"of_bot": standing.bot, "of_version": standing.version}
                    changed.append({"of_format": self._format, **of, **values})
        _ADD.run_many(connection, added)
        _CHANGE.run_many(connection, changed)

    def _before(self, seat: SeatResult, when: float) -> Rating:
        """The rating of the version that played last, less sure the longer ago that was; wider
        still for another version, also for one that comes back; or a newcomer's."""
        versions = self._bots.get(seat.bot, {})
        last = next((standing for standing in versions.values() if standing.latest), None)
        if last is None:
            return self._parameters.first
        idle = when - seconds_of(last.changed)
        rating = idled(Rating(last.mu, last.sigma), idle, self._parameters)
        return rating if last.version == seat.version else self._parameters.inherit(rating)


@cache
def _of(bots: int) -> Prepared:
    """The query for what is stored of this number of bots."""
    names = [bindparam(f"bot_{number}", type_=RATINGS.c.bot.type) for number in range(bots)]
    columns = [RATINGS.c[name] for name in _Standing._fields]
    return Prepared(
        select(*columns).where(RATINGS.c.format == bindparam("of_format"), RATINGS.c.bot.in_(names))
    )
