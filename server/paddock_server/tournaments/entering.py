"""Entering what was handed in: the bots of a tournament with `entries = "submissions"`."""

from collections.abc import Sequence

from paddock_server.basics.toml_file import BadFile
from paddock_server.store.submissions import SubmissionRow
from paddock_server.store.tournament_file import FileBot
from paddock_server.store.tournament_log import LogRow
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import definition_of
from paddock_server.tournaments.log import SERVER, line


def with_entries(
    row: TournamentRow, handed_in: Sequence[SubmissionRow]
) -> tuple[TournamentRow, list[LogRow]]:
    """The tournament with these versions as its bots, and the lines of its log about that.

    Whoever plays none of its formats is left out. Where too few are left, it is stopped; the log
    says why.
    """
    wanted = [seating.format for seating in definition_of(row).formats]
    entered, log = [], []
    for each in handed_in:
        if each.formats and not set(wanted) <= set(each.formats):
            missing = ", ".join(name for name in wanted if name not in each.formats)
            why = f"left out: {each.bot} of {each.owner} does not play {missing}"
            log.append(line(row.name, SERVER, "change", why=why))
            continue
        entered.append(FileBot(each.bot, version=each.version))
        why = f"version {each.version} of {each.owner}, accepted {each.accepted}"
        log.append(line(row.name, SERVER, "entry", bot=each.bot, why=why))
    changed = row._replace(definition=row.definition._replace(bots=tuple(entered)))
    try:
        definition_of(changed)
    except BadFile as problem:
        log.append(line(row.name, SERVER, "stopped", why=problem.sentence))
        return row._replace(state="stopped"), log
    return changed, log
