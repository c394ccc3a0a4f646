"""LadderService: standings, how they came about, and head to head."""

import math
from collections.abc import Mapping
from typing import Any, Final

from paddock.v1 import ladder_pb2 as pb
from paddock.v1 import ladder_pb2_grpc
from paddock_games import FORMATS, BadRules, format_named
from paddock_ladder.standing import LEVEL
from paddock_server.api.access import Access, organiser_only
from paddock_server.api.refusal import abort
from paddock_server.arena.arena import Arena
from paddock_server.standings.suspicions import Inspector, NotInspected
from paddock_server.standings.tables import Kind, Line, head_to_head, superiority, table
from paddock_server.store import ratings, store
from paddock_server.store.epochs import Epoch

_PAGE: Final = 100
_BEST: Final = 10  # bots that are compared with each other, unless somebody wants more
_MOST: Final = 50
_TABLES: Final[Mapping[Kind, "pb.LadderTable.ValueType"]] = {
    Kind.STANDING: pb.LADDER_TABLE_STANDING,
    Kind.LIVE: pb.LADDER_TABLE_LIVE,
    Kind.POINTS: pb.LADDER_TABLE_POINTS,
}


class Ladder(ladder_pb2_grpc.LadderServiceServicer):
    """What everybody looks at, and what organisers do."""

    def __init__(self, arena: Arena, access: Access, inspector: Inspector) -> None:
        self._arena = arena
        self._access = access
        self._inspector = inspector

    async def ListStandings(
        self, request: pb.ListStandingsRequest, context: Any
    ) -> pb.ListStandingsResponse:
        """A page of the standings."""
        size = min(request.page_size or _PAGE, _PAGE)
        first = await self._number(request.page_token, context) or 0
        kinds = {table: kind for kind, table in _TABLES.items()}
        kind = kinds.get(request.table, Kind.STANDING)
        try:
            ranking = await self._arena.database.read(table, request.format, kind)
        except BadRules as problem:
            await abort(context, "format/unknown", str(problem))
        lines, computed = ranking.lines, ranking.computed
        more = str(first + size) if len(lines) > first + size else ""
        return pb.ListStandingsResponse(
            standings=[standing(line) for line in lines[first : first + size]],
            next_page_token=more,
            level=LEVEL,
            bots=len(lines),
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
        try:
            rows = await self._arena.database.read(superiority, request.format, most)
        except BadRules as problem:
            await abort(context, "format/unknown", str(problem))
        return pb.GetSuperiorityResponse(
            bots=[pb.Superiority(bot=row.bot, chances=row.chances) for row in rows]
        )

    async def ListRatings(
        self, request: pb.ListRatingsRequest, context: Any
    ) -> pb.ListRatingsResponse:
        """A page of a bot's rated matches."""
        size = min(request.page_size or _PAGE, _PAGE)
        before = await self._number(request.page_token, context)
        rows = await self._arena.database.read(
            ratings.history, request.bot, request.format, before, size + 1
        )
        if not rows and before is None:
            why = f"{request.bot[:40]!r} has no rated match of {request.format[:40]!r}"
            await abort(context, "bot/unknown", f"{why}; see: paddock ladder")
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
        try:
            found = await self._arena.database.read(
                head_to_head, request.bot, request.other, request.format
            )
        except BadRules as problem:
            await abort(context, "format/unknown", str(problem))
        if not found.matches:
            for bot in (request.bot, request.other):
                if not await self._arena.database.read(store.knows_bot, bot):
                    sentence = f"there is no bot {bot[:40]!r}; see: paddock bot list"
                    await abort(context, "bot/unknown", sentence)
            who = f"{request.bot[:40]} and {request.other[:40]}"
            await abort(context, "bot/unknown", f"{who} have not met in {request.format}")
        return pb.GetHeadToHeadResponse(
            matches=found.matches,
            wins=found.wins,
            draws=found.draws,
            losses=found.losses,
            difference=found.mean,
            margin=found.margin if math.isfinite(found.margin) else None,
            superiority=found.superiority,
        )

    async def ListSuspects(
        self, request: pb.ListSuspectsRequest, context: Any
    ) -> pb.ListSuspectsResponse:
        """The pairs of bots in which one wins too often."""
        await organiser_only(self._access, context)
        try:
            names = [format_named(request.format).name] if request.format else list(FORMATS)
            pairs = await self._inspector.suspicions(names)
        except BadRules as problem:
            await abort(context, "format/unknown", str(problem))
        except NotInspected as problem:
            await abort(context, "ladder/not_inspected", str(problem))
        return pb.ListSuspectsResponse(suspects=[pb.Suspect(**pair._asdict()) for pair in pairs])

    async def _number(self, token: str, context: Any) -> int | None:
        if token and not (token.isascii() and token.isdecimal()):
            await abort(context, "page/bad_token", "use the next_page_token of the last page")
        return int(token[:18]) if token else None


def standing(line: Line) -> pb.Standing:
    """A line of a table."""
    place, row = line.place, line.row
    return pb.Standing(
        rank=place.rank if place else 0,
        rank_best=place.best if place else 0,
        rank_worst=place.worst if place else 0,
        bot=row.bot,
        owner=row.owner,
        language=row.language,
        version=row.version,
        rating=row.rating.conservative,
        mu=row.rating.mu,
        sigma=row.rating.sigma,
        matches=row.matches,
        points=row.points_a_match,
        wins=row.wins,
        faults=row.faults,
        fallbacks=row.fallbacks,
        forfeits=row.forfeits,
        change=row.change,
        changed=row.changed,
        provisional=line.provisional,
        idle=line.idle,
        whole_mu=line.whole.mu if line.whole else None,
        whole_sigma=line.whole.sigma if line.whole else None,
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
