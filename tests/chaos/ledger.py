"""What people were told during a chaos run; what is stored at its end must be the same."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchRow
from tests.server.organiser import Organiser

_ENDED: Final = re.compile(r"match ended: (\S+), rank (\d+)")
_FINISHED: Final = "finished"


class Ledger:
    """The matches that were acknowledged, and the results that bots were told."""

    def __init__(self) -> None:
        self.acknowledged: set[str] = set()
        self.unsure = 0  # matches of starts whose reply was cut: they may be there or not
        self._told: list[tuple[str, str, int]] = []  # bot, match, rank

    async def start(
        self, organiser: Organiser, format_name: str, bots: Sequence[str], count: int, **more: Any
    ) -> None:
        """Start matches, and note what the server says to that."""
        self.unsure += count
        ids = await organiser.start(format_name, bots, count, **more)
        self.unsure -= count
        self.acknowledged.update(ids)

    def hear(self, bot: str, log: str) -> None:
        """Note the results in the log of a bot."""
        self._told += [(bot, match, int(rank)) for match, rank in _ENDED.findall(log)]

    def problems(self, database: Database) -> Iterator[str]:
        """What is stored otherwise, as sentences."""
        stored = {row.id: row for row in database.look(store.list_matches, None, 1_000_000)}
        for match_id in sorted(self.acknowledged):
            row = stored.get(match_id)
            if row is None:
                yield f"match {match_id} was acknowledged and is not stored"
            elif row.state != _FINISHED:
                yield f"match {match_id} was acknowledged and is {row.state}"
        others = [
            row for row in stored.values() if not (row.plan.trial or row.id in self.acknowledged)
        ]
        if len(others) > self.unsure:
            yield f"{len(others)} matches were not acknowledged, at most {self.unsure} can be"
        yield from self._told_otherwise(stored)

    def _told_otherwise(self, stored: dict[str, MatchRow]) -> Iterator[str]:
        for bot, match_id, rank in dict.fromkeys(self._told):
            row = stored.get(match_id)
            ranks = [seat.rank for seat in row.results if seat.bot == bot] if row else []
            if ranks != [rank]:
                yield f"{bot} was told rank {rank} in {match_id}, stored is {ranks}"
