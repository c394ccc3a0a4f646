"""Ratings in the store: standings, how they came about, and what changes when a match is voided."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select, update

from paddock_ladder.doubt import Repeats
from paddock_ladder.rating import Rating
from paddock_server.referee.result import SeatResult
from paddock_server.store import recent
from paddock_server.store.book import Book
from paddock_server.store.epochs import parameters_of
from paddock_server.store.results import seat_rows, write_seats
from paddock_server.store.schema import BOTS, MATCHES, RATINGS, SEATS

_CHUNK = 1000


class RatingRow(NamedTuple):
    """A bot's rating in one format, by the version that played last."""

    format: str
    bot: str
    owner: str  # empty where the bot was removed
    language: str  # as the bot says itself
    version: str
    rating: Rating
    matches: int
    points: int  # added up
    wins: float
    faults: int
    fallbacks: int
    forfeits: int
    change: float
    changed: str

    @property
    def points_a_match(self) -> float:
        """The mean; 0 where nothing was played."""
        return self.points / self.matches if self.matches else 0.0


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


class RatedSeat(NamedTuple):
    """A seat of a rated match: its rank, and the rating that its bot had before."""

    rank: int
    before: Rating


class Meeting(NamedTuple):
    """A match in which two bots met: the points and ranks of both."""

    block: str  # that it shares a deal with; its own id where there is none
    points: tuple[int, int]
    ranks: tuple[int, int]


def standings(connection: Connection, format_name: str = "") -> list[RatingRow]:
    """The ratings of a format, or of all of them."""
    query = (
        select(RATINGS, BOTS.c.owner, BOTS.c.language)
        .outerjoin(BOTS, BOTS.c.name == RATINGS.c.bot)
        .where(RATINGS.c.latest == 1)
        .order_by(RATINGS.c.bot, RATINGS.c.format)
    )
    if format_name:
        query = query.where(RATINGS.c.format == format_name)
    return [
        RatingRow(
            row.format, row.bot, row.owner or "", row.language or "", row.version,
            Rating(row.mu, row.sigma), row.matches, row.points, row.wins, row.faults,
            row.fallbacks, row.forfeits, row.change, row.changed,
        )
        for row in connection.execute(query)
    ]  # fmt: skip


def history(
    connection: Connection, bot: str, format_name: str, before: int | None, limit: int
) -> list[RatedRow]:
    """The rated matches of a bot, the newest first, from before this place in the order on."""
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


def meetings(connection: Connection, bot: str, other: str, format_name: str) -> list[Meeting]:
    """The matches that two bots finished with each other, rated or not, voided ones left out."""
    mine, theirs = SEATS.alias("mine"), SEATS.alias("theirs")
    query = (
        select(
            MATCHES.c.id, MATCHES.c.tournament, MATCHES.c.block,
            mine.c.total, theirs.c.total, mine.c.rank, theirs.c.rank,
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
        Meeting(f"{row[1]}/{row[2]}" if row[2] else row[0], (row[3], row[4]), (row[5], row[6]))
        for row in connection.execute(query)
    ]


def rated_matches(
    connection: Connection, format_name: str, after: int = 0
) -> Iterator[tuple[int, int, str, list[SeatResult]]]:
    """The rated matches of a format in the order they were rated: order, number, end, seats.

    A page at a time, so that a million of them need no more memory than a thousand.
    """
    while True:
        numbers = connection.execute(
            select(MATCHES.c.rated, MATCHES.c.number, MATCHES.c.ended)
            .where(MATCHES.c.rated > after, MATCHES.c.format == format_name)
            .order_by(MATCHES.c.rated)
            .limit(_CHUNK)
        ).all()
        if not numbers:
            return
        seats: dict[int, list[SeatResult]] = {}
        found = select(
            SEATS.c.match, SEATS.c.bot, SEATS.c.version, SEATS.c.total, SEATS.c.rank,
            SEATS.c.forfeit, SEATS.c.faults, SEATS.c.fallbacks,
        ).where(SEATS.c.match.in_([row.number for row in numbers])).order_by(
            SEATS.c.match, SEATS.c.seat
        )  # fmt: skip
        for row in connection.execute(found):
            seat = SeatResult(*row[1:5], bool(row.forfeit), row.faults, row.fallbacks)
            seats.setdefault(row.match, []).append(seat)
        for order, number, ended in numbers:
            yield order, number, ended, seats[number]
            after = order


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
    counted = select(func.count()).where(
        MATCHES.c.format == format_name, MATCHES.c.rated.is_not(None)
    )
    return int(connection.execute(counted).scalar_one())


def void(connection: Connection, number: int, reason: str) -> int:
    """Make a match count for nothing; how many later matches were rated again.

    Ratings become exactly what they would be had the match never been rated: those of its format
    are taken back and all its other matches are rated again, in the order they were rated in.
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
    """Rate the matches of a format again that were rated from this place on; how many."""
    connection.execute(RATINGS.delete().where(RATINGS.c.format == format_name))
    recent.forget(connection, format_name)
    book = Book(format_name, parameters_of(connection, format_name), Repeats())
    owners: dict[str, str] = {}
    again, rows = 0, []
    for order, number, ended, seats in rated_matches(connection, format_name):
        new = [seat.bot for seat in seats if seat.bot not in owners]
        owners.update(zip(new, recent.owners_of(connection, new), strict=True))
        changes = book.rate(seats, [owners[seat.bot] for seat in seats], ended)
        if order >= since:
            rows += seat_rows(number, seats, order, changes)
            again += 1
            if len(rows) >= _CHUNK:
                write_seats(connection, rows)
                rows = []
    write_seats(connection, rows)
    book.write(connection)
    return again


def seats_of(connection: Connection, number: int) -> Sequence[Any]:
    """What is known of every seat of a match."""
    query = select(SEATS).where(SEATS.c.match == number).order_by(SEATS.c.seat)
    return connection.execute(query).all()
