"""TournamentService, second half: entries, withdrawals, replays and the log of changes."""

from typing import Any, Final

from paddock.v1 import tournament_pb2 as pb
from paddock_server.api.access import Access
from paddock_server.api.refusal import Refusal
from paddock_server.api.tournament_summary import log_message
from paddock_server.api.tournaments import Tournaments
from paddock_server.basics.printable import printable_reason
from paddock_server.lobby.drain import Drain
from paddock_server.store import store, tournament_log
from paddock_server.store.database import Database
from paddock_server.tournaments.changes import Changes, Voiding
from paddock_server.tournaments.desk import Desk

_PAGE: Final = 100


class TournamentChanges(Tournaments):
    """TournamentService with all its methods."""

    def __init__(
        self, database: Database, drain: Drain, desk: Desk, access: Access, changes: Changes
    ) -> None:
        super().__init__(database, drain, desk, access)
        self._changes = changes

    async def EnterBot(self, request: pb.EnterBotRequest, context: Any) -> pb.EnterBotResponse:
        """Enter a bot late."""
        self._check(context)
        work = self._changes.enter(request.name, request.bot, self._access.who)
        entered = await work
        return pb.EnterBotResponse(
            tournament=await self._summary(request.name), entered_before=not entered
        )

    async def WithdrawBot(
        self, request: pb.WithdrawBotRequest, context: Any
    ) -> pb.WithdrawBotResponse:
        """Withdraw a bot; it keeps its results."""
        self._check(context)
        who = self._access.who
        work = self._changes.withdraw(request.name, request.bot, who, printable_reason(request.why))
        await work
        return pb.WithdrawBotResponse(tournament=await self._summary(request.name))

    async def DisqualifyBot(
        self, request: pb.DisqualifyBotRequest, context: Any
    ) -> pb.DisqualifyBotResponse:
        """Disqualify a bot; its matches count as lost."""
        self._check(context)
        who = self._access.who
        work = self._changes.disqualify(
            request.name, request.bot, who, printable_reason(request.why)
        )
        await work
        return pb.DisqualifyBotResponse(tournament=await self._summary(request.name))

    async def ReplayMatch(
        self, request: pb.ReplayMatchRequest, context: Any
    ) -> pb.ReplayMatchResponse:
        """Void a match and play it again."""
        self._check(context)
        match = await self._database.read(store.find_match, request.match_id)
        if match is None or match[0].tournament != request.name:
            name = request.name[:40]
            why = f"tournament {name} has no such match; see: paddock match list --tournament"
            raise Refusal("match/unknown", why)
        row, _ = match
        if row.state not in ("finished", "declared", "stuck"):
            why = f"match {row.id} is {row.state}; replay it when it is over"
            raise Refusal("match/not_over", why)
        voiding = Voiding(printable_reason(request.why) or "played again", replay=True)
        again = await self._changes.void(row, voiding, self._access.who)
        return pb.ReplayMatchResponse(
            tournament=await self._summary(request.name), rated_again=again
        )

    async def GetTournamentLog(
        self, request: pb.GetTournamentLogRequest, context: Any
    ) -> pb.GetTournamentLogResponse:
        """A page of a tournament's log."""
        await self._summary(request.name)
        size = min(request.page_size or _PAGE, _PAGE)
        token = request.page_token
        if token and not (token.isascii() and token.isdecimal()):
            sentence = "page_token is invalid; use the next_page_token of the last page"
            raise Refusal("page/bad_token", sentence)
        before = int(token[:9]) if token else None
        read = self._database.read
        rows = await read(tournament_log.list_log, request.name, size + 1, before)
        more = str(rows[size - 1].number) if len(rows) > size else ""
        return pb.GetTournamentLogResponse(
            lines=map(log_message, rows[:size]), next_page_token=more
        )

    def _check(self, context: Any) -> None:
        self._access.organiser(context)
        self._drain.check()
