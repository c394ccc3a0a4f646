"""The end of a match in the store: its record, result and ratings, in one transaction."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, literal_column, select, update

from paddock_server.referee.result import SeatResult
from paddock_server.store import recent
from paddock_server.store.book import Book
from paddock_server.store.epochs import parameters_of
from paddock_server.store.match_json import results_text
from paddock_server.store.prepared import Prepared
from paddock_server.store.rows import RatingChange
from paddock_server.store.schema import BOTS, JOURNAL, MATCHES, SEATS
from paddock_server.store.text import dumps

_RATED: Final = MATCHES.alias()
_ALIVE: Final = MATCHES.c.state.in_((literal_column("'waiting'"), literal_column("'open'")))
_FINISH: Final = Prepared(
    update(MATCHES)
    .where(MATCHES.c.number == bindparam("of"), _ALIVE)
    .values(
        state=bindparam("to"),
        ended=bindparam("end"),
        results=bindparam("result"),
        record=bindparam("text"),
        rated=bindparam("order"),
    )
)
_FORGET: Final = Prepared(delete(JOURNAL).where(JOURNAL.c.match == bindparam("of")))
# How many matches in a row a bot forfeited; house bots have no row.
_FORFEITED: Final = Prepared(
    update(BOTS)
    .where(BOTS.c.name == bindparam("of_bot"))
    .values(forfeits=BOTS.c.forfeits + literal_column("1"))
)
_PLAYED: Final = Prepared(
    update(BOTS)
    .where(BOTS.c.name == bindparam("of_bot"), BOTS.c.forfeits > literal_column("0"))
    .values(forfeits=literal_column("0"))
)
_SEAT: Final = Prepared(
    update(SEATS)
    .where(SEATS.c.match == bindparam("of"), SEATS.c.seat == bindparam("of_seat"))
    .values(
        {name: bindparam(f"new_{name}") for name in (
            "version", "total", "rank", "faults", "forfeit", "rated",
            "mu_before", "sigma_before", "mu", "sigma", "fallbacks",
        )}
    )
)  # fmt: skip
_ORDER: Final = Prepared(
    select(
        func.coalesce(func.max(MATCHES.c.rated), 0) + 1,
        select(func.coalesce(func.max(_RATED.c.rated), 0))
        .where(_RATED.c.format == bindparam("of_format"), _RATED.c.rated.is_not(None))
        .scalar_subquery(),
    )
)


class _Orders(NamedTuple):
    """Places in the order in which matches are rated."""

    next: int  # for a match that is to be rated
    last: int  # of the last match of a format


class _End(NamedTuple):
    """The values of a match's row when it is over."""

    state: str
    ended: str
    results: Sequence[SeatResult]
    record: bytes | None = None  # JSON, compressed
    order: int | None = None  # in which it is rated


def finish(
    connection: Connection,
    number: int,
    record: Mapping[str, Any],
    results: Sequence[SeatResult],
    *,
    rated: bool,
) -> tuple[RatingChange, ...] | None:
    """Store a match's record, result and ratings, and drop its journal.

    The changes of the ratings by seat, empty for a match that is not rated; None, and nothing is
    stored, if the match was over before.
    """
    orders = _orders(connection, record["format"]) if rated else None
    order = orders.next if orders else None
    text = zlib.compress(dumps(record).encode(), 1)
    end = _End("finished", record["ended"], results, text, order)
    if not _end(connection, number, end):
        return None
    changes: tuple[RatingChange, ...] = ()
    if orders:
        changes = _rate(connection, record["format"], results, orders, record["ended"])
    write_seats(connection, seat_rows(number, results, order, changes))
    _count_forfeits(connection, results)
    return changes


def _count_forfeits(connection: Connection, results: Sequence[SeatResult]) -> None:
    """Count a match once for every bot, even if the bot had several seats."""
    forfeited = {seat.bot for seat in results if seat.forfeit}
    _FORFEITED.run_many(connection, [{"of_bot": bot} for bot in sorted(forfeited)])
    played = {seat.bot for seat in results} - forfeited
    _PLAYED.run_many(connection, [{"of_bot": bot} for bot in sorted(played)])


def _orders(connection: Connection, format_name: str) -> _Orders:
    return _Orders(*_ORDER.rows(connection, {"of_format": format_name})[0])


def _rate(
    connection: Connection,
    format_name: str,
    seats: Sequence[SeatResult],
    orders: _Orders,
    ended: str,
) -> tuple[RatingChange, ...]:
    """Rate a match, and store the new ratings."""
    bots = [seat.bot for seat in seats]
    parameters = parameters_of(connection, format_name)
    repeats = recent.repeats_before(connection, format_name, parameters, bots, orders.last)
    book = Book(format_name, parameters, repeats)
    book.read(connection, bots)
    changes = book.rate(seats, recent.owners_of(connection, bots), ended)
    book.write(connection)
    recent.keep(connection, format_name, orders.next, repeats)
    return changes


def declare(connection: Connection, number: int, ended: str, results: Sequence[SeatResult]) -> bool:
    """Declare a match that was not played; False if it was over before."""
    return _end(connection, number, _End("declared", ended, results))


def _end(connection: Connection, number: int, end: _End) -> bool:
    """End a match; False if it was over before."""
    values = {
        "to": end.state,
        "end": end.ended,
        "result": results_text(end.results),
        "text": end.record,
        "order": end.order,
    }
    if not _FINISH.run(connection, {"of": number, **values}):
        return False
    _FORGET.run(connection, {"of": number})
    return True


def seat_rows(
    number: int, seats: Sequence[SeatResult], order: int | None, changes: Sequence[RatingChange]
) -> list[Mapping[str, Any]]:
    """The values of every seat: its result and, if it is rated, its rating before and after."""
    rows: list[Mapping[str, Any]] = []
    for place, seat in enumerate(seats):
        before, after = changes[place] if changes else (None, None)
        rows.append(
            {
                "of": number,
                "of_seat": place,
                "new_version": seat.version,
                "new_total": seat.total,
                "new_rank": seat.rank,
                "new_faults": seat.faults,
                "new_fallbacks": seat.fallbacks,
                "new_forfeit": int(seat.forfeit),
                "new_rated": order,
                "new_mu_before": before.mu if before else None,
                "new_sigma_before": before.sigma if before else None,
                "new_mu": after.mu if after else None,
                "new_sigma": after.sigma if after else None,
            }
        )
    return rows


def write_seats(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store the results and ratings of seats."""
    _SEAT.run_many(connection, rows)
