"""The log of a tournament: lines about what organisers and the server did, in words."""

from typing import Final

from paddock_server.basics.identity import stamp
from paddock_server.store.tournament_log import LogRow

ORGANISER: Final = "organiser"  # with the organiser's token
OPERATOR: Final = "local operator"  # on a server without tokens
SERVER: Final = "server"

_WORDS: Final = {
    "opened": "opened",
    "begun": "begun",
    "stopped": "stopped",
    "resumed": "resumed",
    "done": "all played",
    "entry": "{bot} entered",
    "withdrawal": "{bot} withdrew",
    "disqualification": "{bot} was disqualified",
    "replay": "match {match} is played again",
    "declaration": "match {match} was declared against {bot}",
    "void": "match {match} was voided",
    "change": "the file changed",
}


def line(
    tournament: str, who: str, event: str, *, bot: str = "", match_id: str = "", why: str = ""
) -> LogRow:
    """A line of a tournament's log, as of now."""
    return LogRow(
        tournament=tournament, at=stamp(), who=who, event=event, bot=bot, match_id=match_id, why=why
    )


def sentence(row: LogRow) -> str:
    """The sentence for a line of the log."""
    words = _WORDS[row.event].format(bot=row.bot, match=row.match_id)
    return f"{words}: {row.why}" if row.why else words
