"""Placement: hosted bots are started for the matches that wait for them, and stopped when idle.

All bots of a match begin on one runner, which has slots and toolchains for them. The oldest match
that has to wait keeps its bots and slots, so that later ones can't take them again and again.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from typing import Final

from paddock_server.lobby.lobby import Lobby
from paddock_server.lobby.queue import Waiting
from paddock_server.store import submissions
from paddock_server.store.database import Database
from paddock_server.store.submissions import SubmissionRow
from paddock_server.submissions.bench import Bench, wanted_toolchain
from paddock_server.submissions.lease import Lease
from paddock_server.submissions.workshop import Workshop
from paddock_server.tables.notices import EndListener, Finished

_LOG = logging.getLogger("paddock.placement")
_TICK_SECONDS: Final = 1.0
_LOOK_AT: Final = 1000  # waiting matches; those behind come up as others are played


class Placement:
    """The one that decides which bots run where; it looks whenever something changed."""

    def __init__(
        self,
        database: Database,
        lobby: Lobby,
        workshop: Workshop,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._lobby = lobby
        self._workshop = workshop
        self._clock = clock
        self._some = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.listener = EndListener(self._finished)
        workshop.wake = workshop.hosts.wake = self._some.set

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._keep_looking())

    def stop(self) -> None:
        """Look no more; what runs goes on."""
        if self._task is not None:
            self._task.cancel()

    async def _keep_looking(self) -> None:
        while True:
            try:
                async with asyncio.timeout(_TICK_SECONDS):
                    await self._some.wait()
            except TimeoutError:
                pass
            self._some.clear()
            try:
                await self._workshop.look()
                await self.look()
            except Exception:  # noqa: BLE001 -- the next look may go well
                _LOG.exception("placement failed")
                await asyncio.sleep(_TICK_SECONDS)

    def _finished(self, finished: Finished) -> None:
        now = self._clock()
        for bot in finished.plan.bots:
            lease, session = self._lease_of(bot), self._lobby.hall.find(bot)
            if lease is not None:
                lease.idle_since = now
            elif session is not None and session.retiring and not self._lobby.open_matches_of(bot):
                session.end("session/hosted", "the arena runs this bot from now on")
        self._some.set()

    async def look(self) -> None:
        """Stop what is to be stopped, and start what is missing."""
        self._workshop.hosts.start_again()
        self._stop_retired()
        taken: set[str] = set()  # bots that an older match has
        for bot in self._lobby.presence.in_open_matches():
            taken.add(bot)
            if self._lobby.hosted.is_hosted(bot) and self._lease_of(bot) is None:
                await self._start_for_open_match(bot)
        if not self._lobby.draining:
            await self._start_for_waiting(taken)
        self._stop_idle(taken)

    # --- stopping ---------------------------------------------------------------------------

    def _stop_retired(self) -> None:
        """Stop bots whose version or process is over, and those that never said Hello."""
        now = self._clock()
        for lease in self._runs():
            playing = self._lobby.open_matches_of(lease.row.bot)
            if lease.session is None:
                if now - lease.begun_at > self._workshop.settings.start_seconds:
                    self._workshop.never_came(lease)
            elif lease.session.retiring and not playing:
                self._workshop.stop(lease, "another version or process of this bot takes over")

    def _stop_idle(self, taken: set[str]) -> None:
        now, idle = self._clock(), self._workshop.settings.idle_seconds
        for lease in self._runs():
            bot = lease.row.bot
            if lease.connected and bot not in taken and now - lease.idle_since >= idle:
                self._workshop.stop(lease, "no match needs this bot now")

    # --- starting ---------------------------------------------------------------------------

    async def _start_for_open_match(self, bot: str) -> None:
        """Start a bot again that is missing in its match: the version that plays it."""
        version = self._lobby.presence.open_version(bot)
        row = await self._database.read(submissions.find_version, bot, version)
        if row is None or not row.artefact:
            return
        able = self._able([row])
        bench = self._bench(self._workshop.rested(able, [row]) or able, {}, [row])
        if bench is None:
            await self._say_missing([row])
            return
        if self._free(bench) <= 0:
            self._make_room(bench, 1, {bot})
            return
        await self._workshop.run(bench, row, "", 1)

    async def _start_for_waiting(self, taken: set[str]) -> None:
        kept: dict[str, int] = {}  # slots by runner that an older match waits for
        known: dict[tuple[str, str], SubmissionRow | None] = {}  # versions of bots
        first = True
        if not self._workshop.benches:
            return
        for waiting in list(islice(self._lobby.wanting(), _LOOK_AT)):
            hosted = [bot for bot in waiting.bots if self._lobby.hosted.is_hosted(bot)]
            if not hosted:
                continue
            placed = False
            if taken.isdisjoint(waiting.bots) and self._can_be_ready(waiting):
                rows = await self._rows(waiting, hosted, known)
                if not self._able(rows.values(), len(hosted)):
                    await self._say_missing(rows.values())
                    continue  # it keeps neither bots nor slots
                placed = await self._place(waiting, hosted, rows, kept)
            if placed or first:
                taken.update(waiting.bots)
            first = first and placed

    def _can_be_ready(self, waiting: Waiting) -> bool:
        """Whether each of its bots has room, is being started, or can be started."""
        for bot in waiting.bots:
            lease = self._lease_of(bot)
            if lease is not None and lease.stopping:
                return False
            session = self._lobby.hall.find(bot)
            if session is not None and (session.retiring or self._lobby.room_of(bot) <= 0):
                return False
        return True

    async def _place(
        self,
        waiting: Waiting,
        hosted: list[str],
        rows: Mapping[str, SubmissionRow],
        kept: dict[str, int],
    ) -> bool:
        """Start the bots of a match that do not run; False where it has to wait for slots."""
        running = {bot: lease for bot in hosted if (lease := self._lease_of(bot)) is not None}
        wanted = {bot: self._lobby.version_for(bot, waiting.plan) for bot in hosted}
        others = [bot for bot, lease in running.items() if lease.submission.version != wanted[bot]]
        for bot in others:
            if not self._lobby.open_matches_of(bot):
                self._workshop.stop(running[bot], "another version of this bot takes over")
        if others:
            return False
        missing = [bot for bot in hosted if bot not in running]
        able = self._workshop.rested(self._able(rows.values(), len(hosted)), rows.values())
        bench = self._bench(able, running, rows.values())
        if bench is None:
            return False
        for bot, lease in running.items():
            if lease.row.runner != bench.name and not self._lobby.open_matches_of(bot):
                self._workshop.stop(lease, "its match is played on another runner")
                return False
        if not missing:
            return True
        short = len(missing) - (self._free(bench) - kept.get(bench.name, 0))
        if short > 0:
            self._make_room(bench, short, set(waiting.bots))
            kept[bench.name] = kept.get(bench.name, 0) + len(missing)
            return False
        for bot in missing:
            if bot in rows:
                await self._workshop.run(bench, rows[bot], waiting.id, len(hosted))
        return True

    async def _rows(
        self,
        waiting: Waiting,
        hosted: Iterable[str],
        known: dict[tuple[str, str], SubmissionRow | None],
    ) -> dict[str, SubmissionRow]:
        """The versions that play a match, by bot; those that are kept no more are left out."""
        found = {}
        for bot in hosted:
            key = bot, self._lobby.version_for(bot, waiting.plan)
            if key not in known:
                known[key] = await self._database.read(submissions.find_version, *key)
            row = known[key]
            if row is not None and row.artefact:
                found[bot] = row
        return found

    def _able(self, rows: Collection[SubmissionRow], seats: int = 1) -> list[Bench]:
        """The runners that have so many slots, and toolchains for all of these."""
        large = [each for each in self._workshop.benches.values() if each.slots >= seats]
        return [bench for bench in large if all(map(bench.can_run, rows))]

    def _bench(
        self,
        able: Iterable[Bench],
        running: Mapping[str, Lease],
        rows: Collection[SubmissionRow],
    ) -> Bench | None:
        """The one of these runners for a match: with the toolchains of its bots, where most of
        them run, and then the one with the most room."""

        def fitness(bench: Bench) -> tuple[tuple[int, int], int, int]:
            here = sum(lease.row.runner == bench.name for lease in running.values())
            return bench.likeness(rows), here, self._free(bench)

        return max(able, key=fitness, default=None)

    async def _say_missing(self, rows: Collection[SubmissionRow]) -> None:
        """Have owners and organiser hear what is missing: for a bot, or else for its match."""
        if not self._workshop.benches:
            return  # they see that
        alone = [row for row in rows if not self._able([row])]
        for row in alone:
            await self._workshop.say_missing(row, wanted_toolchain(row))
        for row in () if alone else rows:
            await self._workshop.say_missing(row, "slots and toolchains for one of its matches")

    def _make_room(self, bench: Bench, slots: int, wanted: set[str]) -> None:
        """Stop the bots that were idle for the longest time, unless they are wanted."""
        stopping = sum(lease.stopping for lease in self._leases_at(bench))
        idle = [
            lease
            for lease in self._leases_at(bench)
            if lease.connected
            and not lease.stopping
            and lease.row.bot not in wanted
            and not self._lobby.open_matches_of(lease.row.bot)
        ]
        idle.sort(key=lambda lease: lease.idle_since)
        for lease in idle[: max(0, slots - stopping)]:
            self._workshop.stop(lease, "other bots need its slot")

    # --- what runs --------------------------------------------------------------------------

    def _runs(self) -> list[Lease]:
        return [lease for lease in self._workshop.leases.values() if lease.is_run]

    def _leases_at(self, bench: Bench) -> list[Lease]:
        return [lease for lease in self._runs() if lease.row.runner == bench.name]

    def _lease_of(self, bot: str) -> Lease | None:
        return next((lease for lease in self._runs() if lease.row.bot == bot), None)

    def _free(self, bench: Bench) -> int:
        return bench.slots - len(self._leases_at(bench))
