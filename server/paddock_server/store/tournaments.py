"""Tournaments in the store: their files, states and changes."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    insert,
    select,
    update,
)

from paddock_ladder.schedules import Change
from paddock_server.store.schema import TOURNAMENTS
from paddock_server.store.text import dumps
from paddock_server.store.tournament_changes import change_values, read_change
from paddock_server.store.tournament_file import TournamentFile, file_of


class TournamentRow(NamedTuple):
    """A tournament as it is stored."""

    name: str
    definition: TournamentFile
    state: str  # upcoming, running, stopped, done
    started: str
    ended: str = ""
    changes: tuple[Change, ...] = ()  # since it was opened
    file: TournamentFile | None = None  # as the organiser last sent it; None: as the definition


def add_tournament(connection: Connection, row: TournamentRow) -> None:
    """Add a tournament."""
    connection.execute(insert(TOURNAMENTS), _columns(row))


def save_tournament(connection: Connection, row: TournamentRow) -> None:
    """Store a tournament that changed."""
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.name == row.name), _columns(row))


def change_tournament(connection: Connection, name: str, state: str, ended: str = "") -> None:
    """Store the state of a tournament."""
    values = {"state": state, "ended": ended}
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.name == name), values)


def find_tournament(connection: Connection, name: str) -> TournamentRow | None:
    """The tournament of this name, if there is one."""
    row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.name == name)).one_or_none()
    return _tournament(row) if row else None


def list_tournaments(
    connection: Connection, limit: int, after: tuple[str, str] | None = None, state: str = ""
) -> list[TournamentRow]:
    """The tournaments after this (started, name), the newest first."""
    query = select(TOURNAMENTS).order_by(TOURNAMENTS.c.started.desc(), TOURNAMENTS.c.name)
    if after is not None:
        started, name = after
        later = (TOURNAMENTS.c.started == started) & (TOURNAMENTS.c.name > name)
        query = query.where((TOURNAMENTS.c.started < started) | later)
    if state:
        query = query.where(TOURNAMENTS.c.state == state)
    return [_tournament(row) for row in connection.execute(query.limit(limit))]


def _tournament(row: Any) -> TournamentRow:
    values = row._asdict()
    return TournamentRow(
        **{
            **values,
            "definition": file_of(json.loads(values["definition"])),
            "changes": tuple(map(read_change, json.loads(values["changes"]))),
            "file": _file(json.loads(values["file"])),
        }
    )


def _file(values: Mapping[str, Any]) -> TournamentFile | None:
    return file_of(values) if values else None


def _columns(row: TournamentRow) -> dict[str, Any]:
    return {
        **row._asdict(),
        "definition": dumps(row.definition.written()),
        "changes": dumps([change_values(change) for change in row.changes]),
        "file": dumps({} if row.file is None else row.file.written()),
    }
