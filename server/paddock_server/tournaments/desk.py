"""The desk: all tournaments of a server, started, stopped, and taken up again after a restart."""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, Final

from paddock_server.arena.arena import Arena
from paddock_server.arena.table import Table
from paddock_server.identity import stamp
from paddock_server.store import tournaments
from paddock_server.store.rows import RatingChange
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import LADDER, Definition, read_given
from paddock_server.tournaments.ladder import LadderRunning
from paddock_server.tournaments.progress import Pace
from paddock_server.tournaments.running import Running
from paddock_server.tournaments.waiting import WAITING_LOG, WaitingRoom, notice

_LOG = logging.getLogger("paddock.tournament")
_TICK_SECONDS: Final = 1.0


class NoTournament(LookupError):
    """Raised when there is no tournament of a name."""


class OtherTournament(Exception):
    """Raised when a tournament of this name was started from another file."""


class Desk:
    """Tournaments by name; those that run are told what happens at their tables."""

    def __init__(self, arena: Arena) -> None:
        self.running: dict[str, Running | LadderRunning] = {}
        self._arena = arena
        self.waiting = WaitingRoom(arena)
        self._pace = Pace()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stumbled: set[str] = set()  # tournaments that are to be taken up again
        self._ticking: asyncio.Task[None] | None = None
        arena.on_deal.append(self._on_deal)
        arena.on_finish.append(self._on_finish)

    async def start(self) -> None:
        """Go on with every tournament that was running."""
        read = self._arena.database.read
        for row in await read(tournaments.list_tournaments, 1_000_000, None, "running"):
            await self._run(row)
        self._ticking = asyncio.create_task(self._tick())

    def close(self) -> None:
        """Let go; what runs goes on when the server is back."""
        for task in (self._ticking, *self._tasks):
            if task is not None:
                task.cancel()

    async def open(self, definition: Definition) -> bool:
        """Start a tournament; True where it was started before, from the same file, and goes on."""
        name = definition.name
        row = await self._arena.database.read(tournaments.find_tournament, name)
        if row is None:
            made = TournamentRow(name, definition.given, "running", stamp())
            await self._arena.database.writer.write(
                lambda connection: tournaments.add_tournament(connection, made)
            )
            await self._run(made)
            return False
        if row.definition != definition.given:
            raise OtherTournament(
                f"a tournament {name} was started from another file; give this one another name"
            )
        if row.state == "stopped":
            await self.resume(name)
        return True

    async def stop(self, name: str) -> None:
        """Begin nothing more of a tournament; what is open is played to its end."""
        row = await self.find(name)
        running = self.running.pop(name, None)
        if running is not None:
            await running.stop()
        if row.state == "running":
            await self._change(name, "stopped")

    async def resume(self, name: str) -> None:
        """Go on with a tournament that was stopped."""
        row = await self.find(name)
        if row.state == "stopped":
            await self._change(name, "running")
            await self._run(row)

    async def find(self, name: str) -> TournamentRow:
        """The tournament of this name."""
        row = await self._arena.database.read(tournaments.find_tournament, name)
        if row is None:
            raise NoTournament(
                f"there is no tournament {name[:40]!r}; see: paddock tournament list"
            )
        return row

    async def _change(self, name: str, state: str) -> None:
        await self._arena.database.writer.write(
            lambda connection: tournaments.change_tournament(connection, name, state)
        )

    async def _run(self, row: TournamentRow) -> None:
        definition = read_given(dict(row.definition), f"tournament {row.name}")
        kind = LadderRunning if definition.schedule == LADDER else Running
        running = self.running[row.name] = kind(self._arena, definition)
        for bot, session in self._arena.hall.sessions.items():
            told = notice(definition, bot, session.formats)
            if told:
                WAITING_LOG.warning("%s", told, extra={"bot": bot})
        await running.start()

    def notices(self, bot: str, formats: Collection[str]) -> list[str]:
        """What a bot that comes and plays these formats has to know of the tournaments."""
        told = [notice(running.definition, bot, formats) for running in self.running.values()]
        return [each for each in told if each]

    def left_seconds(self, name: str, matches: int) -> float | None:
        """How long so many matches will take, as an estimate; None where nobody knows."""
        if name not in self.running or self.waiting.of(name).note:
            return None  # it stands still, or has matches that wait for nobody knows how long
        return self._pace.seconds(name, matches, time.monotonic())

    # --- what happens -----------------------------------------------------------------------

    def _on_deal(self, table: Table) -> None:
        running = self.running.get(table.plan.tournament)
        if running is not None:
            self._do(table.plan.tournament, lambda: running.dealt(table))

    def _on_finish(
        self, table: Table, _record: Mapping[str, Any], changes: Sequence[RatingChange]
    ) -> None:
        running = self.running.get(table.plan.tournament)
        if running is not None:
            self._pace.note(table.plan.tournament, time.monotonic())
            self._do(table.plan.tournament, lambda: running.finished(table, changes))

    def _do(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        task = asyncio.get_running_loop().create_task(self._guarded(name, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do this; where it fails, as when the database is gone, the tournament is taken up again
        from what is stored, as after a restart."""
        try:
            await work()
        except Exception:  # noqa: BLE001 -- one tournament's trouble is no other's
            _LOG.exception("tournament %s stumbled; it is taken up again", name)
            self._stumbled.add(name)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            await self.look(time.monotonic())

    async def look(self, now: float) -> None:
        """Now and then: who is away for too long, and who has come."""
        for name in list(self._stumbled):
            self._stumbled.discard(name)
            await self._guarded(name, partial(self._again, name))
        for name, running in list(self.running.items()):
            if running.done.is_set():
                del self.running[name]
                continue
            away = self.waiting.late(running, now)
            await self._guarded(name, partial(running.look, away))
            self.waiting.describe(running)
        for kept in (self.waiting, self._pace):
            kept.keep_only(self.running)

    async def _again(self, name: str) -> None:
        row = await self.find(name)
        if row.state == "running":
            await self._run(row)
