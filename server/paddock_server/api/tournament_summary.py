"""A tournament in a list, whom it waits for, and the lines of its log, as messages."""

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
    """A tournament in a list."""
    given = row.definition
    out = departed(row.changes, disqualified=True)
    return pb.TournamentSummary(
        name=row.name,
        schedule=given["schedule"],
        formats=given["formats"],
        bots=entered_in(row),
        state=_STATES[row.state],
        over=far.over,
        planned=far.planned,
        started=row.started,
        ended=row.ended,
        rated=given.get("rated", True),
        starts=given.get("starts", ""),
        entries_close=given.get("entries_close", ""),
        withdrawn=sorted(departed(row.changes) - out),
        disqualified=sorted(out),
        waiting=map(_waited_for, situation.waiting),
        note=situation.note,
        left_seconds=left_seconds,
        declared=far.declared,
    )


def _waited_for(each: WaitedFor) -> pb.WaitedFor:
    return pb.WaitedFor(
        bot=each.bot,
        reason=_REASONS[each.reason],
        sentence=each.sentence,
        formats=each.formats,
        since=each.since,
        matches=each.matches,
        declared_at=each.declared_at,
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
