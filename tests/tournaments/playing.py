"""A desk and an arena without a network, killed and taken up again as often as a test wants."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from paddock_games import FORMATS
from paddock_server.arena.arena import Arena
from paddock_server.tournaments.definition import Definition, read_given
from paddock_server.tournaments.desk import Desk
from tests.arena.playing import PATIENT, Bot, Finished, running

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")


class Life(NamedTuple):
    """One life of a server."""

    arena: Arena
    desk: Desk
    bots: dict[str, Bot]
    finished: Finished

    async def until_over(self, name: str) -> None:
        """Until the tournament is done."""
        if name in self.desk.running:
            await self.desk.running[name].done.wait()


@asynccontextmanager
async def life(path: Path, bots: Sequence[str] = NAMES, **how: Any) -> AsyncIterator[Life]:
    """A server with these bots connected; it dies at the end, whatever is under way."""
    async with running(path, PATIENT) as arena:
        desk = Desk(arena)
        finished = Finished(arena)
        here = {name: Bot(arena, name, formats=tuple(FORMATS), **how) for name in bots}
        await desk.start()
        try:
            yield Life(arena, desk, here, finished)
        finally:
            desk.close()
            for bot in here.values():
                bot.leave()


def defined(**given: Any) -> Definition:
    """A tournament of these settings."""
    usual: dict[str, Any] = {"name": "cup", "formats": ["two-player"], "bots": list(NAMES)}
    return read_given({**usual, **given})
