"""How a match ends: its record, its result and what it does to ratings, in one transaction."""

import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from paddock_games import format_named
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.update import rate
from paddock_server.store.rows import RatingChange, SeatResult
from paddock_server.store.schema import JOURNAL, MATCHES, RATINGS, SEATS
from paddock_server.store.text import dumps

# Statements that are executed every match are put together once.
_FINISH: Final = (
    update(MATCHES)
    .where(MATCHES.c.number == bindparam("of"), MATCHES.c.state.in_(("waiting", "open")))
    .values(
        state=bindparam("to"),
        ended=bindparam("at"),
        results=bindparam("result"),
        record=bindparam("text"),
        rated=bindparam("order"),
    )
)
_FORGET: Final = delete(JOURNAL).where(JOURNAL.c.match == bindparam("of"))
_SEAT: Final = (
    update(SEATS)
    .where(SEATS.c.match == bindparam("of"), SEATS.c.seat == bindparam("at"))
    .values(
        {name: bindparam(f"new_{name}") for name in (
            "version", "total", "rank", "faults", "forfeit", "rated",
            "mu_before", "sigma_before", "mu", "sigma",
        )}
    )
)  # fmt: skip
_ORDER: Final = select(func.coalesce(func.max(MATCHES.c.rated), 0) + 1)
_RATINGS: Final = select(RATINGS).where(
    RATINGS.c.format == bindparam("of"), RATINGS.c.bot.in_(bindparam("bots", expanding=True))
)
_OLD: Final = update(RATINGS).values(latest=0)
_ADD: Final = insert(RATINGS)
_CHANGE: Final = (
    update(RATINGS)
    .where(
        RATINGS.c.format == bindparam("of_format"),
        RATINGS.c.bot == bindparam("of_bot"),
        RATINGS.c.version == bindparam("of_version"),
    )
    .values(
        {name: bindparam(f"new_{name}") for name in (
            "latest", "mu", "sigma", "matches", "points", "wins", "faults", "forfeits",
            "change", "changed",
        )}
    )
)  # fmt: skip


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
    order = connection.execute(_ORDER).scalar_one() if rated else None
    done = connection.execute(
        _FINISH,
        {
            "of": number,
            "to": "finished",
            "at": record["ended"],
            "result": dumps(results),
            "text": zlib.compress(dumps(record).encode(), 1),
            "order": order,
        },
    )
    if done.rowcount != 1:
        return None
    seats = [
        SeatResult(seat["bot"], seat["version"], **result)
        for seat, result in zip(record["seats"], results, strict=True)
    ]
    changes = rate_seats(connection, record["format"], seats, record["ended"]) if rated else ()
    write_seats(connection, number, seats, order, changes)
    connection.execute(_FORGET, {"of": number})
    return changes


def declare(
    connection: Connection, number: int, ended: str, results: Sequence[Mapping[str, Any]]
) -> bool:
    """Decide a match that was not played; False where it has been played or decided before."""
    values = {"to": "declared", "at": ended, "result": dumps(results), "text": None, "order": None}
    return connection.execute(_FINISH, {"of": number, **values}).rowcount == 1


def write_seats(
    connection: Connection,
    number: int,
    seats: Sequence[SeatResult],
    order: int | None,
    changes: Sequence[RatingChange],
) -> None:
    """Note the result of every seat, and its rating before and after where it is rated."""
    rows = []
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
                "new_forfeit": int(seat.forfeit),
                "new_rated": order,
                "new_mu_before": before.mu if before else None,
                "new_sigma_before": before.sigma if before else None,
                "new_mu": after.mu if after else None,
                "new_sigma": after.sigma if after else None,
            }
        )
    connection.execute(_SEAT, rows)


def rate_seats(
    connection: Connection, format_name: str, seats: Sequence[SeatResult], at: str
) -> tuple[RatingChange, ...]:
    """Rate a match: what it does to the ratings of its seats' versions, written and returned."""
    parameters = parameters_of(format_name)
    found: dict[str, list[Any]] = {}
    wanted = {"of": format_name, "bots": [seat.bot for seat in seats]}
    for row in connection.execute(_RATINGS, wanted):
        found.setdefault(row.bot, []).append(row)
    rows = [_row_of(found.get(seat.bot, ()), seat) for seat in seats]
    before = [_before(found.get(seat.bot, ()), seat, parameters) for seat in seats]
    after = rate(before, [seat.rank for seat in seats], parameters)
    winners = sum(seat.rank == 1 for seat in seats)
    added, changed = [], []
    for seat, row, old, new in zip(seats, rows, before, after, strict=True):
        values = {
            "latest": 1,
            "mu": new.mu,
            "sigma": new.sigma,
            "matches": (row.matches if row else 0) + 1,
            "points": (row.points if row else 0) + seat.total,
            "wins": (row.wins if row else 0.0) + (1 / winners if seat.rank == 1 else 0.0),
            "faults": (row.faults if row else 0) + seat.faults,
            "forfeits": (row.forfeits if row else 0) + seat.forfeit,
            "change": new.conservative - old.conservative,
            "changed": at,
        }
        names = {"format": format_name, "bot": seat.bot, "version": seat.version}
        if row is None or not row.latest:  # another version played last
            of = (RATINGS.c.format == format_name) & (RATINGS.c.bot == seat.bot)
            connection.execute(_OLD.where(of))
        if row is None:
            added.append({**names, **values})
        else:
            of_row = {f"of_{name}": value for name, value in names.items()}
            changed.append({**of_row, **{f"new_{name}": v for name, v in values.items()}})
    if added:
        connection.execute(_ADD, added)
    if changed:
        connection.execute(_CHANGE, changed)
    return tuple(RatingChange(old, new) for old, new in zip(before, after, strict=True))


@cache
def parameters_of(format_name: str) -> Parameters:
    """The constants of a format's ladder."""
    return Parameters(format_named(format_name).draw_probability)


def _row_of(rows: Sequence[Any], seat: SeatResult) -> Any:
    return next((row for row in rows if row.version == seat.version), None)


def _before(rows: Sequence[Any], seat: SeatResult, parameters: Parameters) -> Rating:
    """The version's own rating; that of the version before it, wider; or a newcomer's."""
    own = _row_of(rows, seat)
    if own is not None:
        return Rating(own.mu, own.sigma)
    last = next((row for row in rows if row.latest), None)
    return parameters.inherit(Rating(last.mu, last.sigma)) if last else parameters.first
