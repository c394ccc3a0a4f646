"""Messages of a tournament: its summary, the bots it waits for and the lines of its log."""

from typing import Final

from paddock.v1 import tournament_pb2 as pb
from paddock_ladder.schedules.changes import departed
from paddock_server.lobby.presence import Hindrance
from paddock_server.store.tournament_log import LogRow
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import entered_in
from paddock_server.tournaments.log import sentence
from paddock_server.tournaments.progress import Progress
from paddock_server.tournaments.waiting import Situation, WaitedFor

_STATES: Final = {
    "running": pb.TOURNAMENT_STATE_RUNNING,
    "stopped": pb.TOURNAMENT_STATE_STOPPED,
    "done": pb.TOURNAMENT_STATE_DONE,
    "upcoming": pb.TOURNAMENT_STATE_UPCOMING,
}
_REASONS: Final = {
    Hindrance.AWAY: pb.WAIT_REASON_AWAY,
    Hindrance.FORMAT: pb.WAIT_REASON_FORMAT,
    Hindrance.PROBATION: pb.WAIT_REASON_PROBATION,
    Hindrance.BUSY: pb.WAIT_REASON_BUSY,
}


def tournament_summary(
    row: TournamentRow, far: Progress, situation: Situation, left_seconds: float | None
) -> pb.TournamentSummary:
    """The summary of a tournament."""
    definition = row.definition
    out = departed(row.changes, disqualified=True)
    return pb.TournamentSummary(
        name=row.name,
        schedule=definition.schedule,
        formats=definition.formats,
        bots=entered_in(row),
        state=_STATES[row.state],
        over=far.over,
        planned=far.planned,
        started=row.started,
        ended=row.ended,
        rated=definition.rated is not False,
        starts=definition.starts_at or "",
        entries_close=definition.entries_close or "",
        withdrawn=sorted(departed(row.changes) - out),
        disqualified=sorted(out),
        waiting=map(_waited_for, situation.waiting),
        note=situation.note,
        left_seconds=left_seconds,
        declared=far.declared,
    )


def _waited_for(absence: WaitedFor) -> pb.WaitedFor:
    return pb.WaitedFor(
        bot=absence.bot,
        reason=_REASONS[absence.reason],
        sentence=absence.sentence,
        formats=absence.formats,
        since=absence.since,
        matches=absence.matches,
        declared_at=absence.declared_at,
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
