"""The upkeep of standings during play: in a process of low priority, with at most 5 % of a core.

Every ten seconds the upkeep looks whether matches were rated or voided since the last standing. If
so, it computes the standing and the calibration again, one format at a time. The next one begins
when twenty times the CPU time of that has passed. The process only reads; the database's one writer
stores the result. If the process fails, the upkeep logs it and tries again later.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from paddock_games import FORMATS
from paddock_server.basics.errors import ServerError
from paddock_server.standings import child
from paddock_server.store import epochs, standings
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.epochs import Epoch
from paddock_server.store.standings import Standing

SECONDS: Final = 10.0  # between two checks
TIMES_AS_LONG: Final = 20  # as the CPU time of a computation, from its begin to that of the next
_LOG: Final = logging.getLogger("paddock.standings")


class NotComputed(ServerError):
    """Raised when the process that computes a standing fails; the text has its last line."""

    reason = "standing/failed"

    def __init__(self, sentence: str, cpu: float) -> None:
        """`cpu` is how many seconds of CPU the process took."""
        super().__init__(sentence)
        self.cpu = cpu


class Computed(NamedTuple):
    """A standing, and the seconds of CPU that its process took."""

    standing: Standing
    cpu: float


class Upkeep:
    """A background task that keeps the standings of a server up to date."""

    def __init__(
        self,
        database: Database,
        address: str,
        *,
        changed: Callable[[], None],
        playing: Callable[[], bool],
        seconds: float,
    ) -> None:
        """`changed` is called when a standing was stored; 0 `seconds` turns the upkeep off.

        While `playing` is true a computation takes only a small part of a core.
        """
        self._database = database
        self._address = address
        self._changed = changed
        self._playing = playing
        self._seconds = seconds
        self.cpu = 0.0  # seconds that the process of the last look took
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Log the formats with other constants than this code, and start the task."""
        for epoch in await self._database.read(_outdated):
            _LOG.warning(
                "rating constants differ from this Paddock's: the ladder %s keeps its own (%s) "
                "until: paddock ladder recompute %s",
                epoch.format, epoch.text, epoch.format,
            )  # fmt: skip
        if self._seconds:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop the task; a computation under way is cancelled."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        pause = self._seconds
        while True:
            await asyncio.sleep(pause)
            begun = time.monotonic()
            try:
                await self.look()
            except Exception as problem:  # noqa: BLE001 -- play goes on whatever fails here
                _LOG.error("standing not computed, will be tried again later: %s", problem)
            wanted = TIMES_AS_LONG * self.cpu
            pause = max(self._seconds, wanted - (time.monotonic() - begun))

    async def look(self) -> bool:
        """Compute the standing that is most out of date; False if all are up to date."""
        self.cpu = 0.0
        stale = await self._database.read(standings.stale)
        if not stale:
            return False
        try:
            standing, self.cpu = await computed(self._address, stale[0], self._playing)
        except NotComputed as problem:
            self.cpu = problem.cpu
            raise
        await self._database.writer.write(lambda connection: standings.save(connection, standing))
        _LOG.debug("standing computed: %s in %.1f s", standing.format, standing.seconds)
        self._changed()
        return True


async def computed(address: str, format_name: str, playing: Callable[[], bool]) -> Computed:
    """The standing of a format, by a child process."""
    try:
        text, cpu = await child.output(address, "standing", format_name, playing=playing)
    except child.ChildFailed as problem:
        raise NotComputed(f"{format_name}: {problem}", problem.cpu) from None
    return Computed(await asyncio.to_thread(standings.loads, text), cpu)


def _outdated(connection: Connection) -> list[Epoch]:
    """The epochs whose constants are not those of this code."""
    in_force = [epochs.current(connection, name) for name in FORMATS]
    return [epoch for epoch in in_force if epochs.wanted(epoch) != epoch.parameters]
