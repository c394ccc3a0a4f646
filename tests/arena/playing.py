"""An arena without a network: bots that read their session's frames and answer them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from paddock.v1 import arena_pb2
from paddock_server.arena.arena import Arena
from paddock_server.arena.session import Session
from paddock_server.referee.clock import Clock
from paddock_server.store.database import Database

PATIENT = Clock(base=600.0)  # nobody is late
HASTY = Clock(base=0.05, bank=0.0, lag_allowance=0.0, max_faults=1)  # the silent are, soon


class Bot:
    """A bot with a session; it keeps all that it was told, by kind."""

    def __init__(
        self,
        arena: Arena,
        name: str,
        *,
        formats: Sequence[str] = ("two-player",),
        most: int = 4,
        nonces: bool = False,
        answers: Callable[[arena_pb2.Ask], int | None] = lambda _: 0,
    ) -> None:
        self.arena = arena
        self.session = Session(name, f"{name}'s", "1", tuple(formats), most, nonces, arena.limits)
        self.told: dict[str, list[Any]] = {}
        self._answers = answers
        self._nonces = nonces
        arena.entered(self.session)
        self._task = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        while True:
            frame = arena_pb2.PlayResponse.FromString(await self.session.frame())
            for item in frame.items:
                self._take(item)

    def _take(self, item: arena_pb2.RefereeItem) -> None:
        kind = item.WhichOneof("item")
        assert kind is not None
        self.told.setdefault(kind, []).append(getattr(item, kind))
        if kind == "match_started" and self._nonces:
            self.arena.nonce(self.session, item.match_started.match_id, b"n" * 16)
        elif kind == "ask":
            answer = self._answers(item.ask)
            if answer is not None:
                self.arena.choice(self.session, item.ask.ask_id, answer)

    def heard(self, kind: str) -> list[Any]:
        """All it was told of a kind."""
        return self.told.get(kind, [])

    def leave(self) -> None:
        """Its connection is gone."""
        self._task.cancel()
        self.session.end("", "")
        self.arena.left(self.session)


class Finished:
    """Waits for matches to be over."""

    def __init__(self, arena: Arena) -> None:
        self.records: list[Any] = []
        self._more = asyncio.Event()
        arena.on_finish.append(self._on_finish)

    def _on_finish(self, _table: object, record: Any, _changes: object) -> None:
        self.records.append(record)
        self._more.set()

    async def wait(self, count: int) -> list[Any]:
        """The records, when there are so many."""
        while len(self.records) < count:
            self._more.clear()
            await self._more.wait()
        return self.records


@asynccontextmanager
async def running(path: Path, *arguments: Any, **named: Any) -> AsyncIterator[Arena]:
    """An arena on the database in this file; at the end it stops dead, whatever is open."""
    database = Database(str(path))
    arena = Arena(database, *arguments, **named)
    await arena.start()
    try:
        yield arena
    finally:
        arena.stop()
        database.close()


async def settled(arena: Arena) -> None:
    """All that was under way between the loop and the writer is through."""
    for _ in range(5):
        await arena.database.writer.write(lambda _connection: None)
