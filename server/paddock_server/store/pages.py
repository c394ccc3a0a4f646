"""Queries of the pages: small and indexed, so that their cost does not grow with the store."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, TextClause, case, func, literal_column, select, text

from paddock_ladder.rating import Rating
from paddock_server.referee.plan import Plan
from paddock_server.store.match_json import read_opening
from paddock_server.store.records import unpacked
from paddock_server.store.schema import BOTS, MATCHES, RATINGS, SEATS
from paddock_server.store.tournament_matches import COUNTS, of_tournament

_OVER = ("finished", "declared")
_UNION = 100  # parts of a statement; SQLite takes 500


class Counts(NamedTuple):
    """The numbers of bots and of matches by state."""

    bots: int
    finished: int
    open: int
    waiting: int


class RatedStep(NamedTuple):
    """The change of a bot's rating in one match."""

    format: str
    before: Rating
    after: Rating


class SeatRow(NamedTuple):
    """A seat of a bot in a match that is over and counts."""

    number: int  # of the match
    match_id: str
    ended: str
    format: str
    seat: int
    seats: int
    total: int
    rank: int
    faults: int
    forfeit: bool


class KeptRecord(NamedTuple):
    """A record, with the plan and block that decide whether it may be shown."""

    match_id: str
    tournament: str
    block: str
    plan: Plan
    record: str  # JSON


class BlockRow(NamedTuple):
    """A block of a tournament."""

    block: str
    format: str
    round: int
    over: int
    stored: int  # of its matches: later ones are stored when its deal is known
    plan: Plan  # of its first match


def counts(connection: Connection) -> Counts:
    """The numbers of bots and of matches by state."""
    by_state: dict[str, int] = dict(
        connection.execute(select(MATCHES.c.state, func.count()).group_by(MATCHES.c.state))
        .tuples()
        .all()
    )
    bots = connection.execute(select(func.count()).select_from(BOTS)).scalar_one()
    return Counts(
        bots, by_state.get("finished", 0), by_state.get("open", 0), by_state.get("waiting", 0)
    )


def count_rated(connection: Connection) -> dict[str, int]:
    """The number of bots on each format's ladder; formats without rated bots are left out."""
    query = (
        select(RATINGS.c.format, func.count())
        .where(RATINGS.c.latest == literal_column("1"))
        .group_by(RATINGS.c.format)
    )
    return dict(connection.execute(query).tuples().all())


def ratings_of(connection: Connection, bots: Sequence[str]) -> dict[str, dict[str, Rating]]:
    """The ratings of these bots by bot and format, of the version that played last."""
    query = select(RATINGS.c.bot, RATINGS.c.format, RATINGS.c.mu, RATINGS.c.sigma).where(
        RATINGS.c.bot.in_(bots), RATINGS.c.latest == literal_column("1")
    )
    ratings: dict[str, dict[str, Rating]] = {bot: {} for bot in bots}
    for bot, format_name, mu, sigma in connection.execute(query):
        ratings[bot][format_name] = Rating(mu, sigma)
    return ratings


@cache
def _last_rated(bots: int, one_format: bool) -> TextClause:
    """One statement for this number of bots: a union with one short walk along an index per bot."""
    where, order = "rated IS NOT NULL", "match"
    if one_format:
        where, order = "format = :format AND rated IS NOT NULL", "rated"
    parts = [
        f"SELECT * FROM (SELECT bot, format, mu_before, sigma_before, mu, sigma FROM seats"  # noqa: S608 -- numbers only
        f" WHERE bot = :bot{number} AND {where} ORDER BY {order} DESC LIMIT :count) AS part{number}"
        for number in range(bots)
    ]
    return text(" UNION ALL ".join(parts))


