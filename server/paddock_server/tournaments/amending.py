"""A tournament's file that changed: what may change once it runs, and what may not."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from paddock_ladder.schedules import Change, Departure, LateEntry
from paddock_server.basics.errors import ServerError
from paddock_server.basics.toml_file import BadFile
from paddock_server.store.tournament_log import LogRow
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import LADDER, Definition, definition_of, listed
from paddock_server.tournaments.log import line

_FREE: Final = ("patience_seconds", "entries_close")
_FREE_ON_A_LADDER: Final = ("matches", "at_once", "owners_may_meet")


class OtherTournament(ServerError):
    """Raised when a tournament can't become what a changed file says."""

    reason = "tournament/other"


class ClosedEntries(ServerError):
    """Raised when a bot is entered after entries_close."""

    reason = "tournament/refused"


class Difference(NamedTuple):
    """What one file says and another does not."""

    settings: tuple[str, ...]  # the keys that differ, but for bots
    added: tuple[str, ...]  # bots
    removed: tuple[str, ...]
    reordered: bool  # the others


def amended(
    row: TournamentRow, new: Definition, rounds: Mapping[str, int], now: datetime, who: str
) -> tuple[TournamentRow, list[LogRow]]:
    """The tournament as a changed file wants it, and what its log says of that."""
    found = difference(row.file, new.given)
    check_open(new, found.added, now)
    upcoming = row.state == "upcoming"
    changed = _remade(row, new, now) if upcoming else _adapted(row, new, found, rounds)
    log = []
    if found.settings:
        words = _words(row.file, new.given, found.settings)
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
    """Before the start all of it may change."""
    waits = new.starts is not None and new.starts > now
    return checked(
        row._replace(
            definition=new.kept(),
            state="upcoming" if waits else "running",
            changes=_before_it_began(row.changes, new),
            file=new.given,
        )
    )


def _adapted(
    row: TournamentRow, new: Definition, found: Difference, rounds: Mapping[str, int]
) -> TournamentRow:
    """Once it runs bots come late or withdraw, and a few settings may change."""
    _refuse(row, new, found)
    given = {key: each for key, each in row.definition.items() if key not in found.settings}
    given |= {key: new.given[key] for key in found.settings if key in new.given}
    there = definition_of(row).names
    changes = [LateEntry(bot, rounds) for bot in found.added if bot not in there]
    left = [Departure(bot, rounds) for bot in found.removed if bot in there]
    return checked(
        row._replace(definition=given, changes=(*row.changes, *changes, *left), file=new.given)
    )


def checked(row: TournamentRow) -> TournamentRow:
    """The same, unless its schedule can't go on so."""
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
            f"{', '.join(bots)}: entries of {definition.name} closed at "
            f"{definition.given['entries_close']}; nobody can be entered any more"
        )


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference:
    """What two files say differently; how bots are started makes no difference."""
    keys = [key for key in {**old, **new} if key != "bots"]
    settings = tuple(key for key in keys if old.get(key) != new.get(key))
    before, after = listed(old), listed(new)
    added = tuple(bot for bot in after if bot not in before)
    removed = tuple(bot for bot in before if bot not in after)
    stayed = [bot for bot in before if bot in after]
    return Difference(settings, added, removed, stayed != [bot for bot in after if bot in before])


def _refuse(row: TournamentRow, new: Definition, found: Difference) -> None:
    """Refuse what can't change once a tournament runs."""
    ladder = row.definition["schedule"] == LADDER
    free = _FREE + (_FREE_ON_A_LADDER if ladder else ())
    fixed = [key for key in found.settings if key not in free]
    if found.reordered:
        fixed.append("the order of the bots")
    if ladder and bool(listed(row.file)) != bool(new.bots):
        fixed.append("who may play")
    if fixed:
        raise OtherTournament(
            f"{', '.join(fixed)} can't change once {row.name} runs; give it another name"
        )
    if row.state == "done" and (found.settings or found.added or found.removed):
        raise OtherTournament(f"{row.name} is done and can't change; give it another name")


def _before_it_began(changes: Sequence[Change], new: Definition) -> tuple[Change, ...]:
    """Of the changes those that a new list of bots does not make by itself."""
    named = {bot.name for bot in new.bots}
    late = {c.bot for c in changes if isinstance(c, LateEntry) and c.bot not in named}
    return tuple(
        change
        for change in changes
        if (isinstance(change, LateEntry) and change.bot in late)
        or (isinstance(change, Departure) and change.bot in late | named)
    )


def _words(old: Mapping[str, Any], new: Mapping[str, Any], keys: Sequence[str]) -> str:
    return "; ".join(f"{key} {_shown(old, key)} -> {_shown(new, key)}" for key in keys)


def _shown(given: Mapping[str, Any], key: str) -> str:
    return str(given[key]) if key in given else "not given"
