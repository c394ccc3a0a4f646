"""Ratings in the store: ladders, their history, and rating again after a match is voided."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, literal_column, select, update

from paddock_ladder.doubt import Repeats
from paddock_ladder.duel import Meeting
from paddock_ladder.rating import Rating
from paddock_server.referee.result import SeatResult
from paddock_server.store import recent, shelf
from paddock_server.store.book import Book
from paddock_server.store.epochs import parameters_of
from paddock_server.store.results import lock_ratings, seat_rows, write_seats
from paddock_server.store.rows import RATING_COLUMNS, RatedMatch, RatingChange, RatingRow
from paddock_server.store.schema import BOTS, MATCHES, RATINGS, SEATS

_CHUNK = 1000


class RatedRow(NamedTuple):
    """A rated match of one bot."""

    match_id: str
    ended: str
    version: str
    seat: int
    rank: int
    total: int
    rating: Rating  # after it
    order: int


class Career(NamedTuple):
    """The rated matches of a bot in one format, with all its versions."""

    versions: int
    matches: int


class RatedSeat(NamedTuple):
    """A seat of a rated match: its rank, and the rating that its bot had before."""

    rank: int
    before: Rating


def standings(connection: Connection, format_name: str = "") -> list[RatingRow]:
    """The ratings of a format, or of all formats, of the version of each bot that played last."""
    query = (
        select(*(RATINGS.c[name] for name in RATING_COLUMNS), BOTS.c.owner, BOTS.c.language)
        .outerjoin(BOTS, BOTS.c.name == RATINGS.c.bot)
        .where(RATINGS.c.latest == literal_column("1"))
        .order_by(RATINGS.c.bot, RATINGS.c.format)
    )
    if format_name:
        query = query.where(RATINGS.c.format == format_name)
    return [
        RatingRow.of(row[:-2])._replace(owner=row.owner or "", language=row.language or "")
        for row in connection.execute(query)
    ]


def history(
    connection: Connection, bot: str, format_name: str, before: int | None, limit: int
) -> list[RatedRow]:
    """The rated matches of a bot before this place in the order, the newest first."""
    query = (
        select(
            MATCHES.c.id, MATCHES.c.ended, SEATS.c.version, SEATS.c.seat, SEATS.c.rank,
            SEATS.c.total, SEATS.c.mu, SEATS.c.sigma, SEATS.c.rated,
        )
        .join(MATCHES, MATCHES.c.number == SEATS.c.match)
        .where(SEATS.c.bot == bot, SEATS.c.format == format_name, SEATS.c.rated.is_not(None))
        .order_by(SEATS.c.rated.desc())
        .limit(limit)
    )  # fmt: skip
    if before is not None:
        query = query.where(SEATS.c.rated < before)
    return [
        RatedRow(*row[:6], Rating(row.mu, row.sigma), row.rated)
        for row in connection.execute(query)
    ]


def careers(connection: Connection, bot: str) -> dict[str, Career]:
    """The careers of a bot, by format; formats without a rated match are left out."""
    query = (
        select(SEATS.c.format, func.count(SEATS.c.version.distinct()), func.count())
        .where(SEATS.c.bot == bot, SEATS.c.rated.is_not(None))
        .group_by(SEATS.c.format)
    )
    return {row[0]: Career(*map(int, row[1:])) for row in connection.execute(query)}


def meetings(connection: Connection, bot: str, other: str, format_name: str) -> list[Meeting]:
    """The matches that two bots finished with each other, rated or not, voided ones left out."""
    mine, theirs = SEATS.alias("mine"), SEATS.alias("theirs")
    query = (
        select(
            MATCHES.c.id, MATCHES.c.tournament, MATCHES.c.block,
            mine.c.total.label("mine"), theirs.c.total.label("theirs"),
        )
        .select_from(mine)
        .join(theirs, (theirs.c.match == mine.c.match) & (theirs.c.bot == other))
        .join(MATCHES, MATCHES.c.number == mine.c.match)
        .where(
            mine.c.bot == bot, mine.c.format == format_name,
            mine.c.total.is_not(None), MATCHES.c.void == "",
        )
        .order_by(mine.c.match)
    )  # fmt: skip
    return [
        Meeting(row.mine, row.theirs, f"{row.tournament}/{row.block}" if row.block else row.id)
        for row in connection.execute(query)
    ]


def rated_matches(connection: Connection, format_name: str, after: int = 0) -> Iterator[RatedMatch]:
    """The rated matches of a format in the order they were rated.

    They are read in pages, so that a million matches need no more memory than a thousand.
    """
    while True:
        matches = connection.execute(
            select(MATCHES.c.rated, MATCHES.c.number, MATCHES.c.ended)
            .where(MATCHES.c.rated > after, MATCHES.c.format == format_name)
            .order_by(MATCHES.c.rated)
            .limit(_CHUNK)
        ).all()
        if not matches:
            return
        seats = _rated_seats(connection, [row.number for row in matches])
        for order, number, ended in matches:
            results, changes = zip(*seats[number], strict=True)
            yield RatedMatch(order, number, ended, results, changes)
            after = order


def _rated_seats(
    connection: Connection, numbers: Sequence[int]
) -> dict[int, list[tuple[SeatResult, RatingChange]]]:
    """The seats of these matches, by match."""
    seats: dict[int, list[tuple[SeatResult, RatingChange]]] = {}
    query = select(SEATS).where(SEATS.c.match.in_(numbers)).order_by(SEATS.c.match, SEATS.c.seat)
    for row in connection.execute(query):
        result = SeatResult(
            bot=row.bot,
            version=row.version,
            total=row.total,
            rank=row.rank,
            forfeit=bool(row.forfeit),
            faults=row.faults,
            fallbacks=row.fallbacks,
        )
        change = RatingChange(Rating(row.mu_before, row.sigma_before), Rating(row.mu, row.sigma))
        seats.setdefault(row.match, []).append((result, change))
    return seats


def rated_before(connection: Connection, format_name: str) -> Iterator[list[RatedSeat]]:
    """The seats of every rated match of a format, match by match."""
    query = (
        select(SEATS.c.match, SEATS.c.rank, SEATS.c.mu_before, SEATS.c.sigma_before)
        .join(MATCHES, MATCHES.c.number == SEATS.c.match)
        .where(MATCHES.c.format == format_name, MATCHES.c.rated.is_not(None))
        .order_by(MATCHES.c.rated, SEATS.c.seat)
    )
    for _, seats in groupby(connection.execute(query), key=itemgetter(0)):
        yield [RatedSeat(row.rank, Rating(row.mu_before, row.sigma_before)) for row in seats]


def count_rated(connection: Connection, format_name: str) -> int:
    """How many matches of a format are rated."""
    query = select(func.count()).where(
        MATCHES.c.format == format_name, MATCHES.c.rated.is_not(None)
    )
    return int(connection.execute(query).scalar_one())


def void(connection: Connection, number: int, reason: str) -> int:
    """Void a match; the number of later matches that were rated again.

    The ratings become exactly what they would be if the match had never been rated: those of its
    format are deleted, and all other matches of the format are rated again in their order.
    """
    row = connection.execute(
        select(MATCHES.c.format, MATCHES.c.rated).where(MATCHES.c.number == number)
    ).one()
    connection.execute(
        update(MATCHES).where(MATCHES.c.number == number).values(void=reason, rated=None)
    )
    nothing = {"rated": None, "mu_before": None, "sigma_before": None, "mu": None, "sigma": None}
    connection.execute(update(SEATS).where(SEATS.c.match == number).values(nothing))
    return rate_again(connection, row.format, row.rated) if row.rated is not None else 0


def rate_again(connection: Connection, format_name: str, since: int) -> int:
    """Rate a format again; the number of matches from this place on, whose seats are rewritten."""
    lock_ratings(connection)
    connection.execute(RATINGS.delete().where(RATINGS.c.format == format_name))
    shelf.drop(connection, format_name)
    book = Book(format_name, parameters_of(connection, format_name), Repeats())
    again = 0
    rows: list[Sequence[Any]] = []
    for match, changes in _rated_in(book, connection, format_name):
        if match.order >= since:
            rows += seat_rows(match.number, match.seats, match.order, changes)
            again += 1
            if len(rows) >= _CHUNK:
                write_seats(connection, rows)
                rows = []
    write_seats(connection, rows)
    book.write(connection)
    return again


def rated_anew(connection: Connection, format_name: str) -> dict[tuple[str, str], Rating]:
    """The ratings of a format, computed from its matches; nothing is written."""
    book = Book(format_name, parameters_of(connection, format_name), Repeats())
    for _ in _rated_in(book, connection, format_name):
        pass
    return book.ratings()


def _rated_in(
    book: Book, connection: Connection, format_name: str
) -> Iterator[tuple[RatedMatch, tuple[RatingChange, ...]]]:
    """Every rated match of a format and what it changes, when it has been rated in this book."""
    owners: dict[str, str] = {}
    for match in rated_matches(connection, format_name):
        new = [seat.bot for seat in match.seats if seat.bot not in owners]
        owners.update(zip(new, recent.owners_of(connection, new), strict=True))
        at_table = [owners[seat.bot] for seat in match.seats]
        yield match, book.rate(match.seats, at_table, match.ended)


def add_up(connection: Connection, format_name: str) -> None:
    """Compute the rows of a format's ladder anew from its stored matches.

    No rating changes. Totals that were added to the schema later also count the earlier matches.
    """
    connection.execute(RATINGS.delete().where(RATINGS.c.format == format_name))
    shelf.drop(connection, format_name)
    book = Book(format_name, parameters_of(connection, format_name), Repeats())
    for match in rated_matches(connection, format_name):
        book.enter(match.seats, match.changes, match.ended)
    book.write(connection)


def seats_of(connection: Connection, number: int) -> Sequence[Any]:
    """The stored rows of the seats of a match, by seat."""
    query = select(SEATS).where(SEATS.c.match == number).order_by(SEATS.c.seat)
    return connection.execute(query).all()
