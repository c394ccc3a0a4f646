"""Public deals: the deal of a match is public when no other match is going to play it."""

from typing import Final

from paddock_server.referee.plan import Plan
from paddock_server.store import blocks
from paddock_server.store.database import Database

_MOST: Final = 10_000


class Telling:
    """A cache of the blocks that are over, so that their deals stay public."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._public: dict[tuple[str, str], None] = {}  # blocks, the oldest first

    async def is_told(self, plan: Plan, tournament: str, block: str) -> bool:
        """Whether the deal of a plan is public: no other match is going to play it."""
        if not plan.hides_deal or (tournament, block) in self._public:
            return True
        over = await self._database.read(blocks.is_over, tournament, block, plan.block_size)
        if over:
            self._public[tournament, block] = None
            if len(self._public) > _MOST:
                del self._public[next(iter(self._public))]
        return over or await self._database.read(blocks.rests, tournament, block)
