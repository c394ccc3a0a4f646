"""A long history for a database: many rated matches of many bots, put there all at once.

Every match has the record, the opening and the results of a real one, so rows are as large as they
will be; the bots at a table change from match to match. It is the database itself that makes the
rows, and its indexes are built when they are there, so a million matches take a minute.
"""

import sqlite3
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import event, text

from paddock_games import FORMATS, Match, PlayedMatch, Seated, game_of
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_server.referee.clock import Clock, Moment
from paddock_server.referee.commands import Ask, Command, Finish, Write
from paddock_server.referee.events import Event
from paddock_server.referee.opening import Opening
from paddock_server.referee.plan import Begun, Entrant, Plan
from paddock_server.referee.referee import Referee
from paddock_server.referee.result import SeatResult
from paddock_server.store.address import address_of
from paddock_server.store.database import Database
from paddock_server.store.match_json import opening_text, results_text
from paddock_server.store.records import packed
from paddock_server.store.schema import MATCHES, SEATS

FORMAT: Final = "winter"
SEATS_EACH: Final = FORMATS[FORMAT].usual_seats
ENDED: Final = "2026-11-16T12:00:00.000Z"
_NOW: Final = Moment(0.0, 0.0)

_NUMBERS: Final = """
    WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < :matches)
"""
_MATCHES: Final = f"""
    INSERT INTO matches (number, id, format, state, opening, started, ended, results, record, rated)
    {_NUMBERS}
    SELECT i, 'H' || CAST(i AS TEXT), :format, 'finished', :opening, :at, :at, :results, :record, i
    FROM numbers
"""  # noqa: S608 -- nothing of it comes from outside
# The last of the four is far from the others, so that everybody meets everybody.
_SEATS: Final = f"""
    INSERT INTO seats (match, seat, bot, format, version, total, rank, faults, forfeit, rated,
        mu_before, sigma_before, mu, sigma)
    {_NUMBERS}, places(s) AS (SELECT 0 UNION ALL SELECT s + 1 FROM places WHERE s < :seats - 1)
    SELECT i, s, 'bot-' || CAST((i + s + (i / :bots) * (s / 3)) % :bots AS TEXT), :format, '1',
        30 - s, s + 1, 0, 0, i, 25.0, 2.0, 25.1, 1.9
    FROM numbers CROSS JOIN places
"""  # noqa: S608
_RATINGS: Final = f"""
    INSERT INTO ratings (format, bot, version, latest, mu, sigma, matches, points, wins, faults,
        forfeits, change, changed)
    {_NUMBERS}
    SELECT :format, 'bot-' || CAST(i - 1 AS TEXT), '1', 1, 25.0, 2.0, 100, 3000, 25.0, 0, 0, 0.1,
        :at
    FROM numbers
"""  # noqa: S608


class Sample:
    """A match as it is stored, played to its end by a referee: all that a server writes of it."""

    def __init__(self, bots: Sequence[str]) -> None:
        seats = [Seated(bot, "1", "ada", NO_NONCE) for bot in bots]
        rules = game_of(FORMAT).rules(None)
        match = Match("0" * 26, FORMAT, rules, seats, bytes(SEED_BYTES))
        self.plan = Plan(FORMAT, rules, tuple(bots), Clock(), rated=True)
        entrants = tuple(Entrant(bot, "1", "ada", sends_nonces=False) for bot in bots)
        self.begun = Begun(entrants, bytes(SEED_BYTES).hex(), ENDED)
        self.events: list[Event] = []
        self.decisions = 0
        self.played: PlayedMatch
        self.results: Sequence[SeatResult] = ()
        self._referee = Referee(Opening(1, match, Clock(), (False,) * len(bots)))
        waiting = deque(self._referee.open(_NOW))
        while waiting:
            waiting.extend(self._answer(waiting.popleft()))

    def _answer(self, command: Command) -> list[Command]:
        match command:
            case Ask(seat, ask_id, legal=legal):
                self.decisions += 1
                number = self.decisions % len(legal)  # a little of everything
                return self._referee.choice(seat, ask_id, number, _NOW, 0.0)
            case Write(event):
                self.events.append(event)
                return self._referee.written(_NOW)
            case Finish(played, results):
                self.played = played._replace(match=played.match._replace(ended=ENDED))
                self.results = results
        return []


def fill(named: str, matches: int, bots: int) -> None:
    """Make a database with so many rated matches of so many bots."""
    Database(named).close()
    sample = Sample([f"bot-{seat}" for seat in range(SEATS_EACH)])
    values = {
        "format": FORMAT,
        "at": ENDED,
        "opening": opening_text(sample.plan, sample.begun),
        "results": results_text(sample.results),
        "record": packed(sample.played),
        "bots": bots,
        "seats": SEATS_EACH,
    }
    indexes = [index for table in (MATCHES, SEATS) for index in table.indexes]
    engine = address_of(named).engine()
    event.listen(engine, "connect", _hurry)
    with engine.begin() as connection:
        for index in indexes:
            index.drop(connection)
        connection.execute(text(_MATCHES), {**values, "matches": matches})
        connection.execute(text(_SEATS), {**values, "matches": matches})
        connection.execute(text(_RATINGS), {**values, "matches": bots})
        for index in indexes:
            index.create(connection)
        if connection.dialect.name == "postgresql":  # which does both by itself in time
            last = "SELECT setval('matches_number_seq', max(number)) FROM matches"
            connection.exec_driver_sql(last)
            connection.exec_driver_sql("ANALYZE")
    engine.dispose()


def _hurry(connection: Any, _record: object) -> None:
    """SQLite: nothing has to survive while it is being made."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA journal_mode=OFF")
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA cache_size=-262144")
