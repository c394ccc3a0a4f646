"""The ladders as values: for the command line, the wire and the page alike."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Connection

from paddock_games import format_named
from paddock_ladder.duel import Duel, Meeting, duel
from paddock_ladder.overall import overall
from paddock_ladder.rating import Parameters
from paddock_ladder.standing import LEVEL, Entry, Standing, standings
from paddock_server.identity import stamp_of
from paddock_server.store import ratings
from paddock_server.store.ratings import RatingRow

OVERALL: Final = "overall"
"""The table of all formats together."""

_IDLE: Final = timedelta(days=14)


class Line(NamedTuple):
    """A line of the standings, and what it was made from."""

    standing: Standing
    row: RatingRow


def table(connection: Connection, format_name: str, level: float = LEVEL) -> list[Line]:
    """The standings of a format, or of all together, the best first."""
    if format_name != OVERALL:
        format_named(format_name)  # refuses unknown ones
        rows = ratings.standings(connection, format_name)
    else:
        rows = _together(ratings.standings(connection))
    idle_before = stamp_of(datetime.now(UTC) - _IDLE)
    by_bot = {row.bot: row for row in rows}
    entries = [
        Entry(
            row.bot, row.rating, row.matches, row.points, row.wins, row.faults, row.change,
            row.changed < idle_before,
        )
        for row in rows
    ]  # fmt: skip
    return [Line(line, by_bot[line.entry.bot]) for line in standings(entries, level)]


def _together(rows: Sequence[RatingRow]) -> list[RatingRow]:
    by_bot: dict[str, list[RatingRow]] = {}
    for row in rows:
        by_bot.setdefault(row.bot, []).append(row)
    made = []
    for some in by_bot.values():
        last = max(some, key=lambda row: row.changed)
        rating = overall({row.format: row.rating for row in some}, Parameters(0.0))
        made.append(
            last._replace(
                format=OVERALL,
                rating=rating,
                matches=sum(row.matches for row in some),
                points=sum(row.points for row in some),
                wins=sum(row.wins for row in some),
                faults=sum(row.faults for row in some),
                fallbacks=sum(row.fallbacks for row in some),
                forfeits=sum(row.forfeits for row in some),
                whole=None,
            )
        )
    return made


def head_to_head(connection: Connection, bot: str, other: str, format_name: str) -> Duel:
    """Two bots in the matches that both played."""
    format_named(format_name)
    met = ratings.meetings(connection, bot, other, format_name)
    return duel([Meeting(each.points[0], each.points[1], each.block) for each in met])
