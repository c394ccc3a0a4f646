"""Runners and their leases in the store."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from paddock_server.store.schema import LEASES, RUNNERS


class RunnerRow(NamedTuple):
    """A runner as it is stored."""

    name: str
    token_hash: bytes
    added: str
    seen: str = ""
    slots: int = 0
    cores: int = 0
    ready: bytes | None = None  # WorkReady, as it was last said


class LeaseRow(NamedTuple):
    """Work that a runner was given."""

    id: str
    kind: str  # prepare, run
    submission: str
    bot: str
    runner: str
    token_hash: bytes  # of the run token; empty: it has none
    given: str
    until: str  # as it was given; renewals are not stored
    attempt: int


_RUNNER = select(*(RUNNERS.c[name] for name in RunnerRow._fields))


def add_runner(connection: Connection, runner: RunnerRow) -> bool:
    """Add a runner; False if there is one of this name."""
    taken = select(RUNNERS.c.name).where(RUNNERS.c.name == runner.name)
    if connection.execute(taken).first() is not None:
        return False
    connection.execute(insert(RUNNERS), runner._asdict())
    return True


def change_runner(connection: Connection, name: str, **values: Any) -> bool:
    """Set columns of a runner; False if there is no runner of this name."""
    mine = update(RUNNERS).where(RUNNERS.c.name == name)
    return connection.execute(mine, values).rowcount == 1


def runner_of_token(connection: Connection, token_hash: bytes) -> RunnerRow | None:
    """The runner whose token has this hash, if there is one."""
    row = connection.execute(_RUNNER.where(RUNNERS.c.token_hash == token_hash)).one_or_none()
    return RunnerRow(*row) if row else None


def list_runners(connection: Connection) -> list[RunnerRow]:
    """All runners, in the order of their names."""
    return [RunnerRow(*row) for row in connection.execute(_RUNNER.order_by(RUNNERS.c.name))]


def remove_runner(connection: Connection, name: str) -> bool:
    """Remove a runner; False if there is no runner of this name."""
    return connection.execute(delete(RUNNERS).where(RUNNERS.c.name == name)).rowcount == 1


def add_lease(connection: Connection, lease: LeaseRow) -> None:
    """Add a lease."""
    connection.execute(insert(LEASES), lease._asdict())


def end_lease(connection: Connection, lease: str) -> bool:
    """Remove a lease; False if it is not there any more."""
    return connection.execute(delete(LEASES).where(LEASES.c.id == lease)).rowcount == 1


def list_leases(connection: Connection) -> list[LeaseRow]:
    """All leases, the oldest first."""
    columns = (LEASES.c[name] for name in LeaseRow._fields)
    return [LeaseRow(*row) for row in connection.execute(select(*columns).order_by(LEASES.c.id))]
