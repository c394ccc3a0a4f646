"""The ratings of a ladder, taken out of the store, changed by matches, and put back."""

from collections.abc import Iterable, Sequence
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

_NOTHING: Final = Totals()  # before the first match of a version
_KEY: Final = ("format", "bot", "version")
_LATEST: Final = Among(
    f"SELECT {', '.join(RATING_COLUMNS)} FROM ratings "  # noqa: S608 -- names of columns
    "WHERE latest = 1 AND format = ? AND bot = ANY(?)",
    RATINGS.c.bot.type,
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
        self.parameters = parameters
        self.repeats = repeats
        self._format = format_name
        self._latest: dict[str, RatingRow | None] = {}  # by bot; None: it has not played
        self._changed: dict[tuple[str, str], RatingRow] = {}  # by bot and version

    def knows(self, bots: Iterable[str]) -> bool:
        """Whether the ratings of all these bots are in the book, or known to be nowhere."""
        return all(bot in self._latest for bot in bots)

    def take(self, bots: Iterable[str], rows: Iterable[Any]) -> None:
        """Take the ratings of these bots that are stored, the rows of `ask_latest`."""
        self._latest.update(dict.fromkeys(bots))
        for values in rows:
            row = RatingRow.of(values)
            self._latest[row.bot] = row

    def rate(
        self, seats: Sequence[SeatResult], owners: Sequence[str], ended: str
    ) -> tuple[RatingChange, ...]:
        """What a match does to the ratings of its seats' versions, by seat."""
        when = seconds_of(ended)
        before = [self._before(seat, when) for seat in seats]
        after = rate(before, [seat.rank for seat in seats], self.parameters)
        table = [
            Guest(seat.bot, owner, Showing(seat.rank, old))
            for seat, owner, old in zip(seats, owners, before, strict=True)
        ]
        parts = self.repeats.parts(table, when, self.parameters)
        if self.repeats.alone:
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
        ranks = [seat.rank for seat in seats]
        share, opponents = 1 / ranks.count(1), len(seats) - 1
        expected = expected_scores([change.before for change in changes], self.parameters)
        for seat, (old, new), score, awaited in zip(
            seats, changes, scores(ranks), expected, strict=True
        ):
            bot, version = seat.bot, seat.version
            last = self._latest.get(bot)
            before = _NOTHING
            if last is not None:
                if last.version == version:
                    before = last.totals
                else:
                    self._changed[bot, last.version] = last._replace(latest=False)
            totals = Totals(
                before.matches + 1,
                before.points + seat.total,
                before.wins + share if seat.rank == 1 else before.wins,
                before.faults + seat.faults,
                before.fallbacks + seat.fallbacks,
                forfeits=before.forfeits + seat.forfeit,
                opponents=before.opponents + opponents,
                score=before.score + score,
                expected=before.expected + awaited,
            )
            row = RatingRow(
                self._format,
                bot,
                version,
                latest=True,
                rating=new,
                change=new.conservative - old.conservative,
                changed=ended,
                totals=totals,
            )
            self._latest[bot] = self._changed[bot, version] = row

    def ratings(self) -> dict[tuple[str, str], Rating]:
        """The ratings that have changed since the book was written, by bot and version."""
        return {key: row.rating for key, row in self._changed.items()}

    def write(self, connection: Connection) -> None:
        """Put back what has changed."""
        _PUT.run_many(connection, [row.values() for row in self._changed.values()])
        self._changed.clear()

    def _before(self, seat: SeatResult, when: float) -> Rating:
        """The rating of the version that played last, less sure the longer ago that was; wider
        still for another version, also for one that comes back; or a newcomer's."""
        last = self._latest.get(seat.bot)
        if last is None:
            return self.parameters.first
        idle = when - seconds_of(last.changed)
        rating = idled(last.rating, idle, self.parameters)
        return rating if last.version == seat.version else self.parameters.inherit(rating)
