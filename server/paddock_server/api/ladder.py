"""LadderService: standings, how they came about, and head to head."""

import math
from collections.abc import Mapping
from typing import Any, Final

from paddock.v1 import ladder_pb2 as pb
from paddock.v1 import ladder_pb2_grpc
from paddock_games import FORMATS, format_named
from paddock_ladder.row import LadderRow
from paddock_ladder.standing import LEVEL
from paddock_server.api.access import Access
from paddock_server.api.refusal import Refusal
from paddock_server.standings.ladders import Ladders
from paddock_server.standings.suspicions import Inspector
from paddock_server.standings.tables import Kind, head_to_head
from paddock_server.store import ratings, store
from paddock_server.store.database import Database
from paddock_server.store.epochs import Epoch

_PAGE: Final = 100
_BEST: Final = 10  # bots that are compared with each other, unless somebody wants more
_MOST: Final = 50
_TABLES: Final[Mapping[Kind, "pb.LadderTable.ValueType"]] = {
    Kind.STANDING: pb.LADDER_TABLE_STANDING,
    Kind.LIVE: pb.LADDER_TABLE_LIVE,
    Kind.POINTS: pb.LADDER_TABLE_POINTS,
}
_ROW_FIELDS: Final = {"rank_best": "best", "rank_worst": "worst"}
"""The fields of a row that the contract calls otherwise."""


class Ladder(ladder_pb2_grpc.LadderServiceServicer):
    """LadderService: ladders and comparisons for everybody, and epochs for organisers."""

    def __init__(
        self, database: Database, access: Access, ladders: Ladders, inspector: Inspector
    ) -> None:
        self._database = database
        self._access = access
        self._ladders = ladders
        self._inspector = inspector

    async def ListStandings(
        self, request: pb.ListStandingsRequest, context: Any
    ) -> pb.ListStandingsResponse:
        """A page of the standings."""
        size = min(request.page_size or _PAGE, _PAGE)
        first = _number(request.page_token) or 0
        kinds = {table: kind for kind, table in _TABLES.items()}
        kind = kinds.get(request.table, Kind.STANDING)
        ranking = await self._ladders.table(request.format, kind)
        rows, computed = ranking.rows, ranking.computed
        more = str(first + size) if len(rows) > first + size else ""
        return pb.ListStandingsResponse(
            standings=[standing(row) for row in rows[first : first + size]],
            next_page_token=more,
            level=LEVEL,
            bots=len(rows),
            table=_TABLES[ranking.kind],
            computed=computed.at if computed else "",
            matches=computed.matches if computed else 0,
            newer=computed.newer if computed else 0,
            epoch=_epoch(ranking.epoch) if ranking.epoch else None,
        )

    async def GetSuperiority(
        self, request: pb.GetSuperiorityRequest, context: Any
    ) -> pb.GetSuperiorityResponse:
        """The best bots against each other, by the standing."""
        most = min(request.bots or _BEST, _MOST)
        rows = await self._ladders.superiority(request.format, most)
        return pb.GetSuperiorityResponse(
            bots=[pb.Superiority(bot=row.bot, chances=row.chances) for row in rows]
        )

    async def ListRatings(
        self, request: pb.ListRatingsRequest, context: Any
    ) -> pb.ListRatingsResponse:
        """A page of a bot's rated matches."""
        size = min(request.page_size or _PAGE, _PAGE)
        before = _number(request.page_token)
        rows = await self._database.read(
            ratings.history, request.bot, request.format, before, size + 1
        )
        if not rows and before is None:
            why = f"{request.bot[:40]!r} has no rated match of {request.format[:40]!r}"
            raise Refusal("bot/unknown", f"{why}; see: paddock ladder")
        return pb.ListRatingsResponse(
            matches=[
                pb.RatedMatch(
                    match_id=row.match_id, ended=row.ended, version=row.version, seat=row.seat,
                    rank=row.rank, total=row.total, mu=row.rating.mu, sigma=row.rating.sigma,
                    order=row.order,
                )
                for row in rows[:size]
            ],
            next_page_token=str(rows[size - 1].order) if len(rows) > size else "",
        )  # fmt: skip

    async def GetHeadToHead(
        self, request: pb.GetHeadToHeadRequest, context: Any
    ) -> pb.GetHeadToHeadResponse:
        """Two bots against each other."""
        duel = await self._database.read(head_to_head, request.bot, request.other, request.format)
        if not duel.matches:
            for bot in (request.bot, request.other):
                if not await self._database.read(store.knows_bot, bot):
                    sentence = f"there is no bot {bot[:40]!r}; see: paddock bot list"
                    raise Refusal("bot/unknown", sentence)
            who = f"{request.bot[:40]} and {request.other[:40]}"
            raise Refusal("bot/unknown", f"{who} have not met in {request.format}")
        return pb.GetHeadToHeadResponse(
            matches=duel.matches,
            wins=duel.wins,
            draws=duel.draws,
            losses=duel.losses,
            difference=duel.mean,
            margin=duel.margin if math.isfinite(duel.margin) else None,
            superiority=duel.superiority,
        )

    async def ListSuspects(
        self, request: pb.ListSuspectsRequest, context: Any
    ) -> pb.ListSuspectsResponse:
        """The pairs of bots in which one wins too often."""
        self._access.organiser(context)
        names = [format_named(request.format).name] if request.format else list(FORMATS)
        pairs = await self._inspector.suspicions(names)
        return pb.ListSuspectsResponse(suspects=[pb.Suspect(**pair._asdict()) for pair in pairs])


def _number(token: str) -> int | None:
    if token and not (token.isascii() and token.isdecimal()):
        raise Refusal("page/bad_token", "use the next_page_token of the last page")
    return int(token[:18]) if token else None


def standing(row: LadderRow) -> pb.Standing:
    """A row of a table as its message: the fields of one are those of the other."""
    return pb.Standing(
        **{
            field.name: getattr(row, _ROW_FIELDS.get(field.name, field.name))
            for field in pb.Standing.DESCRIPTOR.fields
        }
    )


def _epoch(epoch: Epoch) -> pb.RatingEpoch:
    constants = epoch.parameters
    return pb.RatingEpoch(
        number=epoch.number,
        since=epoch.since,
        why=epoch.why,
        sigma=constants.sigma,
        beta=constants.beta,
        tau=constants.tau,
        draw_probability=constants.draw_probability,
    )
