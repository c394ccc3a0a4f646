"""The audit of a database after bad days: records, results and ladders, whatever happened."""

from collections.abc import Collection, Iterator

from paddock_games import BadRecord, read_record, verify
from paddock_server.store import ratings, store
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchRow, RatingRow


def stored_problems(
    database: Database, honest: Collection[str], clumsy: Collection[str] = ()
) -> Iterator[str]:
    """Every promise that the database shows to be broken; its ladders are rated again.

    `honest` are the bots that may have no fault, `clumsy` those that may have fallbacks.
    """
    for left in database.look(store.unfinished):
        yield f"match {left.row.id} is not over"
    for row, text in database.look(store.list_records, 0, 1_000_000):
        try:
            verify(read_record(text.encode()))
        except BadRecord as problem:
            yield f"the record of {row.id} does not verify: {problem}"
        yield from _blamed(row, honest, clumsy)
    yield from _rated_otherwise(database)


def _blamed(row: MatchRow, honest: Collection[str], clumsy: Collection[str]) -> Iterator[str]:
    for seat in row.results:
        if seat.bot in honest and (seat.faults or seat.forfeit):
            yield f"{seat.bot} was blamed for {seat.faults} faults in {row.id}"
        if seat.fallbacks and seat.bot not in clumsy:
            yield f"{seat.bot} fell back in {row.id}"


def _rated_otherwise(database: Database) -> Iterator[str]:
    """Ratings that are not what all matches, rated again in their order, give."""
    before = database.look(ratings.standings)
    for format_name in sorted({row.format for row in before}):
        again = database.write(lambda connection: _rate_again(connection, format_name))  # noqa: B023
        was = [row for row in before if row.format == format_name]
        if again != was:
            yield f"the ladder of {format_name} is not what its matches give"


def _rate_again(connection: Connection, format_name: str) -> list[RatingRow]:
    ratings.rate_again(connection, format_name, 0)
    return ratings.standings(connection, format_name)
