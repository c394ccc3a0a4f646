"""TournamentService: starting, stopping and looking at tournaments."""

from typing import Any, Final

from paddock.v1 import tournament_pb2 as pb
from paddock.v1 import tournament_pb2_grpc
from paddock_ladder.schedules.changes import departed
from paddock_server.api.access import Access, organiser_only
from paddock_server.api.matches import summary
from paddock_server.api.refusal import abort
from paddock_server.arena.arena import Arena
from paddock_server.store import store, tournament_log, tournaments
from paddock_server.store.tournament_log import LogRow
from paddock_server.store.tournaments import TournamentRow
from paddock_server.toml_file import BadFile
from paddock_server.tournaments.amending import ClosedEntries
from paddock_server.tournaments.definition import entered_in, read_definition
from paddock_server.tournaments.desk import Desk, NoTournament, OtherTournament
from paddock_server.tournaments.log import sentence
from paddock_server.tournaments.report import Report, planned_of, stored_report

_PAGE: Final = 100
_UNKNOWN: Final = "there is no such tournament; see: paddock tournament list"
_STATES: Final = {
    "running": pb.TOURNAMENT_STATE_RUNNING,
    "stopped": pb.TOURNAMENT_STATE_STOPPED,
    "done": pb.TOURNAMENT_STATE_DONE,
    "upcoming": pb.TOURNAMENT_STATE_UPCOMING,
}


class Tournaments(tournament_pb2_grpc.TournamentServiceServicer):
    """What organisers run and everybody looks at."""

    def __init__(self, arena: Arena, desk: Desk, access: Access) -> None:
        self._arena = arena
        self._desk = desk
        self._access = access

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Any
    ) -> pb.StartTournamentResponse:
        """Start a tournament, or go on with it."""
        await organiser_only(self._access, context)
        if self._arena.draining:
            why = "the server is about to stop; come back in a moment"
            await abort(context, "server/draining", why)
        try:
            definition = read_definition(request.definition)
            resumed = await self._desk.open(definition, self._access.who)
        except BadFile as problem:
            await abort(context, "tournament/wrong", str(problem))
        except OtherTournament as problem:
            await abort(context, "tournament/other", str(problem))
        except ClosedEntries as problem:
            await abort(context, "tournament/refused", str(problem))
        return pb.StartTournamentResponse(
            tournament=await self._summary(definition.name, context), resumed=resumed
        )

    async def StopTournament(
        self, request: pb.StopTournamentRequest, context: Any
    ) -> pb.StopTournamentResponse:
        """Begin nothing more of a tournament."""
        await organiser_only(self._access, context)
        try:
            await self._desk.stop(request.name, self._access.who)
        except NoTournament as problem:
            await abort(context, "tournament/unknown", str(problem))
        return pb.StopTournamentResponse(tournament=await self._summary(request.name, context))

    async def ResumeTournament(
        self, request: pb.ResumeTournamentRequest, context: Any
    ) -> pb.ResumeTournamentResponse:
        """Go on with a tournament."""
        await organiser_only(self._access, context)
        try:
            await self._desk.resume(request.name, self._access.who)
        except NoTournament as problem:
            await abort(context, "tournament/unknown", str(problem))
        return pb.ResumeTournamentResponse(tournament=await self._summary(request.name, context))

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Any
    ) -> pb.ListTournamentsResponse:
        """A page of tournaments, the newest first."""
        size = min(request.page_size or _PAGE, _PAGE)
        started, _, name = request.page_token.partition(" ")
        after = (started, name) if request.page_token else None
        read = self._arena.database.read
        rows = await read(tournaments.list_tournaments, size + 1, after)
        more = f"{rows[size - 1].started} {rows[size - 1].name}" if len(rows) > size else ""
        shown = [
            tournament_summary(row, await read(tournaments.count_over, row.name))
            for row in rows[:size]
        ]
        return pb.ListTournamentsResponse(tournaments=shown, next_page_token=more)

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Any
    ) -> pb.GetTournamentResponse:
        """One tournament with its standings."""
        if request.summary_only:
            brief = await self._summary(request.name, context)
            return pb.GetTournamentResponse(tournament=brief)
        read = self._arena.database.read
        found = await read(stored_report, request.name)
        if found is None:
            await abort(context, "tournament/unknown", _UNKNOWN)
        answer = report_message(found)
        for state in ("open", "waiting"):
            room = _PAGE - len(answer.pairings)
            rows = await read(store.list_matches, None, room, state, "", "", request.name)
            answer.pairings.extend(summary(row) for row in rows)
        log = await read(tournament_log.list_log, request.name, _PAGE)
        answer.log.extend(map(log_message, log))
        return answer

    async def _summary(self, name: str, context: Any) -> pb.TournamentSummary:
        read = self._arena.database.read
        row = await read(tournaments.find_tournament, name)
        if row is None:
            await abort(context, "tournament/unknown", _UNKNOWN)
        return tournament_summary(row, await read(tournaments.count_over, name))


def tournament_summary(row: TournamentRow, over: int) -> pb.TournamentSummary:
    """A tournament in a list."""
    given = row.definition
    out = departed(row.changes, disqualified=True)
    return pb.TournamentSummary(
        name=row.name,
        schedule=given["schedule"],
        formats=given["formats"],
        bots=entered_in(row),
        state=_STATES[row.state],
        over=over,
        planned=planned_of(row, over),
        started=row.started,
        ended=row.ended,
        rated=given.get("rated", True),
        starts=given.get("starts", ""),
        entries_close=given.get("entries_close", ""),
        withdrawn=sorted(departed(row.changes) - out),
        disqualified=sorted(out),
    )


def log_message(row: LogRow) -> pb.TournamentLogLine:
    """A line of a tournament's log."""
    return pb.TournamentLogLine(
        number=row.number,
        at=row.at,
        who=row.who,
        event=row.event,
        bot=row.bot,
        match_id=row.match_id,
        why=row.why,
        text=sentence(row),
    )


def report_message(found: Report) -> pb.GetTournamentResponse:
    """How a tournament stands, without its pairings."""
    return pb.GetTournamentResponse(
        tournament=tournament_summary(found.row, found.over),
        standings=[
            pb.TournamentStanding(
                place=place,
                bot=line.bot,
                played=line.played,
                declared=line.declared,
                score=line.score.mean,
                points=line.points.mean,
                error=line.points.error,
                fallbacks=found.fallbacks.get(line.bot, 0),
            )
            for place, line in enumerate(found.standings, start=1)
        ],
        cross=[
            pb.TournamentCross(
                bot=bot, other=other, difference=met.mean, error=met.error, matches=met.matches
            )
            for (bot, other), met in found.cross.items()
        ],
    )
