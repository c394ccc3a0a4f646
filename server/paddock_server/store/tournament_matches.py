"""The matches of a tournament in the store: what is over and what is alive."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    func,
    literal_column,
    select,
    update,
)

from paddock_ladder.schedules import Outcome, Pairing
from paddock_server.referee.plan import Deal
from paddock_server.referee.result import SeatResult
from paddock_server.store.match_json import DEALT, read_deal, read_results
from paddock_server.store.schema import JOURNAL, MATCHES, SEATS

_CHUNK = 1000
OVER = ("finished", "declared")


# The state of a match, for queries of one tournament. It is an expression, so that the database
# uses the index of tournaments and not the index of states.
STATE = MATCHES.c.state.concat("")


# The deal comes first in a journal, or after the digests of the nonces.
_IS_DEAL = and_(JOURNAL.c.position <= 1, JOURNAL.c.event.startswith(DEALT))


# Leaves out voided matches that another match replaces: their keys have a ~ (see set_aside).
COUNTS = MATCHES.c.pairing.not_like("%~%")


def of_tournament(name: str) -> ColumnElement[bool]:
    """The condition that a match is of this tournament; it fits the index of tournaments."""
    return and_(MATCHES.c.tournament == name, MATCHES.c.tournament != literal_column("''"))


class MatchKey(NamedTuple):
    """The number and the id of a match; numbers are in order of time."""

    number: int
    id: str


class PairingRow(NamedTuple):
    """A match of a tournament that is not over."""

    key: str
    block: str
    match_id: str
    number: int
    format: str
    bots: tuple[str, ...]
    deal: Deal | None  # None: it is not dealt yet


class FallbacksRow(NamedTuple):
    """The number of fallbacks of a bot in one format of a tournament."""

    format: str
    bot: str
    fallbacks: int


def count_over(connection: Connection, name: str) -> int:
    """How many matches of a tournament are over."""
    query = select(func.count()).where(of_tournament(name), STATE.in_(OVER), COUNTS)
    return int(connection.execute(query).scalar_one())


def count_declared(connection: Connection, name: str) -> int:
    """How many matches of a tournament were declared."""
    query = select(func.count()).where(of_tournament(name), STATE == "declared", COUNTS)
    return int(connection.execute(query).scalar_one())


def outcomes(connection: Connection, name: str) -> list[Outcome]:
    """The matches of a tournament that are over and count."""
    seats = _seats(connection, name, OVER)
    query = (
        select(
            MATCHES.c.number, MATCHES.c.pairing, MATCHES.c.format, MATCHES.c.block,
            MATCHES.c.round, MATCHES.c.state, MATCHES.c.results,
        )
        .where(of_tournament(name), STATE.in_(OVER), COUNTS)
        .order_by(MATCHES.c.number)
    )  # fmt: skip
    outcomes = []
    for row in connection.execute(query):
        bots = tuple(seats[row.number])
        pairing = Pairing(row.pairing, row.format, bots, row.block, row.round)
        results = read_results(row.results, bots)
        outcomes.append(outcome_of(pairing, results, declared=row.state == "declared"))
    return outcomes


def outcome_of(
    pairing: Pairing, results: Sequence[SeatResult], *, declared: bool = False
) -> Outcome:
    """The outcome of a pairing with these results by seat."""
    forfeits = tuple(result.forfeit for result in results)
    return Outcome(
        key=pairing.key,
        format=pairing.format,
        bots=pairing.bots,
        ranks=tuple(result.rank for result in results),
        totals=tuple(result.total for result in results),
        block=pairing.block,
        round=pairing.round,
        declared=declared,
        forfeits=forfeits if any(forfeits) and not declared else (),
    )


def fallbacks(connection: Connection, name: str) -> list[FallbacksRow]:
    """The fallbacks of every bot in the matches of a tournament that are over and count."""
    query = (
        select(MATCHES.c.format, SEATS.c.bot, func.sum(SEATS.c.fallbacks))
        .join(MATCHES, MATCHES.c.number == SEATS.c.match)
        .where(of_tournament(name), STATE.in_(OVER), COUNTS)
        .group_by(MATCHES.c.format, SEATS.c.bot)
    )
    return [FallbacksRow(row[0], row[1], int(row[2])) for row in connection.execute(query)]


def declared_seats(outcome: Outcome) -> list[SeatResult]:
    """The results of a declared match by seat; if all share a place, all bots were away."""
    away = 1 if max(outcome.ranks) == 1 else 2
    return [
        SeatResult(bot, "", total=0, rank=rank, forfeit=rank >= away, faults=0)
        for bot, rank in zip(outcome.bots, outcome.ranks, strict=True)
    ]


def pairings(connection: Connection, name: str, *, stuck: bool = False) -> list[PairingRow]:
    """The matches of a tournament that wait or are open; with `stuck`, also those set aside."""
    alive = ("waiting", "open", "stuck") if stuck else ("waiting", "open")
    seats = _seats(connection, name, alive)
    query = (
        select(
            MATCHES.c.pairing, MATCHES.c.block, MATCHES.c.id, MATCHES.c.number, MATCHES.c.format,
            MATCHES.c.opening, JOURNAL.c.event,
        )
        .outerjoin(JOURNAL, (JOURNAL.c.match == MATCHES.c.number) & _IS_DEAL)
        .where(of_tournament(name), STATE.in_(alive))
        .order_by(MATCHES.c.number)
    )  # fmt: skip
    return [
        PairingRow(
            key=row.pairing,
            block=row.block,
            match_id=row.id,
            number=row.number,
            format=row.format,
            bots=tuple(seats[row.number]),
            deal=read_deal(row.opening, row.event) if row.event else None,
        )
        for row in connection.execute(query)
    ]


def last_tables(connection: Connection, name: str, limit: int) -> list[tuple[str, ...]]:
    """Who sat together in the last matches of a tournament, the earliest of them first."""
    last = (
        select(MATCHES.c.number)
        .where(of_tournament(name))
        .order_by(MATCHES.c.number.desc())
        .limit(limit)
    )
    query = (
        select(SEATS.c.match, SEATS.c.bot)
        .where(SEATS.c.match.in_(last))
        .order_by(SEATS.c.match, SEATS.c.seat)
    )
    rows = connection.execute(query).all()
    return [tuple(bot for _, bot in some) for _, some in groupby(rows, key=itemgetter(0))]


def remove_waiting(connection: Connection, name: str, only: Collection[int] | None = None) -> None:
    """Delete the matches of a tournament that have not begun: all, or only these numbers."""
    waiting = select(MATCHES.c.number).where(of_tournament(name), STATE == "waiting")
    numbers = connection.execute(waiting).scalars().all()
    if only is not None:
        numbers = sorted(set(numbers).intersection(only))
    for first in range(0, len(numbers), _CHUNK):  # the number of values in a statement is limited
        some = numbers[first : first + _CHUNK]
        connection.execute(delete(SEATS).where(SEATS.c.match.in_(some)))
        connection.execute(delete(MATCHES).where(MATCHES.c.number.in_(some)))


def rounds_begun(connection: Connection, name: str) -> dict[str, int]:
    """The last round of each format that has a match."""
    query = (
        select(MATCHES.c.format, func.max(MATCHES.c.round))
        .where(of_tournament(name))
        .group_by(MATCHES.c.format)
    )
    return {row.format: int(row[1]) for row in connection.execute(query)}


def set_aside(connection: Connection, number: int) -> None:
    """Rename the key of a voided match, so that another match of its tournament can have it."""
    row = connection.execute(
        select(MATCHES.c.tournament, MATCHES.c.pairing).where(MATCHES.c.number == number)
    ).one()
    before = select(func.count()).where(
        of_tournament(row.tournament), MATCHES.c.pairing.startswith(f"{row.pairing}~")
    )
    place = connection.execute(before).scalar_one() + 1
    connection.execute(
        update(MATCHES).where(MATCHES.c.number == number).values(pairing=f"{row.pairing}~{place}")
    )


def all_matches(connection: Connection, name: str) -> list[MatchKey]:
    """The matches of a tournament in any state, the newest first."""
    query = (
        select(MATCHES.c.number, MATCHES.c.id)
        .where(of_tournament(name))
        .order_by(MATCHES.c.number.desc())
    )
    return [MatchKey(*row) for row in connection.execute(query)]


def entrants(connection: Connection, name: str) -> set[str]:
    """The bots that have a seat in a match of a tournament."""
    query = (
        select(SEATS.c.bot)
        .join(MATCHES, MATCHES.c.number == SEATS.c.match)
        .where(of_tournament(name))
        .distinct()
    )
    return set(connection.execute(query).scalars())


def finished_ids(connection: Connection, name: str) -> Iterator[str]:
    """The ids of the matches of a tournament that have a record."""
    query = (
        select(MATCHES.c.id)
        .where(of_tournament(name), STATE == "finished")
        .order_by(MATCHES.c.number)
    )
    return iter(connection.execute(query).scalars())


def _seats(connection: Connection, name: str, states: Sequence[str]) -> dict[int, list[str]]:
    query = (
        select(SEATS.c.match, SEATS.c.bot)
        .join(MATCHES, MATCHES.c.number == SEATS.c.match)
        .where(of_tournament(name), STATE.in_(states))
        .order_by(SEATS.c.match, SEATS.c.seat)
    )
    bots: dict[int, list[str]] = {}
    for number, bot in connection.execute(query):
        bots.setdefault(number, []).append(bot)
    return bots
