"""Ratings from a format's whole history at once, in no order; kept beside the live ones."""

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection

from paddock_ladder.history import Progress, rate_history
from paddock_ladder.rating import Rating
from paddock_server.standings import Line, table
from paddock_server.store import ratings
from paddock_server.store.database import Database
from paddock_server.store.results import parameters_of


class Recomputed(NamedTuple):
    """The live standings, and what the whole history says of the same bots."""

    lines: list[Line]
    whole: dict[tuple[str, str], Rating]  # by bot and version

    def of(self, line: Line) -> Rating | None:
        """What the whole history says of a bot."""
        return self.whole.get((line.row.bot, line.row.version))

    def keep(self, database: Database, format_name: str) -> None:
        """Have it shown beside the live ratings from now on."""
        if self.whole:
            database.write(
                lambda connection: ratings.set_whole(connection, format_name, self.whole)
            )


def recompute(
    database: Database,
    format_name: str,
    *,
    read: Callable[[int, int], None],
    tell: Callable[[Progress], None],
) -> Recomputed:
    """Rate the whole history of a format; `read` and `tell` hear how far that is."""
    found = database.look(_whole, format_name, read, tell)
    return Recomputed(database.look(table, format_name), found)


def _whole(
    connection: Connection,
    format_name: str,
    read: Callable[[int, int], None],
    tell: Callable[[Progress], None],
) -> dict[tuple[str, str], Rating]:
    """By bot and version: each version has a strength of its own."""
    count = ratings.count_rated(connection, format_name)
    played = []
    for number, (_, _, _, seats) in enumerate(ratings.rated_matches(connection, format_name)):
        names = [f"{seat.bot}\n{seat.version}" for seat in seats]
        played.append((names, [seat.rank for seat in seats]))
        read(number + 1, count)
    found = rate_history(played, parameters_of(format_name), tell)
    return {_split(name): rating for name, rating in found.items()}


def _split(name: str) -> tuple[str, str]:
    bot, _, version = name.partition("\n")
    return bot, version
