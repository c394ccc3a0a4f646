"""Work for the database: pieces that are done in one transaction, and how each of them came out.

If the connection was cut before the commit, the group was not written: it is done again at once, on
a new connection. If a group fails for another reason, each of its pieces is done alone, so that
only those at fault fail; if the database is gone, all fail.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection

from paddock_server.store.transaction import CutOff, Transactions

T = TypeVar("T")


class Together(NamedTuple):
    """Work that is done in one call with others of its kind that wait next to it.

    `do` gets the items of all of them, and returns a result for each.
    """

    do: Callable[[Connection, Sequence[Any]], Sequence[Any]]
    item: Any


class Work(NamedTuple):
    """A piece of work, and who hears of its outcome."""

    do: Callable[[Connection], Any] | Together
    done: Callable[[Any], None]  # called on the event loop with the result
    failed: Callable[[Exception], None] | None  # likewise; None: it is tried again
    sync: bool
    apart: bool = False  # whether it may wait for other nodes
    brief: bool = False  # whether it may be done at once, on the event loop
    rejected: Callable[[Exception], None] | None = None  # called after the last rejection
    tries: int = 1  # rejections until then


class Outcome(NamedTuple):
    """The outcome of a piece of work."""

    result: Any
    problem: Exception | None = None


class Done(NamedTuple):
    """Work that was committed, or failed."""

    group: Sequence[Work]
    outcomes: Sequence[Outcome]
    sync: Callable[[], None]  # waits until it is on the disk


def commit(transactions: Transactions, do: Callable[[Connection], T], *, sync: bool) -> T:
    """The result of this work, done in a transaction; on a new connection if the first was cut."""
    try:
        return transactions.run(do, sync=sync)
    except CutOff:
        try:
            return transactions.run(do, sync=sync)
        except CutOff as again:
            raise again.problem from None


def done_by(transactions: Transactions, group: Sequence[Work]) -> Done:
    """This work, done in a transaction, or several."""
    return Done(group, outcomes(transactions, group), transactions.sync)


def done_at_once(transactions: Transactions, work: Work) -> Done | None:
    """This work, done without a wait; None: it was not done, and whoever can wait is to do it."""
    try:
        results = transactions.run_at_once(lambda connection: _results(connection, [work]))
    except Exception:  # noqa: BLE001 -- who does it then sees what is wrong, and says so
        return None
    return Done([work], [Outcome(result) for result in results], transactions.sync)


def outcomes(transactions: Transactions, group: Sequence[Work]) -> list[Outcome]:
    """How each of these pieces came out, done in a transaction, or several."""
    try:
        results = commit(
            transactions,
            lambda connection: _results(connection, group),
            sync=False,
        )
    except Exception as problem:  # noqa: BLE001 -- whoever waits must hear of any problem
        if len(group) > 1 and not transactions.lost:
            return [outcome for work in group for outcome in outcomes(transactions, [work])]
        return [Outcome(None, problem)] * len(group)
    return [Outcome(result) for result in results]


def _results(connection: Connection, group: Sequence[Work]) -> list[Any]:
    """The result of every piece of work; what is done together is done in one call."""
    results: list[Any] = []
    for do, some in groupby(group, key=_kind):
        if do is None:
            results += [work.do(connection) for work in some]  # type: ignore[operator]
        else:
            results += do(connection, [work.do.item for work in some])  # type: ignore[union-attr]
    return results


def _kind(work: Work) -> Callable[[Connection, Sequence[Any]], Sequence[Any]] | None:
    return work.do.do if isinstance(work.do, Together) else None


def synced(some: Sequence[Done]) -> list[Done]:
    """What was committed, once it is on the disk; where that fails, nobody can rely on it."""
    problems = {sync: _problem(sync) for sync in {done.sync for done in some}}
    return [
        done if problems[done.sync] is None else _failed(done, problems[done.sync]) for done in some
    ]


def _problem(sync: Callable[[], None]) -> Exception | None:
    try:
        sync()
    except Exception as problem:  # noqa: BLE001 -- whoever waits must hear of any problem
        return problem
    return None


def _failed(done: Done, problem: Exception | None) -> Done:
    failed = Outcome(None, problem)
    return done._replace(
        outcomes=[failed if outcome.problem is None else outcome for outcome in done.outcomes]
    )
