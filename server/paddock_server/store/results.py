"""How a match ends: its record, its result and what it does to ratings, in one transaction."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, literal_column, select, update

from paddock_server.store import recent
from paddock_server.store.book import Book
from paddock_server.store.epochs import parameters_of
from paddock_server.store.prepared import Prepared
from paddock_server.store.rows import RatingChange, SeatResult
from paddock_server.store.schema import JOURNAL, MATCHES, SEATS
from paddock_server.store.text import dumps

_RATED: Final = MATCHES.alias()
_ALIVE: Final = MATCHES.c.state.in_((literal_column("'waiting'"), literal_column("'open'")))
_FINISH: Final = Prepared(
    update(MATCHES)
    .where(MATCHES.c.number == bindparam("of"), _ALIVE)
    .values(
        state=bindparam("to"),
        ended=bindparam("at"),
        results=bindparam("result"),
        record=bindparam("text"),
        rated=bindparam("order"),
    )
)
_FORGET: Final = Prepared(delete(JOURNAL).where(JOURNAL.c.match == bindparam("of")))
_SEAT: Final = Prepared(
    update(SEATS)
    .where(SEATS.c.match == bindparam("of"), SEATS.c.seat == bindparam("at"))
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


def finish(
    connection: Connection,
    number: int,
    record: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]],
    *,
    rated: bool,
) -> tuple[RatingChange, ...] | None:
    """Store a match's record, result and ratings, and drop its journal.

    What it did to the ratings, by seat, nothing where it is not rated; None where it was finished
    before, which then changes nothing.
    """
    orders = _orders(connection, record["format"]) if rated else None
    order = orders.next if orders else None
    text = zlib.compress(dumps(record).encode(), 1)
    if not _end(connection, number, "finished", record["ended"], results, text, order):
        return None
    seats = [
        SeatResult(seat["bot"], seat["version"], **result)
        for seat, result in zip(record["seats"], results, strict=True)
    ]
    changes: tuple[RatingChange, ...] = ()
    if orders:
        changes = _rate(connection, record["format"], seats, orders, record["ended"])
    write_seats(connection, seat_rows(number, seats, order, changes))
    return changes


def _orders(connection: Connection, format_name: str) -> _Orders:
    return _Orders(*_ORDER.rows(connection, {"of_format": format_name})[0])


def _rate(
    connection: Connection,
    format_name: str,
    seats: Sequence[SeatResult],
    orders: _Orders,
    ended: str,
) -> tuple[RatingChange, ...]:
    """Rate a match, and store what that makes of the ladder."""
    bots = [seat.bot for seat in seats]
    parameters = parameters_of(connection, format_name)
    repeats = recent.repeats_before(connection, format_name, parameters, bots, orders.last)
    book = Book(format_name, parameters, repeats)
    book.read(connection, bots)
    changes = book.rate(seats, recent.owners_of(connection, bots), ended)
    book.write(connection)
    recent.keep(connection, format_name, orders.next, repeats)
    return changes


def declare(
    connection: Connection, number: int, ended: str, results: Sequence[Mapping[str, Any]]
) -> bool:
    """Decide a match that was not played; False where it has been played or decided before."""
    return _end(connection, number, "declared", ended, results, None, None)


def _end(
    connection: Connection,
    number: int,
    state: str,
    ended: str,
    results: Sequence[Mapping[str, Any]],
    text: bytes | None,
    order: int | None,
) -> bool:
    """Whether the match was alive, and is over now."""
    values = {"to": state, "at": ended, "result": dumps(results), "text": text, "order": order}
    if not _FINISH.run(connection, {"of": number, **values}):
        return False
    _FORGET.run(connection, {"of": number})
    return True


def seat_rows(
    number: int, seats: Sequence[SeatResult], order: int | None, changes: Sequence[RatingChange]
) -> list[Mapping[str, Any]]:
    """The result of every seat, and its rating before and after where it is rated."""
    rows: list[Mapping[str, Any]] = []
    for at, seat in enumerate(seats):
        before, after = changes[at] if changes else (None, None)
        rows.append(
            {
                "of": number,
                "at": at,
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
    """Note what became of seats."""
    _SEAT.run_many(connection, rows)
