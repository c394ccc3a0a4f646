"""Changed files of tournaments: what may change once a tournament runs, and what may not."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from paddock_ladder.schedules import Change, Departure, LateEntry
from paddock_server.basics.errors import ServerError
from paddock_server.basics.toml_file import BadFile
from paddock_server.store.tournament_file import TournamentFile
from paddock_server.store.tournament_log import LogRow
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import LADDER, Definition, definition_of
from paddock_server.tournaments.log import line
from paddock_server.tournaments.reading import KEYS

_FREE: Final = ("patience_seconds", "entries_close")
_FREE_ON_A_LADDER: Final = ("matches", "at_once", "owners_may_meet")


class OtherTournament(ServerError):
    """Raised when a tournament can't be changed as its new file says."""

    reason = "tournament/other"


class ClosedEntries(ServerError):
    """Raised when a bot is entered after entries_close."""

    reason = "tournament/refused"


class Difference(NamedTuple):
    """The difference between two files of a tournament."""

    settings: tuple[str, ...]  # the keys that differ, except bots
    added: tuple[str, ...]  # bots
    removed: tuple[str, ...]
    reordered: bool  # the bots that are in both files


def amended(
    row: TournamentRow, new: Definition, rounds: Mapping[str, int], now: datetime, who: str
) -> tuple[TournamentRow, list[LogRow]]:
    """The tournament as a changed file wants it, and the lines of its log about the change."""
    old = row.file or row.definition
    wanted = difference(old, new.file)
    check_open(new, wanted.added, now)
    upcoming = row.state == "upcoming"
    changed = _remade(row, new, now) if upcoming else _adapted(row, new, wanted, rounds)
    log = []
    if wanted.settings:
        words = _words(old, new.file, wanted.settings)
        log.append(line(row.name, who, "change", why=words))
    before, after = definition_of(row).names, definition_of(changed).names
    log += [
        line(row.name, who, event, bot=bot, why=why)
        for event, why, bots in (
            ("entry", "added to the file", [bot for bot in after if bot not in before]),
            ("withdrawal", "removed from the file", [bot for bot in before if bot not in after]),
        )
        for bot in bots
    ]
    return changed, log


def _remade(row: TournamentRow, new: Definition, now: datetime) -> TournamentRow:
    """The tournament as the new file says; before the start everything may change."""
    waits = new.starts is not None and new.starts > now
    return checked(
        row._replace(
            definition=new.stored,
            state="upcoming" if waits else "running",
            changes=_before_it_began(row.changes, new),
            file=new.file,
        )
    )


def _adapted(
    row: TournamentRow, new: Definition, wanted: Difference, rounds: Mapping[str, int]
) -> TournamentRow:
    """The running tournament with its late entries, withdrawals and changed settings."""
    _refuse(row, new, wanted)
    changed = {key: getattr(new.file, key) for key in wanted.settings}
    names = definition_of(row).names
    late = [LateEntry(bot, rounds) for bot in wanted.added if bot not in names]
    left = [Departure(bot, rounds) for bot in wanted.removed if bot in names]
    return checked(
        row._replace(
            definition=row.definition._replace(**changed),
            changes=(*row.changes, *late, *left),
            file=new.file,
        )
    )


def checked(row: TournamentRow) -> TournamentRow:
    """The same tournament; raises OtherTournament if its schedule can't go on with the changes."""
    try:
        definition_of(row)
    except BadFile as problem:
        raise OtherTournament(str(problem)) from None
    return row


def check_open(definition: Definition, bots: Sequence[str], now: datetime) -> None:
    """Refuse bots that are entered after the entries closed."""
    closed = definition.entries_close
    if bots and closed is not None and closed <= now:
        raise ClosedEntries(
            f"entries of {definition.name} closed at {definition.file.entries_close}; "
            f"{', '.join(bots)} can't enter any more"
        )


def difference(old: TournamentFile, new: TournamentFile) -> Difference:
    """The difference between two files; the commands of bots are ignored."""
    keys = [key for key in KEYS if key != "bots"]
    settings = tuple(key for key in keys if getattr(old, key) != getattr(new, key))
    before, after = old.bot_names, new.bot_names
    added = tuple(bot for bot in after if bot not in before)
    removed = tuple(bot for bot in before if bot not in after)
    stayed = [bot for bot in before if bot in after]
    return Difference(settings, added, removed, stayed != [bot for bot in after if bot in before])


def _refuse(row: TournamentRow, new: Definition, wanted: Difference) -> None:
    """Refuse what can't change once a tournament runs."""
    ladder = row.definition.schedule == LADDER
    free = _FREE + (_FREE_ON_A_LADDER if ladder else ())
    fixed = [key for key in wanted.settings if key not in free]
    if wanted.reordered:
        fixed.append("the order of the bots")
    if ladder and bool((row.file or row.definition).bots) != bool(new.bots):
        fixed.append("who may play")
    if fixed:
        raise OtherTournament(
            f"{', '.join(fixed)} can't change once {row.name} runs; use another name"
        )
    if row.state == "done" and (wanted.settings or wanted.added or wanted.removed):
        raise OtherTournament(f"{row.name} is done and can't change; use another name")


def _before_it_began(changes: Sequence[Change], new: Definition) -> tuple[Change, ...]:
    """The changes that still apply with a new list of bots."""
    named = {bot.name for bot in new.bots}
    late = {c.bot for c in changes if isinstance(c, LateEntry) and c.bot not in named}
    return tuple(
        change
        for change in changes
        if (isinstance(change, LateEntry) and change.bot in late)
        or (isinstance(change, Departure) and change.bot in late | named)
    )


def _words(old: TournamentFile, new: TournamentFile, keys: Sequence[str]) -> str:
    before, after = old.written(), new.written()
    return "; ".join(f"{key} {_shown(before, key)} -> {_shown(after, key)}" for key in keys)


def _shown(written: Mapping[str, object], key: str) -> str:
    value = written.get(key, "not given")
    whole = isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if whole else str(value)