def last_rated(
    connection: Connection, bots: Sequence[str], format_name: str, count: int
) -> dict[str, list[RatedStep]]:
    """The last rated matches of each of these bots, the newest first; no format: of all."""
    steps: dict[str, list[RatedStep]] = {bot: [] for bot in bots}
    for first in range(0, len(bots), _UNION):
        some = bots[first : first + _UNION]
        values: dict[str, Any] = {f"bot{number}": bot for number, bot in enumerate(some)}
        if format_name:
            values["format"] = format_name
        query = _last_rated(len(some), bool(format_name))
        for bot, of, mu_before, sigma_before, mu, sigma in connection.execute(
            query, {**values, "count": count}
        ):
            steps[bot].append(RatedStep(of, Rating(mu_before, sigma_before), Rating(mu, sigma)))
    return steps


def last_seats(connection: Connection, bot: str, limit: int, tournament: str = "") -> list[SeatRow]:
    """The bot's last matches that are over and count, the newest first; all, or a tournament's."""
    table = SEATS.alias("table")
    seats = select(func.count()).where(table.c.match == SEATS.c.match).scalar_subquery()
    query = (
        select(
            SEATS.c.match.label("number"), MATCHES.c.id.label("match_id"), MATCHES.c.ended,
            SEATS.c.format, SEATS.c.seat, seats.label("seats"), SEATS.c.total, SEATS.c.rank,
            SEATS.c.faults, SEATS.c.forfeit,
        )
        .join(MATCHES, MATCHES.c.number == SEATS.c.match)
        .where(SEATS.c.bot == bot, SEATS.c.total.is_not(None), MATCHES.c.void == "")
        .order_by(SEATS.c.match.desc())
        .limit(limit)
    )  # fmt: skip
    if tournament:
        query = query.where(of_tournament(tournament))
    rows = connection.execute(query).mappings()
    return [SeatRow(**{**row, "forfeit": bool(row["forfeit"])}) for row in rows]


def records_of(connection: Connection, numbers: Iterable[int]) -> list[KeptRecord]:
    """The records of these matches, the newest first."""
    query = (
        select(
            MATCHES.c.id, MATCHES.c.tournament, MATCHES.c.block, MATCHES.c.opening, MATCHES.c.record
        )
        .where(MATCHES.c.number.in_(list(numbers)), MATCHES.c.state == "finished")
        .order_by(MATCHES.c.number.desc())
    )
    return [
        KeptRecord(*row[:3], read_opening(row.opening).plan, unpacked(row.record))
        for row in connection.execute(query)
    ]


def blocks(connection: Connection, tournament: str, limit: int, offset: int) -> list[BlockRow]:
    """The blocks of a tournament, the newest first."""
    grouped = (
        select(
            MATCHES.c.block,
            func.min(MATCHES.c.number).label("first"),
            func.count().label("stored"),
            func.sum(case((MATCHES.c.state.in_(_OVER), 1), else_=0)).label("over"),
        )
        .where(MATCHES.c.tournament == tournament, MATCHES.c.block != "", COUNTS)
        .group_by(MATCHES.c.block)
        .order_by(func.min(MATCHES.c.number).desc())
        .limit(limit)
        .offset(offset)
        .subquery()
    )
    query = (
        select(grouped, MATCHES.c.format, MATCHES.c.round, MATCHES.c.opening)
        .join(MATCHES, MATCHES.c.number == grouped.c.first)
        .order_by(grouped.c.first.desc())
    )
    return [
        BlockRow(
            block=row.block,
            format=row.format,
            round=row.round,
            over=row.over,
            stored=row.stored,
            plan=read_opening(row.opening).plan,
        )
        for row in connection.execute(query)
    ]


def count_over(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    """How many matches of each of these tournaments are over."""
    query = (
        select(MATCHES.c.tournament, func.count())
        .where(MATCHES.c.tournament.in_(names), MATCHES.c.state.in_(_OVER), COUNTS)
        .group_by(MATCHES.c.tournament)
    )
    return dict(connection.execute(query).tuples().all())


def count_blocks(connection: Connection, tournament: str) -> int:
    """How many blocks of a tournament have begun."""
    query = select(func.count(MATCHES.c.block.distinct())).where(
        MATCHES.c.tournament == tournament, MATCHES.c.block != "", COUNTS
    )
    return int(connection.execute(query).scalar_one())
