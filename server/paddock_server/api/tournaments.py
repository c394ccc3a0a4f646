"""TournamentService, first half: starts, stops, resumes and reads tournaments."""

import asyncio
from typing import Any, Final

from paddock.v1 import tournament_pb2 as pb
from paddock.v1 import tournament_pb2_grpc
from paddock_server.api.access import Access
from paddock_server.api.matches import summary
from paddock_server.api.refusal import Refusal
from paddock_server.api.standings import criterion, cross, format_table, standing
from paddock_server.api.tournament_summary import log_message, tournament_summary
from paddock_server.basics.toml_file import BadFile
from paddock_server.lobby.drain import Drain
from paddock_server.store import store, tournament_log, tournaments
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchFilter
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import read_definition
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.progress import declarations, progress
from paddock_server.tournaments.report import stored_report
from paddock_server.tournaments.waiting import Situation

_PAGE: Final = 100
_UNKNOWN: Final = "there is no such tournament; see: paddock tournament list"


class Tournaments(tournament_pb2_grpc.TournamentServiceServicer):
    """TournamentService without the methods that change entries and matches."""

    def __init__(self, database: Database, drain: Drain, desk: Desk, access: Access) -> None:
        self._database = database
        self._drain = drain
        self._desk = desk
        self._access = access

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Any
    ) -> pb.StartTournamentResponse:
        """Start a tournament, or resume one that was stopped."""
        self._access.organiser(context)
        self._drain.check()
        try:
            # It is a program's or a person's, and may take a while to read.
            definition = await asyncio.to_thread(read_definition, request.definition)
            resumed = await self._desk.open(definition, self._access.who)
        except BadFile as problem:
            raise Refusal("tournament/wrong", str(problem)) from None
        return pb.StartTournamentResponse(
            tournament=await self._summary(definition.name), resumed=resumed
        )

    async def StopTournament(
        self, request: pb.StopTournamentRequest, context: Any
    ) -> pb.StopTournamentResponse:
        """Stop a tournament: no match of it begins."""
        self._access.organiser(context)
        await self._desk.stop(request.name, self._access.who)
        return pb.StopTournamentResponse(tournament=await self._summary(request.name))

    async def ResumeTournament(
        self, request: pb.ResumeTournamentRequest, context: Any
    ) -> pb.ResumeTournamentResponse:
        """Resume a tournament that was stopped."""
        self._access.organiser(context)
        await self._desk.resume(request.name, self._access.who)
        return pb.ResumeTournamentResponse(tournament=await self._summary(request.name))

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Any
    ) -> pb.ListTournamentsResponse:
        """A page of tournaments, the newest first."""
        size = min(request.page_size or _PAGE, _PAGE)
        started, _, name = request.page_token.partition(" ")
        after = (started, name) if request.page_token else None
        read = self._database.read
        rows = await read(tournaments.list_tournaments, size + 1, after)
        more = f"{rows[size - 1].started} {rows[size - 1].name}" if len(rows) > size else ""
        shown = [await self._described(row) for row in rows[:size]]
        return pb.ListTournamentsResponse(tournaments=shown, next_page_token=more)

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Any
    ) -> pb.GetTournamentResponse:
        """One tournament with its standings."""
        brief = await self._summary(request.name)
        if request.summary_only:
            return pb.GetTournamentResponse(tournament=brief)
        read = self._database.read
        report = await read(stored_report, request.name)
        if report is None:
            raise Refusal("tournament/unknown", _UNKNOWN)
        answer = pb.GetTournamentResponse(
            tournament=brief,
            standings=map(standing, report.overall.lines),
            cross=cross(report.overall),
            criteria=map(criterion, report.overall.criteria),
            rule=report.overall.rule,
            tables=map(format_table, report.formats),
            declarations=[
                pb.Declaration(
                    match_id=declaration.match,
                    format=declaration.format,
                    round=declaration.round,
                    winners=declaration.winners,
                    absent=declaration.absent,
                    declared=declaration.declared,
                )
                for declaration in await read(declarations, request.name)
            ],
        )
        for state in ("open", "waiting"):
            room = _PAGE - len(answer.pairings)
            rows = await read(
                store.list_matches, None, room, MatchFilter(state, tournament=request.name)
            )
            answer.pairings.extend(summary(row) for row in rows)
        log = await read(tournament_log.list_log, request.name, _PAGE)
        answer.log.extend(map(log_message, log))
        return answer

    async def _summary(self, name: str) -> pb.TournamentSummary:
        row = await self._database.read(tournaments.find_tournament, name)
        if row is None:
            raise Refusal("tournament/unknown", _UNKNOWN)
        return await self._described(row)

    async def _described(self, row: TournamentRow) -> pb.TournamentSummary:
        far = await self._database.read(progress, row)
        if row.state != "running":
            return tournament_summary(row, far, Situation(), None)
        left = self._desk.left_seconds(row.name, far.planned - far.over)
        return tournament_summary(row, far, self._desk.waiting.of(row.name), left)
