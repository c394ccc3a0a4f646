"""The ratings of a ladder, taken out of the store, changed by matches, and put back."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.update import rate
from paddock_server.store.prepared import Prepared
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

    def __init__(self, format_name: str, parameters: Parameters) -> None:
        """A book in which nobody is yet."""
        self._format = format_name
        self._parameters = parameters
        self._stored: dict[tuple[str, str], _Standing] = {}
        self._bots: dict[str, dict[str, _Standing]] = {}

    def read(self, connection: Connection, bots: Sequence[str]) -> None:
        """Take what is stored of these bots."""
        values = {f"bot_{at}": bot for at, bot in enumerate(bots)}
        for row in _of(len(bots)).rows(connection, {"of_format": self._format, **values}):
            standing = _Standing(*row)
            self._stored[standing.bot, standing.version] = standing
            self._bots.setdefault(standing.bot, {})[standing.version] = standing

    def rate(self, seats: Sequence[SeatResult], at: str) -> tuple[RatingChange, ...]:
        """What a match does to the ratings of its seats' versions, by seat."""
        before = [self._before(seat) for seat in seats]
        after = rate(before, [seat.rank for seat in seats], self._parameters)
        share = 1 / sum(seat.rank == 1 for seat in seats)
        changes = tuple(RatingChange(*both) for both in zip(before, after, strict=True))
        for seat, (old, new) in zip(seats, changes, strict=True):
            versions = self._bots.setdefault(seat.bot, {})
            last = versions.get(seat.version)
            if last is None or not last.latest:  # another version played last
                for version, standing in versions.items():
                    versions[version] = standing._replace(latest=0)
            versions[seat.version] = _Standing(
                seat.bot, seat.version, 1, new.mu, new.sigma,
                (last.matches if last else 0) + 1,
                (last.points if last else 0) + seat.total,
                (last.wins if last else 0.0) + (share if seat.rank == 1 else 0.0),
                (last.faults if last else 0) + seat.faults,
                (last.forfeits if last else 0) + seat.forfeit,
                new.conservative - old.conservative,
                at,
                (last.fallbacks if last else 0) + seat.fallbacks,
            )  # fmt: skip
        return changes

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

    def _before(self, seat: SeatResult) -> Rating:
        """The version's own rating; that of the version before it, wider; or a newcomer's."""
        versions = self._bots.get(seat.bot, {})
        own = versions.get(seat.version)
        if own is not None:
            return Rating(own.mu, own.sigma)
        last = next((standing for standing in versions.values() if standing.latest), None)
        if last is None:
            return self._parameters.first
        return self._parameters.inherit(Rating(last.mu, last.sigma))


@cache
def _of(bots: int) -> Prepared:
    """What is stored of so many bots."""
    names = [bindparam(f"bot_{at}", type_=RATINGS.c.bot.type) for at in range(bots)]
    columns = [RATINGS.c[name] for name in _Standing._fields]
    return Prepared(
        select(*columns).where(RATINGS.c.format == bindparam("of_format"), RATINGS.c.bot.in_(names))
    )
