"""A server without a network: bots that read their session's frames and answer them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from paddock.v1 import arena_pb2
from paddock_games import write_record
from paddock_games.chance import digest_of
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.lobby.lobby import Lobby
from paddock_server.lobby.session import Session
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.clock import Clock
from paddock_server.referee.plan import Entrant
from paddock_server.store.database import Database
from paddock_server.tables import notices
from paddock_server.tables.journal import Journal
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tables.tables import Tables

NONCE = b"n" * 16
PATIENT = Clock(base=600.0)  # nobody is late
HASTY = Clock(base=0.05, bank=0.0, lag_allowance=0.0, max_faults=1)  # the silent are, soon


class Rooms(NamedTuple):
    """The rooms of a server that has no doors."""

    database: Database
    metrics: Metrics
    tables: Tables
    lobby: Lobby
    limits: Limits


class Bot:
    """A bot with a session; it keeps all that it was told, by kind."""

    def __init__(
        self,
        rooms: Rooms,
        name: str,
        *,
        formats: Sequence[str] = ("two-player",),
        most: int = 4,
        nonces: bool = False,
        commits: bool = False,
        withholds: bool = False,
        version: str = "1",
        answers: Callable[[arena_pb2.Ask], Any] = lambda _: 0,
    ) -> None:
        self.rooms = rooms
        entrant = Entrant(name, version, f"{name}'s", nonces or commits, commits)
        self.session = Session(entrant, tuple(formats), most, rooms.limits, rooms.lobby.budget)
        self.told: dict[str, list[Any]] = {}
        self._answers = answers
        self._nonces = nonces
        self._commits = commits
        self._withholds = withholds
        rooms.lobby.entered(self.session)
        self.session.connect(self)

    ready = True

    def send(self, message: bytes) -> None:
        """Take a frame, as the outlet of its session."""
        for item in arena_pb2.PlayResponse.FromString(message).items:
            self._take(item)

    def _take(self, item: arena_pb2.RefereeItem) -> None:
        kind = item.WhichOneof("item")
        assert kind is not None
        self.told.setdefault(kind, []).append(getattr(item, kind))
        tables = self.rooms.tables
        if kind == "match_started" and self._commits and item.match_started.commit_nonces:
            tables.digest(self.session, item.match_started.match_id, digest_of(NONCE))
        elif kind == "match_started" and self._nonces and not self._withholds:
            tables.nonce(self.session, item.match_started.match_id, NONCE)
        elif kind == "nonce_commitments" and self._commits and not self._withholds:
            tables.nonce(self.session, item.nonce_commitments.match_id, NONCE)
        elif kind == "ask":
            answer = self._answers(item.ask)
            if answer is not None:
                tables.choice(self.session, item.ask.ask_id, answer)

    def heard(self, kind: str) -> list[Any]:
        """All it was told of a kind."""
        return self.told.get(kind, [])

    def leave(self) -> None:
        """Its connection is gone."""
        self.session.disconnect()
        self.session.end("", "")
        self.rooms.lobby.left(self.session)


_TURNS_TO_HEAR = 3  # of the event loop, from sending an item to its bot having it


class Finished:
    """Waits for matches to be over."""

    def __init__(self, tables: Tables) -> None:
        self.records: list[Any] = []
        self._more = asyncio.Event()
        tables.listeners.append(notices.EndListener(self._hear))

    def _hear(self, finished: notices.Finished) -> None:
        self.records.append(write_record(*finished.played))
        self._more.set()

    async def wait(self, count: int) -> list[Any]:
        """The records, when there are this many and the bots have heard of it."""
        while len(self.records) < count:
            self._more.clear()
            await self._more.wait()
        for _ in range(_TURNS_TO_HEAR):
            await asyncio.sleep(0)
        return self.records


@asynccontextmanager
async def running(
    path: Path | str,
    clock: Clock | None = None,
    limits: Limits | None = None,
    policy: Policy | None = None,
) -> AsyncIterator[Rooms]:
    """A server on the database in this file; at the end it stops dead, whatever is open."""
    limits = limits or Limits()
    database, metrics = Database(str(path)), Metrics()
    tables = LocalTables(Journal(database), metrics)
    lobby = Lobby(database, tables, metrics, clock=clock, limits=limits, policy=policy)
    await lobby.start()
    try:
        yield Rooms(database, metrics, tables, lobby, limits)
    finally:
        lobby.stop()
        tables.stop()
        database.close()


async def settled(database: Database) -> None:
    """All that was under way between the loop and the writer is through."""
    for _ in range(5):
        await database.writer.write(lambda _connection: None)
