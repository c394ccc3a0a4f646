"""What may be told of a match that is over: not its deal, while others are going to play it."""

from collections.abc import Mapping
from typing import Any, Final

from paddock_server.arena.opening import read_plan
from paddock_server.store import tournaments
from paddock_server.store.database import Database

_MOST: Final = 10_000


class Telling:
    """Knows which deals are told; once told, they stay so."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._told: dict[tuple[str, str], None] = {}  # blocks, the oldest first

    async def is_told(self, opening: Mapping[str, Any], tournament: str, block: str) -> bool:
        """Whether nobody is going to play the same deal any more."""
        plan = read_plan(opening)
        if not plan.hides_deal or (tournament, block) in self._told:
            return True
        told = await self._database.read(tournaments.block_over, tournament, block, plan.block_size)
        if told:
            self._told[tournament, block] = None
            if len(self._told) > _MOST:
                del self._told[next(iter(self._told))]
        return told
