"""The ends of matches in the store: records, results and ratings, in one transaction.

Matches that end together are stored together: each table is written by one statement, and each
rating is read and written once. PostgreSQL is waited for twice, for all that is read and for all
that is written, and then for the commit.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, func, literal_column, select

from paddock_games import PlayedMatch
from paddock_server.referee.result import SeatResult
from paddock_server.store import recent, shelf
from paddock_server.store.book import Book, ask_latest
from paddock_server.store.connection import SHARED
from paddock_server.store.epochs import ask_current, epoch_in
from paddock_server.store.match_json import results_text
from paddock_server.store.prepared import Among, Prepared, Rows, Written, pipelined
from paddock_server.store.records import packed
from paddock_server.store.rows import EndRow, RatingChange
from paddock_server.store.schema import BOTS, JOURNAL, MATCHES, SEATS, types_of

_NO_RATING: Final = (None, None)  # mu and sigma
_RATING: Final = int.from_bytes(b"rating")  # the names of advisory locks are numbers
_RATED: Final = select(MATCHES.c.rated).where(MATCHES.c.rated.is_not(None))
_LATEST_FIRST: Final = _RATED.order_by(MATCHES.c.rated.desc()).limit(literal_column("1"))
# The last places in the order in which matches were rated: of all, and of a format. `max` would let
# PostgreSQL add up all matches of a format, by a plan from when they were few.
_LAST: Final = Prepared(
    select(
        func.coalesce(_LATEST_FIRST.scalar_subquery(), 0),
        func.coalesce(
            _LATEST_FIRST.where(MATCHES.c.format == bindparam("of_format")).scalar_subquery(), 0
        ),
    )
)
_ALIVE: Final = frozenset({"waiting", "open"})
# The states are compared here. In the statement they would make PostgreSQL read all that is waiting
# and, until it is cleared away, all that ever was.
_STATES: Final = Among(
    "SELECT number, state FROM matches WHERE number = ANY(?)", MATCHES.c.number.type
)
_FINISH: Final = Written(
    "UPDATE matches SET state = {state}, ended = {ended}, results = {results}, "
    "record = {record}, rated = {rated} {rows} WHERE matches.number = {number}",
    types_of(MATCHES, *("state", "ended", "results", "record", "rated", "number")),
)
_SEAT: Final = Written(
    "UPDATE seats SET version = {version}, total = {total}, rank = {rank}, faults = {faults}, "
    "fallbacks = {fallbacks}, forfeit = {forfeit}, rated = {rated}, mu_before = {mu_before}, "
    "sigma_before = {sigma_before}, mu = {mu}, sigma = {sigma} {rows} "
    "WHERE seats.match = {match} AND seats.seat = {seat}",
    types_of(
        SEATS,
        *("version", "total", "rank", "faults", "fallbacks", "forfeit", "rated"),
        *("mu_before", "sigma_before", "mu", "sigma", "match", "seat"),
    ),
)
_FORGET: Final = Among("DELETE FROM journal WHERE match = ANY(?)", JOURNAL.c.match.type)
_BOTS: Final = Among("SELECT name, owner, forfeits FROM bots WHERE name = ANY(?)", BOTS.c.name.type)
# Of the matches that a bot forfeited in a row so far, all or none are kept.
_FORFEITS: Final = Written(
    "UPDATE bots SET forfeits = bots.forfeits * {kept} + {more} {rows} WHERE bots.name = {name}",
    {"kept": BOTS.c.forfeits.type, "more": BOTS.c.forfeits.type, "name": BOTS.c.name.type},
)


class _Bot(NamedTuple):
    """The columns of a bot that the end of a match needs."""

    owner: str
    forfeits: int  # in a row


class _Ladder(NamedTuple):
    """The ladder of a format, as far as some of its matches need it."""

    name: str
    bots: list[str]
    last: Rows
    epoch: Rows | None  # None: a book that is kept has all that is needed
    latest: Rows | None

    @classmethod
    def asked(cls, connection: Connection, name: str, ends: Sequence[EndRow]) -> "_Ladder":
        """Ask for it."""
        bots, last = _names(ends), _LAST.asked(connection, {"of_format": name})
        if shelf.knows(connection, name, bots):
            return cls(name, bots, last, None, None)
        epoch, latest = ask_current(connection, name), ask_latest(connection, name, bots)
        return cls(name, bots, last, epoch, latest)

    def book(self, connection: Connection, last: int) -> Book:
        """The book of its ratings, up to the last match that was rated before."""
        book = shelf.take(connection, self.name, last)
        if book is not None and self.latest is None:
            return book
        epoch = self.epoch or ask_current(connection, self.name)
        latest = self.latest or ask_latest(connection, self.name, self.bots)
        parameters = epoch_in(self.name, epoch()).parameters
        if book is None:
            book = Book(self.name, parameters, recent.no_repeats(connection, self.name))
        book.take(self.bots, latest())
        recent.remember(
            connection, self.name, self.bots, parameters=parameters, last=last, repeats=book.repeats
        )
        return book


class _Stored(NamedTuple):
    """The rows that matches need when they end, as stored before."""

    alive: set[int]  # the numbers of those that are not over yet
    bots: dict[str, _Bot]  # as far as they are known; house bots have no row
    ladders: dict[str, _Ladder]  # by format, of the rated ones

    @classmethod
    def read(cls, connection: Connection, ends: Sequence[EndRow]) -> "_Stored":
        """All of it, with one wait for PostgreSQL; from then on nobody else rates."""
        rated = _by_format(end for end in ends if end.rated)
        with pipelined(connection):
            if rated:
                lock_ratings(connection)
            states = _STATES.asked(connection, [end.number for end in ends])
            bots = _BOTS.asked(connection, _names(ends))
            ladders = {name: _Ladder.asked(connection, name, some) for name, some in rated.items()}
        return cls(
            _alive(states()),
            {name: _Bot(*values) for name, *values in bots()},
            ladders,
        )


class _Rated(NamedTuple):
    """A match that was rated: its place in the order of all, and what it changed, by seat."""

    order: int | None = None
    changes: tuple[RatingChange, ...] = ()


_UNRATED: Final = _Rated()


def finish_many(
    connection: Connection, ends: Sequence[EndRow]
) -> list[tuple[RatingChange, ...] | None]:
    """Store the records, results and ratings of matches in this order, and drop their journals.

    For each the changes of its ratings by seat, empty for one that is not rated; None, and nothing
    is stored of it, if it was over before.
    """
    stored = _Stored.read(connection, ends)
    fresh = _not_over(ends, stored.alive)
    books, rated = _rate(connection, [end for end in fresh.values() if end.rated], stored)
    matches, seats = [], []
    for number, end in fresh.items():
        order, changes = rated.get(number, _UNRATED)
        ended, text = end.played.match.ended, results_text(end.results)
        matches.append(("finished", ended, text, packed(end.played), order, number))
        seats += seat_rows(number, end.results, order, changes)
    with pipelined(connection):
        for book in books:
            book.write(connection)
        _FINISH.run_many(connection, matches)
        write_seats(connection, seats)
        _FORGET.run(connection, list(fresh))
        _count_forfeits(connection, fresh.values(), stored.bots)
    return [
        rated.get(end.number, _UNRATED).changes if fresh.get(end.number) is end else None
        for end in ends
    ]


def lock_ratings(connection: Connection) -> None:
    """Be the only one that rates until the transaction is over.

    Other nodes of a cluster rate matches, too: one after the other, or ratings would be lost.
    """
    if SHARED in connection.info:
        connection.connection.cursor().execute(f"SELECT pg_advisory_xact_lock({_RATING})")


def finish(
    connection: Connection,
    number: int,
    played: PlayedMatch,
    results: Sequence[SeatResult],
    *,
    rated: bool,
) -> tuple[RatingChange, ...] | None:
    """Store the end of one match, as `finish_many` does."""
    return finish_many(connection, [EndRow(number, played, results, rated)])[0]


def _alive(states: Iterable[tuple[int, str]]) -> set[int]:
    """The numbers of the matches that are not over yet."""
    return {number for number, state in states if state in _ALIVE}


def _names(ends: Iterable[EndRow]) -> list[str]:
    """The bots of these matches."""
    return list(dict.fromkeys(seat.bot for end in ends for seat in end.results))


def _by_format(ends: Iterable[EndRow]) -> dict[str, list[EndRow]]:
    """The ends by format, in the order of the names."""
    found: dict[str, list[EndRow]] = {}
    for end in ends:
        found.setdefault(end.played.match.format, []).append(end)
    return dict(sorted(found.items()))


def _not_over(ends: Sequence[EndRow], alive: Container[int]) -> dict[int, EndRow]:
    """The ends of matches that are not over yet, by number; of two ends of a match the first."""
    fresh: dict[int, EndRow] = {}
    for end in ends:
        if end.number in alive:
            fresh.setdefault(end.number, end)
    return fresh


def _rate(
    connection: Connection, ends: Sequence[EndRow], stored: _Stored
) -> tuple[list[Book], dict[int, _Rated]]:
    """Rate these matches in their order; the books that are to be written, and them by number."""
    books, bots = [], stored.bots
    rated: dict[int, _Rated] = {}
    orders: dict[int, int] = {}
    for name, some in _by_format(ends).items():
        ladder = stored.ladders[name]
        last, last_here = ladder.last()[0]
        orders = orders or {end.number: last + at for at, end in enumerate(ends, 1)}
        book = ladder.book(connection, last_here)
        for end in some:
            owners = [
                bots[seat.bot].owner if seat.bot in bots else seat.bot for seat in end.results
            ]
            changes = book.rate(end.results, owners, end.played.match.ended)
            rated[end.number] = _Rated(orders[end.number], changes)
        books.append(book)
        shelf.keep(connection, name, orders[some[-1].number], book)
    return books, rated


def _count_forfeits(
    connection: Connection, ends: Iterable[EndRow], bots: Mapping[str, _Bot]
) -> None:
    """Count the matches in a row that bots forfeited; a match counts once, whatever its seats."""
    in_a_row: dict[str, int] = {}
    played: set[str] = set()  # those that played a match to its end, so that they begin anew
    for end in ends:
        forfeited = {seat.bot for seat in end.results if seat.forfeit}
        for bot in {seat.bot for seat in end.results}:
            in_a_row[bot] = in_a_row.get(bot, 0) + 1 if bot in forfeited else 0
            if bot not in forfeited:
                played.add(bot)
    _FORFEITS.run_many(
        connection,
        [
            (int(bot not in played), in_a_row[bot], bot)
            for bot, known in sorted(bots.items())
            if in_a_row.get(bot) or (bot in played and known.forfeits)
        ],
    )


def declare(connection: Connection, number: int, ended: str, results: Sequence[SeatResult]) -> bool:
    """Declare a match that was not played; False if it was over before."""
    if not _alive(_STATES.rows(connection, [number])):
        return False
    text = results_text(results)
    _FINISH.run_many(connection, [("declared", ended, text, None, None, number)])
    _FORGET.run(connection, [number])
    return True


def seat_rows(
    number: int, seats: Sequence[SeatResult], order: int | None, changes: Sequence[RatingChange]
) -> list[Sequence[Any]]:
    """The values of every seat: its result and, if it is rated, its rating before and after."""
    rows: list[Sequence[Any]] = []
    for place, seat in enumerate(seats):
        before, after = changes[place] if changes else (_NO_RATING, _NO_RATING)
        result = (seat.version, seat.total, seat.rank, seat.faults, seat.fallbacks)
        rows.append((*result, int(seat.forfeit), order, *before, *after, number, place))
    return rows


def write_seats(connection: Connection, rows: Sequence[Sequence[Any]]) -> None:
    """Store the results and ratings of seats."""
    _SEAT.run_many(connection, rows)
