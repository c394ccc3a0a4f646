"""Matches of a ladder, as short as they can be: who sat where, and how it ended."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from paddock_ladder.doubt import REMEMBERED, Showing, believed, idled, surprise
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.update import rate
from paddock_server.referee.result import SeatResult
from paddock_server.store import ratings, results, store
from paddock_server.store.database import Database
from paddock_server.store.epochs import constants_of
from paddock_server.store.rows import EndRow, NewMatch, RatingChange, RatingRow
from tests.store.opened import begun, count, plan, played_match, read, write

FORMAT = "summer"
SUMMER = constants_of(FORMAT)
BOTS = ("ada", "bob", "cleo", "dan", "eve")


class Played(NamedTuple):
    """A finished match."""

    bots: Sequence[str]
    ranks: Sequence[int]
    versions: Sequence[str]
    format: str = FORMAT

    @property
    def totals(self) -> list[int]:
        return [40 - 3 * rank for rank in self.ranks]


def ended(at: int) -> str:
    """When the match of this number was over."""
    return f"2026-11-16T{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.000Z"


def add(database: Database, match: Played, id: str = "", **values: Any) -> int:  # noqa: A002
    """Have it waiting; its number."""
    name = f"M{read(database, count, 'matches')}"
    planned = plan(*match.bots, form=match.format, **values)
    new = NewMatch(id or name, planned, begun(planned))
    (number,) = write(database, store.add_matches, [new])
    return number


def end_of(number: int, match: Played, *, rated: bool = True) -> EndRow:
    """Its end; whoever is third has forfeited."""
    how = [
        SeatResult(bot, version, total, rank, forfeit=rank == 3, faults=rank - 1, fallbacks=rank)
        for bot, version, total, rank in zip(
            match.bots, match.versions, match.totals, match.ranks, strict=True
        )
    ]
    return EndRow(number, played_match(match.format, ended=ended(number)), how, rated)


def finish(
    database: Database, number: int, match: Played, *, rated: bool = True
) -> tuple[RatingChange, ...] | None:
    """Finish it."""
    _, how_played, how, _ = end_of(number, match)
    return write(database, results.finish, number, how_played, how, rated=rated)


def played(database: Database, *matches: Played) -> list[int]:
    """Add and finish rated matches; their numbers."""
    numbers = []
    for match in matches:
        numbers.append(add(database, match))
        assert finish(database, numbers[-1], match) is not None
    return numbers


def some_matches(size: int, seed: int, *, formats: Sequence[str] = (FORMAT,)) -> list[Played]:
    """Matches at random: tables of two to five, ties, versions that change now and then."""
    rng = Random(seed)
    found = []
    for at in range(size):
        bots = rng.sample(BOTS, rng.randint(2, 5))
        points = [rng.randint(1, 3) for _ in bots]
        ranks = [1 + sum(other > mine for other in points) for mine in points]
        versions = [str(1 + at // 8) if bot < "c" else "1" for bot in bots]
        found.append(Played(bots, ranks, versions, rng.choice(formats)))
    return found


def by_hand(
    matches: Sequence[Played], numbers: Sequence[int], parameters: Parameters = SUMMER
) -> dict[tuple[str, str], Rating]:
    """The ratings of every bot and version, from the rule alone; every bot has its own owner."""
    rated: dict[tuple[str, str], Rating] = {}
    last: dict[str, tuple[str, int]] = {}  # the version, and when it played
    met: dict[str, list[dict[str, float]]] = {bot: [] for bot in BOTS}
    for match, number in zip(matches, numbers, strict=True):
        keys = list(zip(match.bots, match.versions, strict=True))
        before = []
        for bot, version in keys:
            if bot not in last:
                before.append(parameters.first)
                continue
            old, when = last[bot]
            rating = idled(rated[bot, old], number - when, parameters)
            before.append(rating if old == version else parameters.inherit(rating))
        after = rate(before, list(match.ranks), parameters)
        for seat, key in enumerate(keys):
            others = [bot for bot in match.bots if bot != key[0]]
            lately = met[key[0]][-REMEMBERED:]
            excess = []
            for other in others:
                by_other = sum(table.get(other, 0.0) for table in lately)
                elsewhere = sum(len(table) - (other in table) for table in lately)
                excess.append(max(0.0, abs(by_other) - elsewhere))
            alone = len({*last, *match.bots}) <= 2  # there is nobody else to deceive
            part = 1.0 if alone else (1 + sum(excess) / len(excess)) ** -6
            rated[key] = believed(before[seat], after[seat], part)
        for seat, bot in enumerate(match.bots):
            showings = [Showing(*one) for one in zip(match.ranks, before, strict=True)]
            met[bot].append(
                {
                    other: surprise(showings[seat], theirs, parameters)
                    for other, theirs in zip(match.bots, showings, strict=True)
                    if other != bot
                }
            )
        last.update((bot, (version, number)) for bot, version in keys)
    return rated


def shown(database: Database, format_name: str = FORMAT) -> dict[str, RatingRow]:
    """The standings, by bot."""
    return {row.bot: row for row in read(database, ratings.standings, format_name)}
