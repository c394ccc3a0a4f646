"""The ratings of a ladder, taken out of the store, changed by matches, and put back."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection

from paddock_ladder.doubt import Guest, Repeats, Showing, believed, idled
from paddock_ladder.expectation import expected_scores, scores
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.row import Totals
from paddock_ladder.update import rate
from paddock_server.referee.result import SeatResult
from paddock_server.store.prepared import Among, Rows, Written
from paddock_server.store.recent import seconds_of
from paddock_server.store.rows import RATING_COLUMNS, RatingChange, RatingRow
from paddock_server.store.schema import RATINGS, types_of

_KEY: Final = ("format", "bot", "version")
_LATEST: Final = Among(
    f"SELECT {', '.join(RATING_COLUMNS)} FROM ratings "  # noqa: S608 -- names of columns
    "WHERE latest = 1 AND format = ? AND bot = ANY(?)"
)
# A version that comes back has an old row, which was not taken.
_PUT: Final = Written(
    f"INSERT INTO ratings ({', '.join(RATING_COLUMNS)}) {{all}} "
    f"ON CONFLICT ({', '.join(_KEY)}) DO UPDATE "
    f"SET {', '.join(f'{name} = excluded.{name}' for name in RATING_COLUMNS if name not in _KEY)}",
    types_of(RATINGS, *RATING_COLUMNS),
)


def ask_latest(connection: Connection, format_name: str, bots: Sequence[str]) -> Rows:
    """Ask for the ratings of these bots' latest versions; `Book.take` reads the rows.

    Earlier versions are not needed: one that comes back begins anew, see `Book.enter`.
    """
    return _LATEST.asked(connection, bots, format_name)


class Book:
    """Ratings of some bots in one format: of their latest versions, and of those that play."""

    def __init__(self, format_name: str, parameters: Parameters, repeats: Repeats) -> None:
        """An empty book; `repeats` remembers whom the bots met so far."""
        self._format = format_name
        self._parameters = parameters
        self._repeats = repeats
        self._stored: dict[tuple[str, str], RatingRow] = {}
        self._bots: dict[str, dict[str, RatingRow]] = {}

    def take(self, rows: Sequence[Any]) -> None:
        """Take the ratings that are stored, the rows of `ask_latest`."""
        for values in rows:
            row = RatingRow.of(values)
            self._stored[row.bot, row.version] = row
            self._bots.setdefault(row.bot, {})[row.version] = row

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
        if self._repeats.alone:
            parts = [1.0] * len(parts)
        changes = tuple(
            RatingChange(old, believed(old, new, part))
            for old, new, part in zip(before, after, parts, strict=True)
        )
        self.enter(seats, changes, ended)
        return changes

    def enter(
        self, seats: Sequence[SeatResult], changes: Sequence[RatingChange], ended: str
    ) -> None:
        """Add a match to its seats' versions; each is its bot's latest from now on."""
        for seat, change, totals in zip(seats, changes, self._totals(seats, changes), strict=True):
            versions = self._bots.setdefault(seat.bot, {})
            row = versions.get(seat.version)
            if row is None or not row.latest:  # another version played last
                for version, other in versions.items():
                    if other.latest:
                        versions[version] = other._replace(latest=False)
                before = Totals()
            else:
                before = row.totals
            versions[seat.version] = RatingRow(
                format=self._format,
                bot=seat.bot,
                version=seat.version,
                latest=True,
                rating=change.after,
                change=change.after.conservative - change.before.conservative,
                changed=ended,
                totals=before.plus(totals),
            )

    def _totals(self, seats: Sequence[SeatResult], changes: Sequence[RatingChange]) -> list[Totals]:
        """What one match adds to the totals of its seats, by seat."""
        share = 1 / sum(seat.rank == 1 for seat in seats)
        scored = scores([seat.rank for seat in seats])
        expected = expected_scores([change.before for change in changes], self._parameters)
        return [
            Totals(
                matches=1,
                points=seat.total,
                wins=share if seat.rank == 1 else 0.0,
                faults=seat.faults,
                fallbacks=seat.fallbacks,
                forfeits=int(seat.forfeit),
                opponents=len(seats) - 1,
                score=scored[number],
                expected=expected[number],
            )
            for number, seat in enumerate(seats)
        ]

    def ratings(self) -> dict[tuple[str, str], Rating]:
        """The ratings in the book, by bot and version."""
        return {
            (row.bot, row.version): row.rating
            for versions in self._bots.values()
            for row in versions.values()
        }

    def write(self, connection: Connection) -> None:
        """Put back what has changed since it was taken."""
        changed = [
            row.values()
            for versions in self._bots.values()
            for row in versions.values()
            if self._stored.get((row.bot, row.version)) is not row
        ]
        _PUT.run_many(connection, changed)

    def _before(self, seat: SeatResult, when: float) -> Rating:
        """The rating of the version that played last, less sure the longer ago that was; wider
        still for another version, also for one that comes back; or a newcomer's."""
        versions = self._bots.get(seat.bot, {})
        last = next((row for row in versions.values() if row.latest), None)
        if last is None:
            return self._parameters.first
        idle = when - seconds_of(last.changed)
        rating = idled(last.rating, idle, self._parameters)
        return rating if last.version == seat.version else self._parameters.inherit(rating)
