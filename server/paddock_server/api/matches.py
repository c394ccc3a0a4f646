"""MatchService: starts, finds, exports and voids matches."""

import json
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc

from paddock.v1 import arena_pb2, match_pb2
from paddock_games import format_named
from paddock_server.api.access import Access
from paddock_server.api.refusal import Refusal
from paddock_server.api.watching import Watching
from paddock_server.basics.name import HOUSE
from paddock_server.basics.printable import printable_reason
from paddock_server.lobby.lobby import Lobby
from paddock_server.store import store, tournaments
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchFilter, MatchRow
from paddock_server.tournaments.changes import Changes, Voiding
from paddock_server.tournaments.telling import Telling
from paddock_server.wire.items import seat_result

_PAGE: Final = 100
_MOST: Final = 10_000
_UNKNOWN: Final = "there is no such match; see: paddock match list"
_STATES: Final = {
    "waiting": match_pb2.MATCH_STATE_WAITING,
    "open": match_pb2.MATCH_STATE_OPEN,
    "finished": match_pb2.MATCH_STATE_FINISHED,
    "declared": match_pb2.MATCH_STATE_DECLARED,
    "stuck": match_pb2.MATCH_STATE_STUCK,
}


class Matches:
    """MatchService: organisers start and void matches, and everybody reads them."""

    def __init__(
        self,
        database: Database,
        lobby: Lobby,
        watching: Watching,
        *,
        access: Access,
        changes: Changes,
        telling: Telling,
    ) -> None:
        self._database = database
        self._lobby = lobby
        self._watching = watching
        self._access = access
        self._changes = changes
        self._telling = telling

    def handlers(self) -> "dict[str, grpc.RpcMethodHandler[Any, Any]]":
        """The methods by name; WatchMatch streams bytes that are already serialized."""
        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "WatchMatch": grpc.unary_stream_rpc_method_handler(
                self._watching.WatchMatch, match_pb2.WatchMatchRequest.FromString, None
            )
        }
        handlers["ExportRecords"] = grpc.unary_stream_rpc_method_handler(
            self.ExportRecords,
            match_pb2.ExportRecordsRequest.FromString,
            match_pb2.ExportRecordsResponse.SerializeToString,
        )
        for name in ("StartMatches", "ListMatches", "GetMatch", "VoidMatch", "RetryMatch"):
            handlers[name] = grpc.unary_unary_rpc_method_handler(
                getattr(self, name),
                getattr(match_pb2, f"{name}Request").FromString,
                getattr(match_pb2, f"{name}Response").SerializeToString,
            )
        return handlers

    async def StartMatches(
        self, request: match_pb2.StartMatchesRequest, context: Any
    ) -> match_pb2.StartMatchesResponse:
        """Start matches; they wait for their bots."""
        self._access.organiser(context)
        return match_pb2.StartMatchesResponse(match_ids=await self._start(request))

    async def _start(self, request: match_pb2.StartMatchesRequest) -> list[str]:
        self._lobby.drain.check()
        if not request.bots:
            raise Refusal("bot/unknown", "bots is empty; name at least one bot")
        if request.count > _MOST:
            sentence = (
                f"count {request.count} is too large; start at most {_MOST} matches at a time"
            )
            raise Refusal("rules/unknown", sentence)
        for bot in set(request.bots):
            known = await self._database.read(store.find_bot, bot)
            if known is None and not bot.startswith(HOUSE):
                raise Refusal("bot/unknown", f"there is no bot {bot[:40]!r}; see: paddock bot list")
        try:
            rules = json.loads(request.rules) if request.rules.startswith("{") else request.rules
        except (ValueError, RecursionError):
            sentence = "rules are not valid JSON; give a JSON object or the name of a preset"
            raise Refusal("rules/unknown", sentence) from None
        try:
            return await self._lobby.add_matches(
                request.format,
                list(request.bots),
                request.count or 1,
                seats=request.seats or None,
                rules=rules or None,
                rated=not request.unrated,
            )
        except KeyError as unknown:
            raise Refusal("bot/unknown", f"there is no house bot {unknown}") from None

    async def ListMatches(
        self, request: match_pb2.ListMatchesRequest, context: Any
    ) -> match_pb2.ListMatchesResponse:
        """A page of matches, the newest first."""
        size = min(request.page_size or _PAGE, _PAGE)
        token = request.page_token
        if token and not (token.isascii() and token.isdecimal()):
            sentence = "page_token is invalid; use the next_page_token of the last page"
            raise Refusal("page/bad_token", sentence)
        await self._check_known(request)
        before = int(token[:18]) if token else None
        state = next((name for name, state in _STATES.items() if state == request.state), "")
        rows = await self._database.read(
            store.list_matches,
            before,
            size + 1,
            MatchFilter(state, request.bot, request.format, request.tournament),
        )
        more = str(rows[size - 1].number) if len(rows) > size else ""
        return match_pb2.ListMatchesResponse(
            matches=[summary(row) for row in rows[:size]], next_page_token=more
        )

    async def GetMatch(
        self, request: match_pb2.GetMatchRequest, context: Any
    ) -> match_pb2.GetMatchResponse:
        """One match."""
        match = await self._database.read(store.find_match, request.match_id)
        if match is None:
            raise Refusal("match/unknown", _UNKNOWN)
        row, record = match
        if record and not await self._telling.is_told(row.plan, row.tournament, row.block):
            record = ""
        return match_pb2.GetMatchResponse(match=summary(row), record_json=record)

    async def ExportRecords(
        self, request: match_pb2.ExportRecordsRequest, context: Any
    ) -> AsyncIterator[match_pb2.ExportRecordsResponse]:
        """The records of finished matches, the oldest first."""
        await self._check_known(request)
        wanted = MatchFilter("finished", request.bot, request.format, request.tournament)
        after = 0
        while True:
            page = await self._database.read(store.list_records, after, _PAGE, wanted)
            for row, record in page:
                if await self._telling.is_told(row.plan, row.tournament, row.block):
                    yield match_pb2.ExportRecordsResponse(record_json=record)
            if len(page) < _PAGE:
                return
            after = page[-1][0].number

    async def _check_known(
        self, request: match_pb2.ListMatchesRequest | match_pb2.ExportRecordsRequest
    ) -> None:
        """Refuse a call about a bot, a format or a tournament that does not exist."""
        read = self._database.read
        if request.format:
            format_named(request.format)
        bot = request.bot
        if bot and not bot.startswith(HOUSE) and not await read(store.knows_bot, bot):
            sentence = f"there is no bot {bot[:40]!r}; see: paddock bot list"
            raise Refusal("bot/unknown", sentence)
        name = request.tournament
        if name and await read(tournaments.find_tournament, name) is None:
            sentence = f"there is no tournament {name[:40]!r}; see: paddock tournament list"
            raise Refusal("tournament/unknown", sentence)

    async def VoidMatch(
        self, request: match_pb2.VoidMatchRequest, context: Any
    ) -> match_pb2.VoidMatchResponse:
        """Declare that a match does not count."""
        self._access.organiser(context)
        match = await self._database.read(store.find_match, request.match_id)
        if match is None:
            raise Refusal("match/unknown", _UNKNOWN)
        row, _ = match
        if row.state != "finished" and not (row.state in ("declared", "stuck") and row.tournament):
            sentence = f"match {row.id} is {row.state}; void it when it is over"
            raise Refusal("match/not_over", sentence)
        reason = printable_reason(request.reason) or "voided by the organiser"
        voiding = Voiding(reason, request.replay, tuple(request.declare))
        again = await self._changes.void(row, voiding, self._access.who)
        return match_pb2.VoidMatchResponse(
            match=summary(row._replace(void=reason)), rated_again=again
        )

    async def RetryMatch(
        self, request: match_pb2.RetryMatchRequest, context: Any
    ) -> match_pb2.RetryMatchResponse:
        """Go on with a match that was set aside."""
        self._access.organiser(context)
        self._lobby.drain.check()
        match = await self._database.read(store.find_match, request.match_id)
        if match is None:
            raise Refusal("match/unknown", _UNKNOWN)
        if not await self._lobby.retry(request.match_id):
            sentence = f"match {match[0].id} is {match[0].state}; only a stuck match is retried"
            raise Refusal("match/not_stuck", sentence)
        again = await self._database.read(store.find_match, request.match_id)
        return match_pb2.RetryMatchResponse(match=summary(again[0] if again else match[0]))


def summary(row: MatchRow) -> match_pb2.MatchSummary:
    """The summary of a match, for lists."""
    return match_pb2.MatchSummary(
        match_id=row.id,
        format=row.format,
        state=_STATES[row.state],
        seats=[
            arena_pb2.Seat(
                bot=entrant.bot,
                version=entrant.version,
                owner=entrant.owner,
                cpu_share=entrant.cpu_share,
            )
            for entrant in row.entrants
        ],
        results=map(seat_result, row.results),
        started=row.started,
        ended=row.ended,
        tournament=row.tournament,
        block=row.block,
        round=row.round,
        void_reason=row.void,
    )
