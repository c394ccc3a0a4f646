"""A database as a large server has it: filled at once, without playing."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from paddock_games import FORMATS, Chance, Match, PlayedMatch, Seated, game_of, play
from paddock_server.basics.identity import base32
from paddock_server.basics.name import skeleton
from paddock_server.referee.clock import Clock
from paddock_server.store.database import Database
from paddock_server.store.records import packed
from paddock_server.store.text import dumps

_FORMATS: Final = ("summer", "winter", "two-player")
_PATTERNS: Final = 60  # records of each format that are repeated
_CHUNK: Final = 20_000
_STAMP: Final = "2026-11-15T12:00:00.000Z"


class Sizes(NamedTuple):
    """How much is in the database."""

    bots: int
    matches: int


def fill(path: Path, sizes: Sizes) -> list[str]:
    """Fill a new database; some of its matches' ids."""
    Database(str(path)).close()
    rng = Random(1)
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("synchronous=OFF", "journal_mode=OFF", "cache_size=-400000"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("BEGIN")
    indexes = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    ).fetchall()
    for name, _ in indexes:  # made at the end they take a fraction of the time
        connection.execute(f"DROP INDEX {name}")
    names = [f"bot-{number}" for number in range(sizes.bots)]
    connection.executemany(
        "INSERT INTO bots (name, owner, token_hash, added, skeleton) VALUES (?, ?, ?, ?, ?)",
        [(name, f"owner {at % 97}", b"", _STAMP, skeleton(name)) for at, name in enumerate(names)],
    )
    patterns = {name: [_pattern(name, rng) for _ in range(_PATTERNS)] for name in _FORMATS}
    ids: list[str] = []
    for first in range(0, sizes.matches, _CHUNK):
        rows = list(_rows(rng, names, patterns, first, min(_CHUNK, sizes.matches - first)))
        connection.executemany(
            "INSERT INTO matches (number, id, format, state, opening, started, ended, results,"
            " record, rated) VALUES (?, ?, ?, 'finished', ?, ?, ?, ?, ?, ?)",
            [match for match, _ in rows],
        )
        connection.executemany(
            "INSERT INTO seats (match, seat, bot, format, version, total, rank, faults, forfeit,"
            " rated, mu_before, sigma_before, mu, sigma) VALUES"
            " (?, ?, ?, ?, '1', ?, ?, 0, 0, ?, ?, 1.2, ?, 1.2)",
            [seat for _, seats in rows for seat in seats],
        )
        ids += [match[1] for match, _ in rows[:: max(1, len(rows) // 20)]]
    connection.executemany(
        "INSERT INTO ratings (format, bot, version, latest, mu, sigma, matches, points, wins,"
        " faults, forfeits, change, changed) VALUES (?, ?, '1', 1, ?, 1.2, ?, ?, ?, 3, 0, 0.1, ?)",
        [
            (name, bot, rng.gauss(25, 5), 1000, 30_000, 250.0, _STAMP)
            for bot in names
            for name in _FORMATS
        ],
    )
    for _, sql in indexes:
        connection.execute(sql)
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    return ids


class _Pattern(NamedTuple):
    """A match that was played once and is stored many times."""

    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    record: bytes  # compressed


def _pattern(format_name: str, rng: Random) -> _Pattern:
    game, seats = game_of(format_name), FORMATS[format_name].usual_seats
    seed, nonces = rng.randbytes(32), [rng.randbytes(16)] * seats
    seated = [Seated(f"bot-{seat}", "1", "owner", nonce) for seat, nonce in enumerate(nonces)]
    rules = game.rules(None)
    match = Match("0" * 26, format_name, rules, seated, seed, started=_STAMP, ended=_STAMP)
    start = game.start(format_name, seats, rules, Chance(seed, nonces))
    steps, end = play(start, [game.brains["random"]] * seats, [rng] * seats)
    played = PlayedMatch(match, steps, end)
    return _Pattern(played.totals, played.ranks, packed(played))


def _rows(
    rng: Random, names: list[str], patterns: dict[str, list[_Pattern]], first: int, count: int
) -> Iterator[tuple[tuple[Any, ...], list[tuple[Any, ...]]]]:
    """Matches and their seats, as rows."""
    clock = Clock()._asdict()
    for number in range(first + 1, first + count + 1):
        format_name = _FORMATS[number % len(_FORMATS)]
        totals, ranks, record = patterns[format_name][number % _PATTERNS]
        bots = rng.sample(names, len(totals))
        opening = {
            "format": format_name, "rules": {}, "bots": bots, "clock": clock, "tournament": "",
            "seats": [["1", "owner", True]] * len(bots), "seed": "", "started": _STAMP,
        }  # fmt: skip
        results = [
            {"total": total, "rank": rank, "forfeit": False, "faults": 0}
            for total, rank in zip(totals, ranks, strict=True)
        ]
        match_id = base32(number, 26)
        match = (
            number, match_id, format_name, dumps(opening), _STAMP, _STAMP, dumps(results), record,
            number,
        )  # fmt: skip
        mu = 25 + rng.random()
        yield (
            match,
            [
                (number, seat, bot, format_name, totals[seat], ranks[seat], number, mu, mu + 0.1)
                for seat, bot in enumerate(bots)
            ],
        )
