"""A database, opened and closed; and the plain things the tests put into it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from sqlalchemy import Connection

from paddock_games import Match, PlayedMatch, Seated, Timing, format_named, game_of, play
from paddock_server.referee.clock import Clock
from paddock_server.referee.events import Stepped
from paddock_server.referee.plan import Begun, Entrant, Plan
from paddock_server.store.database import Database
from paddock_server.store.rows import BotRow, NewMatch

T = TypeVar("T")


@contextmanager
def opened(place: str | Path, *, reading: bool = False) -> Iterator[Database]:
    """The database there, closed at the end whatever happens."""
    database = Database(str(place), reading=reading)
    try:
        yield database
    finally:
        database.close()


def write(database: Database, do: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """What this does, in a transaction of its own."""
    with database.engine.begin() as connection:
        return do(connection, *arguments, **named)


def read(database: Database, look: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """What this finds."""
    return database.look(partial(look, **named), *arguments)


def waits_for_disk(connection: Connection) -> bool:
    """Whether the transaction under way is to be on the disk before it is said to be done."""
    if connection.dialect.name == "sqlite":
        return bool(connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2)  # FULL
    return bool(connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on")


def bot(name: str = "rex", **values: Any) -> BotRow:
    """A bot of this name."""
    return BotRow(name, "ada", b"\x00\xff" * 16, "2026-11-15T12:00:00.000Z")._replace(**values)


def plan(*bots: str, form: str = "summer", **values: Any) -> Plan:
    """The plan of a match of these bots."""
    return Plan(form, game_of(form).rules(None), bots or ("rex", "ada", "bob"), Clock(), **values)


def begun(planned: Plan, started: str = "2026", version: str = "") -> Begun:
    """The same match when it begins."""
    entrants = tuple(Entrant(bot, version, "ada", sends_nonces=False) for bot in planned.bots)
    return Begun(entrants, "0f" * 32, started)


def new_match(name: str = "M1", *bots: str, **values: Any) -> NewMatch:
    """A match of these bots that is to be played."""
    return NewMatch(name, plan(*bots, **values))


def stepped(step: int) -> Stepped:
    """An event that can be told from others by its step."""
    return Stepped(
        step=step,
        choices=[step],
        timings=[Timing(1.25, 0.5, "TIMEOUT", 0.75, "no idea")],
        banks=[0.1 + step],
        in_a_row=[1],
        forfeits=[None],
    )


def played_match(form: str = "summer", **values: Any) -> PlayedMatch:
    """A match that was played, with these values of its `Match`."""
    played = _played(form)
    return played._replace(match=played.match._replace(**values))


@cache
def _played(form: str) -> PlayedMatch:
    game, seats = game_of(form), format_named(form).usual_seats
    seated = [Seated(f"bot-{seat}", "1", "Zoë 漢字", bytes(16)) for seat in range(seats)]
    match = Match("M1", form, game.rules(None), seated, bytes(32))
    brains, rngs = [game.brains["random"]] * seats, [Random(1)] * seats
    return PlayedMatch(match, *play(match.start(), brains, rngs))


def count(connection: Connection, table: str) -> int:
    """How many rows a table has."""
    return int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())  # noqa: S608
