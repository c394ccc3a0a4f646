"""The desk: all tournaments of a server, which it opens, stops and resumes."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any, Final

from paddock_server.basics.errors import ServerError
from paddock_server.basics.identity import stamp
from paddock_server.lobby.lobby import Lobby
from paddock_server.store import submissions, tournament_matches, tournaments
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.tournament_log import LogRow, add_log
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tables.notices import Finished, MatchDealt, MatchStuck
from paddock_server.tournaments.amending import OtherTournament, amended
from paddock_server.tournaments.deadlines import now
from paddock_server.tournaments.definition import LADDER, Definition, define, definition_of
from paddock_server.tournaments.entering import with_entries
from paddock_server.tournaments.guard import Guard
from paddock_server.tournaments.ladder import LadderRunning
from paddock_server.tournaments.log import OPERATOR, SERVER, line
from paddock_server.tournaments.progress import Throughput
from paddock_server.tournaments.running import Running
from paddock_server.tournaments.waiting import WAITING_LOG, WaitingRoom, notice

__all__ = ["Desk", "NoTournament", "OtherTournament"]

_TICK_SECONDS: Final = 1.0


class NoTournament(ServerError):
    """Raised when there is no tournament of a name."""

    reason = "tournament/unknown"


class Desk:
    """The tournaments of a server by name; a listener that tells each of its matches."""

    def __init__(
        self, lobby: Lobby, database: Database, clock: Callable[[], datetime] = now
    ) -> None:
        self.running: dict[str, Running | LadderRunning] = {}
        self.clock = clock
        self._lobby = lobby
        self._database = database
        self._upcoming: dict[str, Definition] = {}  # those that wait for their start, by name
        self.waiting = WaitingRoom(lobby)
        self._throughput = Throughput()
        self._guard = Guard()
        self._ticking: asyncio.Task[None] | None = None
        self._changing = asyncio.Lock()  # one change of tournaments at a time

    async def start(self) -> None:
        """Resume every tournament that was running, and wait for those that start later."""
        read = self._database.read
        for state in ("running", "upcoming"):
            for row in await read(tournaments.list_tournaments, 1_000_000, None, state):
                await self._take_up(row)
        self._ticking = asyncio.create_task(self._tick())

    def close(self) -> None:
        """Stop all work; running tournaments are resumed when the server is back."""
        if self._ticking is not None:
            self._ticking.cancel()
        self._guard.close()

    async def open(self, definition: Definition, who: str = OPERATOR) -> bool:
        """Open a tournament; True if it was opened before, and goes on.

        If the file changed since then, the tournament is changed as far as that is allowed.
        """
        name = definition.name
        row = await self._database.read(tournaments.find_tournament, name)
        if row is None:
            await self._add(definition, who)
            return False
        if row.file != definition.file:
            async with self.changing(name) as (stored, rounds):
                row, log = amended(stored, definition, rounds, self.clock(), who)
                await self.save(row, log)
        if row.state == "stopped":
            await self.resume(name, who)
        return True

    async def _add(self, definition: Definition, who: str) -> None:
        name, state, file = definition.name, self._state(definition), definition.file
        if file.rotations is None and definition.schedule != LADDER and self._is_hosted(definition):
            # No process sees two matches of a block, so nobody remembers a deal.
            definition = define(file._replace(rotations=True))
        row = TournamentRow(name, definition.stored, state, stamp(), file=file)

        def add(connection: Connection) -> None:
            tournaments.add_tournament(connection, row)
            add_log(connection, [line(row.name, who, "opened")])

        await self._database.writer.write(add)
        await self._take_up(row)

    def _is_hosted(self, definition: Definition) -> bool:
        """Whether the arena runs all bots of a tournament."""
        is_hosted = self._lobby.hosted.is_hosted
        return bool(definition.bots) and all(is_hosted(bot.name) for bot in definition.bots)

    def _state(self, definition: Definition) -> str:
        """The state of a tournament that is not stopped: upcoming or running."""
        waits = definition.is_open
        waits = waits or (definition.starts is not None and definition.starts > self.clock())
        return "upcoming" if waits else "running"

    async def stop(self, name: str, who: str = OPERATOR) -> None:
        """Stop a tournament: no match begins any more, and open matches finish."""
        async with self._changing:
            row = await self.find(name)
            self._upcoming.pop(name, None)
            running = self.running.pop(name, None)
            if running is not None:
                await running.stop()
            if row.state in ("running", "upcoming"):
                await self._change(name, "stopped", line(name, who, "stopped"))

    async def resume(self, name: str, who: str = OPERATOR) -> None:
        """Resume a tournament that was stopped."""
        async with self._changing:
            row = await self.find(name)
            if row.state == "stopped":
                state = self._state(definition_of(row))
                await self._change(name, state, line(name, who, "resumed"))
                await self._take_up(row._replace(state=state))

    # --- changes ----------------------------------------------------------------------------

    @asynccontextmanager
    async def changing(self, name: str) -> AsyncIterator[tuple[TournamentRow, dict[str, int]]]:
        """The tournament and the rounds begun by format, locked against other changes.

        At the end of the context the tournament goes on as it was saved.
        """
        async with self._changing:
            await self.find(name)
            running = self.running.get(name)
            if running is None:
                yield await self._as_stored(name)
            else:
                async with running.turn:
                    yield await self._as_stored(name)
            await self._go_on(name)

    async def _as_stored(self, name: str) -> tuple[TournamentRow, dict[str, int]]:
        rounds = await self._database.read(tournament_matches.rounds_begun, name)
        return await self.find(name), rounds

    async def save(
        self,
        row: TournamentRow,
        log: Sequence[LogRow],
        more: Callable[[Connection], Any] | None = None,
    ) -> Any:
        """Store a tournament that changed, in one transaction; the result of `more`."""

        def store(connection: Connection) -> Any:
            tournaments.save_tournament(connection, row)
            add_log(connection, log)
            result = more(connection) if more is not None else None
            return result, tournament_matches.outcomes(connection, row.name)

        result, history = await self._database.writer.write(store)
        running = self.running.get(row.name)
        if running is not None:
            running.change(definition_of(row), history)
        return result

    async def _go_on(self, name: str) -> None:
        row = await self.find(name)
        running = self.running.get(name)
        if running is not None and not running.done.is_set():
            await self._guard.run(name, running.advance)
        elif row.state in ("running", "upcoming"):
            await self._take_up(row)

    async def find(self, name: str) -> TournamentRow:
        """The tournament of this name; raises NoTournament if there is no such tournament."""
        row = await self._database.read(tournaments.find_tournament, name)
        if row is None:
            raise NoTournament(
                f"there is no tournament {name[:40]!r}; see: paddock tournament list"
            )
        return row

    async def _change(self, name: str, state: str, log: LogRow) -> None:
        def change(connection: Connection) -> None:
            tournaments.change_tournament(connection, name, state)
            add_log(connection, [log])

        await self._database.writer.write(change)

    async def _take_up(self, row: TournamentRow) -> None:
        """Run a tournament, or wait for its start."""
        definition = definition_of(row)
        if row.state == "upcoming":
            self._upcoming[row.name] = definition
            return
        self._upcoming.pop(row.name, None)
        self._lobby.pins.pin(row.name, {bot.name: bot.version for bot in definition.bots})
        kind = LadderRunning if definition.schedule == LADDER else Running
        running = self.running[row.name] = kind(self._lobby, self._database, definition)
        for here in self._lobby.presence.everybody():
            sentence = notice(definition, here.bot, here.formats)
            if sentence:
                WAITING_LOG.warning("%s", sentence, extra={"bot": here.bot})
        await running.start()

    def notices(self, bot: str, formats: Collection[str]) -> list[str]:
        """The notices for a bot that connects and plays these formats."""
        running = (tournament.definition for tournament in self.running.values())
        definitions = [*self._upcoming.values(), *running]
        sentences = [notice(definition, bot, formats) for definition in definitions]
        return [sentence for sentence in sentences if sentence]

    def left_seconds(self, name: str, matches: int) -> float | None:
        """An estimate of how long this number of matches will take; None if it is unknown."""
        if name not in self.running or self.waiting.of(name).note:
            return None  # nothing is played, or matches wait for an unknown time
        return self._throughput.seconds(name, matches, time.monotonic())

    # --- what the tables say (Listener) -----------------------------------------------------

    def dealt(self, dealt: MatchDealt) -> None:
        """Tell a tournament that one of its matches was dealt."""
        name = dealt.plan.tournament
        running = self.running.get(name)
        if running is not None:
            self._guard.begin(name, lambda: running.dealt(dealt))

    def finished(self, finished: Finished) -> None:
        """Tell a tournament that one of its matches is over."""
        name = finished.plan.tournament
        running = self.running.get(name)
        if running is not None:
            self._throughput.note(name, time.monotonic())
            self._guard.begin(name, lambda: running.finished(finished))

    def stuck(self, stuck: MatchStuck) -> None:
        """Tell a tournament that one of its matches was set aside."""
        name = stuck.plan.tournament
        running = self.running.get(name)
        if running is not None:
            self._guard.begin(name, lambda: running.stuck(stuck))

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            await self.look(time.monotonic())

    async def look(self, now: float) -> None:
        """Start upcoming tournaments, resume failed ones, and look for missing bots."""
        for name, definition in list(self._upcoming.items()):
            closes = definition.entries_close
            if definition.is_open and closes is not None and closes <= self.clock():
                await self._guard.run(name, partial(self._close_entries, name))
            elif self._state(definition) == "running":
                await self._guard.run(name, partial(self._begin, name))
        for name in self._guard.take_failed():
            await self._guard.run(name, partial(self._again, name))
        for name, running in list(self.running.items()):
            if running.done.is_set():
                del self.running[name]
                self._lobby.pins.unpin(name)
                continue
            away = self.waiting.late(running, now)
            await self._guard.run(name, partial(running.look, away))
            self.waiting.describe(running)
        for memory in (self.waiting, self._throughput):
            memory.keep_only(self.running)

    async def _close_entries(self, name: str) -> None:
        """Enter what was handed in and accepted by now, and start when it is time."""
        async with self._changing:
            row = await self.find(name)
            handed_in = await self._database.read(
                submissions.accepted_by, definition_of(row).file.entries_close
            )
            row, log = with_entries(row, handed_in)
            self._upcoming.pop(name, None)
            await self.save(row, log)
            if row.state != "stopped":
                await self._take_up(row)

    async def _begin(self, name: str) -> None:
        async with self._changing:
            row = (await self.find(name))._replace(state="running", started=stamp())
            await self.save(row, [line(name, SERVER, "begun")])
            await self._take_up(row)

    async def _again(self, name: str) -> None:
        row = await self.find(name)
        if row.state in ("running", "upcoming"):
            await self._take_up(row)
