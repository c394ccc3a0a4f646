"""Deals that may be told: of a match that is over, unless others are going to play its deal."""

from typing import Final

from paddock_server.referee.plan import Plan
from paddock_server.store import tournaments
from paddock_server.store.database import Database

_MOST: Final = 10_000


class Telling:
    """A memory of the blocks whose deals may be told; once told, they stay so."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._told: dict[tuple[str, str], None] = {}  # blocks, the oldest first

    async def is_told(self, plan: Plan, tournament: str, block: str) -> bool:
        """Whether nobody is going to play the same deal any more."""
        if not plan.hides_deal or (tournament, block) in self._told:
            return True
        over = await self._database.read(tournaments.block_over, tournament, block, plan.block_size)
        if over:
            self._told[tournament, block] = None
            if len(self._told) > _MOST:
                del self._told[next(iter(self._told))]
        return over
