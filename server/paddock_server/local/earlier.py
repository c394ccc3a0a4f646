"""The matches of an earlier run of `paddock play`, read from its database to resume it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from paddock_server.basics.errors import ServerError
from paddock_server.referee.plan import Plan
from paddock_server.referee.result import SeatResult
from paddock_server.store import store
from paddock_server.store.address import address_of
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchRow

_PAGE: Final = 200  # records that are read at once
_ANOTHER: Final = "name another database"
_OPTIONS: Final = (("format", "--format"), ("bots", "--bot"), ("rules", "--rules"),
                ("clock", "--base-ms and --bank-ms"), ("deal", "--seed"))  # fmt: skip


class OtherRun(ServerError):
    """Raised when a run can't be resumed with this database; the text says what to do."""

    reason = "run/other"


class PlayedRecord(NamedTuple):
    """A match of a run that is over: its results and its record."""

    match: str  # its id
    results: Sequence[SeatResult]  # by seat
    text: str  # the record as one line of JSON


class Earlier(NamedTuple):
    """The matches of a run that are in its database."""

    numbers: frozenset[int]  # of all of them
    over: int  # how many have a record
    records: Iterator[PlayedRecord]  # the oldest first; read as they are asked for


def nothing_earlier() -> Earlier:
    """The empty start of a run that resumes nothing."""
    return Earlier(frozenset(), 0, iter(()))


def read_earlier(
    named: str, plan_of: Callable[[int], Plan], games: int, *, resume: bool
) -> Earlier:
    """The matches in this database; OtherRun if one of them is not a match of this run."""
    address = address_of(named)
    if address.file is not None and not address.file.exists():
        if resume:
            raise OtherRun(f"database {address.shown} not found; leave --resume out to start anew")
        return nothing_earlier()
    database = Database(named)  # alone with it, and brought up to date, as the run will need it
    try:
        finished, waiting = database.look(_rows)
    finally:
        database.close()
    rows = [*finished, *waiting]
    if rows and not resume:
        raise OtherRun(
            f"{address.shown} has matches in it; add --resume to continue them, or {_ANOTHER}"
        )
    numbers = frozenset(_number(row, plan_of, address.shown) for row in rows)
    if numbers and max(numbers) > games:
        raise OtherRun(
            f"{address.shown} has match {max(numbers):,} of its run; "
            f"give --games {max(numbers)} or more, or {_ANOTHER}"
        )
    return Earlier(numbers, len(finished), _records(named))


def _rows(connection: Connection) -> tuple[list[MatchRow], list[MatchRow]]:
    """Finished matches and those to come, without the trials of bots on probation."""
    rows = store.list_matches(connection, None, 10_000_000)
    rows = [row for row in rows if not row.plan.trial]
    over = [row for row in rows if row.state == "finished"]
    return over, [row for row in rows if row.state != "finished"]


def _number(row: MatchRow, plan_of: Callable[[int], Plan], shown: str) -> int:
    """The number of a match in its run; OtherRun if it does not belong to this run."""
    if row.tournament or not row.pairing.isdecimal():
        raise OtherRun(f"{shown} has matches that paddock play did not start; {_ANOTHER}")
    number = int(row.pairing)
    expected = plan_of(number)
    for name, option in _OPTIONS:
        if getattr(row.plan, name) != getattr(expected, name):
            raise OtherRun(
                f"{shown} was started with another {option}; give the same again, or {_ANOTHER}"
            )
    return number


def _records(named: str) -> Iterator[PlayedRecord]:
    database = Database(named, reading=True)
    try:
        after = 0
        while page := database.look(store.list_records, after, _PAGE):
            for row, text in page:
                if not row.plan.trial:
                    yield PlayedRecord(row.id, row.results, text)
            after = page[-1][0].number
    finally:
        database.close()
