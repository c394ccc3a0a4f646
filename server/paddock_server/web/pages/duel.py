"""The page of two bots head to head."""

import math
from typing import NamedTuple

from paddock_games import FORMATS
from paddock_server.standings import tables as standings
from paddock_server.store import pages
from paddock_server.store.database import Database
from paddock_server.web.page import Page
from paddock_server.web.pages.matches import NAME
from paddock_server.web.visit import Missing, Parameter, Visit


class DuelValues(NamedTuple):
    """The matches of two bots at the same tables, seen from the first."""

    bot: str
    other: str
    format: str
    matches: int
    blocks: int  # independent measurements: matches of a block share a deal
    wins: int
    draws: int
    losses: int
    difference: float  # points per match
    margin: float | None  # half the width of the 95 % interval of the difference
    superiority: float  # the likelihood that the first is truly ahead


class Duels:
    """The pages of two bots head to head."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def values(self, visit: Visit) -> DuelValues:
        """Two bots in one format."""
        bot, other = visit.path["bot"], visit.query["other"]
        format_name = visit.query["format"] or next(iter(FORMATS))
        for name in (bot, other):
            if not await self._database.read(pages.last_seats, name, 1):
                raise Missing(f"{name} has not played yet; look for it on the ladder")
        duel = await self._database.read(standings.head_to_head, bot, other, format_name)
        return DuelValues(
            bot=bot,
            other=other,
            format=format_name,
            matches=duel.matches,
            blocks=duel.blocks,
            wins=duel.wins,
            draws=duel.draws,
            losses=duel.losses,
            difference=duel.mean,
            margin=duel.margin if math.isfinite(duel.margin) else None,
            superiority=duel.superiority,
        )

    def pages(self) -> list[Page]:
        """The page of two bots."""
        name = Parameter("bot", "The first bot.", pattern=NAME)
        query = (
            Parameter("other", "The bot to compare with.", pattern=NAME, required=True),
            Parameter("format", "The format; summer if not given.", among=("", *FORMATS)),
        )
        summary = "Two bots at the same tables: wins, points, and how sure that is."
        return [
            Page(
                address="/bots/{bot}/against",
                summary=summary,
                kind=DuelValues,
                values=self.values,
                template="against.html",
                in_path=(name,),
                in_query=query,
            ),
        ]
