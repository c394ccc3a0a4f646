"""The guard of the tournaments: if the work of one fails, it is noted, and the others go on."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

_LOG = logging.getLogger("paddock.tournament")
Work = Callable[[], Coroutine[Any, Any, None]]


class Guard:
    """A runner of the work of tournaments, which remembers those whose work failed."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed: set[str] = set()

    def begin(self, name: str, work: Work) -> None:
        """Begin some work of a tournament, beside everything else."""
        task = asyncio.get_running_loop().create_task(self.run(name, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def run(self, name: str, work: Work) -> None:
        """Do some work of a tournament; if it fails, the tournament is among the failed ones."""
        try:
            await work()
        except Exception:  # noqa: BLE001 -- the other tournaments go on
            _LOG.exception("tournament failed and is resumed from the store: %s", name)
            self._failed.add(name)

    def take_failed(self) -> list[str]:
        """The tournaments whose work failed since the last call, to be resumed from the store."""
        names = sorted(self._failed)
        self._failed.clear()
        return names

    def close(self) -> None:
        """Cancel all work that is under way."""
        for task in self._tasks:
            task.cancel()
