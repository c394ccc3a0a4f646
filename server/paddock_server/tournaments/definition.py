"""The definition of a tournament: its TOML file, checked before anything starts."""

import shlex
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from paddock_games import GAMES, GamesError, Rules, format_named, game_of
from paddock_ladder.schedules import SCHEDULES, BadSchedule, Change, Entries, Seating, Together
from paddock_ladder.schedules.changes import check_changes, departed, everybody
from paddock_server.basics.name import HOUSE, RULE, is_guest, is_name, skeleton
from paddock_server.basics.toml_file import BadFile, parse, table
from paddock_server.programs.processes import sample_command
from paddock_server.referee.clock import Clock
from paddock_server.store.tournament_file import FileBot, TournamentFile
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.deadlines import read_moment
from paddock_server.tournaments.reading import read_file

LADDER: Final = "ladder"
"""The schedule that has no end: it pairs whoever is connected."""

_OF_LADDER: Final = ("matches", "at_once", "owners_may_meet")
_OF_OTHERS: Final = ("blocks", "rotations", "rounds", "groups", "advance", "challenger")


class Bot(NamedTuple):
    """A bot that is entered; without a command it connects by itself."""

    name: str
    command: tuple[str, ...] = ()
    version: str = ""  # that it was entered with; empty: whichever it has


class Definition(NamedTuple):
    """The contents of a tournament's file, with the changes since it was opened."""

    name: str
    schedule: str
    formats: tuple[Seating, ...]
    bots: tuple[Bot, ...]  # in seeding order; empty on a ladder: whoever is connected
    rules: Mapping[str, Rules]  # by format
    clock: Clock
    rated: bool
    patience_seconds: float  # how long a bot may be away until its matches are declared; 0: ever
    contest: Together | None  # its schedule; None: a ladder, which pairs as it goes
    rotations: bool  # whether matches share deals; not on a ladder
    matches: int  # of a ladder; 0: it has no end
    at_once: int  # of a ladder: matches of one bot
    owners_may_meet: bool  # on a ladder
    file: TournamentFile  # as it was read
    starts: datetime | None = None  # None: at once
    entries_close: datetime | None = None  # None: never
    changes: tuple[Change, ...] = ()  # since it was opened

    @property
    def entered(self) -> tuple[str, ...]:
        """All bots that ever were in it, in seeding order; late ones are last."""
        return everybody([bot.name for bot in self.bots], self.changes)

    @property
    def is_open(self) -> bool:
        """Whether its bots are taken later, from what was handed in."""
        return self.file.entries is not None and not self.bots

    @property
    def names(self) -> tuple[str, ...]:
        """The bots that are in it now."""
        gone = departed(self.changes)
        return tuple(bot for bot in self.entered if bot not in gone)

    @property
    def stored(self) -> TournamentFile:
        """The file for the store, with what it leaves open and the versions of the rules.

        A tournament keeps what it began with, even if a later version has another default.
        """
        versions = {game_of(name).name: rules.version for name, rules in self.rules.items()}
        rotations = None if self.schedule == LADDER else self.rotations
        return self.file._replace(rotations=rotations, rules_versions=versions)

    @property
    def fixtures(self) -> Together:
        """The schedule of a tournament that is not a ladder."""
        assert self.contest is not None, "a ladder pairs as it goes"  # noqa: S101
        return self.contest


def read_definition(text: str, where: str = "the tournament") -> Definition:
    """The tournament that a text in TOML describes; BadFile says what is wrong with it."""
    definition = define(read_file(parse(where, text), where), where)
    alike: dict[str, str] = {}
    for bot in definition.bots:
        other = alike.setdefault(skeleton(bot.name), bot.name)
        if other != bot.name:
            raise BadFile(f"{where}: bots: {bot.name} and {other} look alike; rename one of them")
    return definition


def entered_in(row: TournamentRow) -> tuple[str, ...]:
    """All bots that ever were in a stored tournament; cheaper than its definition."""
    return everybody(row.definition.bot_names, row.changes)


class _Reading(NamedTuple):
    """A stored tournament and the definition that was read from it."""

    stored: TournamentFile
    changes: tuple[Change, ...]
    definition: Definition


_READINGS: Final[dict[str, _Reading]] = {}  # by name; the oldest first
_READINGS_AT_MOST: Final = 64
_READING: Final = threading.Lock()  # pages read in threads, beside the event loop


def definition_of(row: TournamentRow) -> Definition:
    """The definition of a stored tournament, with its changes.

    The last readings are cached: progress is asked for several times per second, and a large
    schedule takes a while to compute.
    """
    reading = _READINGS.get(row.name)
    if reading is not None and (reading.stored, reading.changes) == (row.definition, row.changes):
        return reading.definition
    definition = stored_definition(row.definition, f"tournament {row.name}", row.changes)
    with _READING:
        _READINGS.pop(row.name, None)
        _READINGS[row.name] = _Reading(row.definition, row.changes, definition)
        if len(_READINGS) > _READINGS_AT_MOST:
            del _READINGS[next(iter(_READINGS))]
    return definition


def stored_definition(
    stored: TournamentFile, where: str = "the tournament", changes: Sequence[Change] = ()
) -> Definition:
    """The definition in a stored file; without versions, the rules are of version 1.

    Without a word on rotations they are on: so it was before the default depended on the bots.
    """
    file, versions = stored._replace(rules_versions=None), stored.rules_versions
    if file.schedule != LADDER and file.rotations is None:
        file = file._replace(rotations=True)
    return define(file, where, changes, versions or dict.fromkeys(GAMES, 1))


def define(
    file: TournamentFile,
    where: str = "the tournament",
    changes: Sequence[Change] = (),
    versions: Mapping[str, int] | None = None,
) -> Definition:
    """The definition in a file, with these changes.

    `versions` are those of the games' rules; without them the latest apply.
    """
    if not is_name(file.name):
        raise BadFile(f"{where}: name {file.name!r} is invalid: {RULE}")
    schedule = file.schedule
    if schedule != LADDER and schedule not in SCHEDULES:
        schedules = ", ".join((*SCHEDULES, LADDER))
        raise BadFile(f"{where}: schedule {schedule!r} is unknown; there are {schedules}")
    for key in _OF_OTHERS if schedule == LADDER else _OF_LADDER:
        if getattr(file, key) is not None:
            raise BadFile(f"{where}: {key} does not apply to a {schedule}; leave it out")
    bots = _bots(where, file.bots or ())
    # Bots that connect by themselves can remember a deal, and use it in the next match. Hosted
    # ones can't: the arena starts them anew for every match of a block.
    started_here = file.entries is not None or all(bot.command for bot in bots)
    rotations = started_here if file.rotations is None else file.rotations
    seatings = _formats(where, file)
    rules = _rules(where, file, seatings, versions)
    contest = None
    if file.entries is not None and not bots:
        pass  # nobody knows yet who plays
    elif schedule != LADDER:
        contest = _contest(where, file._replace(rotations=rotations), bots, seatings, changes)
    elif bots:
        _check_ladder(where, bots, changes)
    return Definition(
        name=file.name,
        schedule=schedule,
        formats=seatings,
        bots=bots,
        rules=rules,
        clock=table(f"{where}: clock", Clock, file.clock or {}),
        rated=file.rated is not False,
        patience_seconds=300.0 if file.patience_seconds is None else file.patience_seconds,
        contest=contest,
        rotations=schedule != LADDER and rotations,
        matches=file.matches or 0,
        at_once=file.at_once or 2,
        owners_may_meet=file.owners_may_meet is True,
        file=file,
        starts=None if file.starts_at is None else read_moment(where, file.starts_at),
        entries_close=(
            None if file.entries_close is None else read_moment(where, file.entries_close)
        ),
        changes=tuple(changes),
    )


def _check_ladder(where: str, bots: Sequence[Bot], changes: Sequence[Change]) -> None:
    try:
        check_changes([bot.name for bot in bots], changes)
    except BadSchedule as problem:
        raise BadFile(f"{where}: {problem}") from None


def _bots(where: str, items: Sequence[FileBot]) -> tuple[Bot, ...]:
    bots = []
    for number, bot in enumerate(items):
        path = f"{where}: bots[{number}]"
        if not is_guest(bot.name):
            raise BadFile(
                f"{path}.name {bot.name!r} is invalid: {RULE}, and nothing like {HOUSE} at the "
                "beginning"
            )
        bots.append(Bot(bot.name, _command(path, bot), bot.version))
    return tuple(bots)


def _command(path: str, bot: FileBot) -> tuple[str, ...]:
    if bot.sample and bot.command:
        raise BadFile(f"{path} has a command and a sample; give one of them")
    try:
        return sample_command(bot.sample) if bot.sample else tuple(shlex.split(bot.command))
    except ValueError as problem:
        raise BadFile(f"{path}: {problem}") from None


def _formats(where: str, file: TournamentFile) -> tuple[Seating, ...]:
    seatings = []
    for name in file.formats:
        try:
            form = format_named(name)
            least, _ = form.seats
            # One number for all formats: those with fixed seats keep theirs.
            seats = form.usual_seats if form.seats[0] == form.seats[1] else None
            seats = seats or file.seats or form.usual_seats
            form.check_seats(seats)
        except GamesError as problem:
            raise BadFile(f"{where}: formats: {problem}") from None
        seatings.append(Seating(name, seats, least))
    if not seatings:
        raise BadFile(f"{where}: formats is empty; name at least one")
    return tuple(seatings)


def _rules(
    where: str,
    file: TournamentFile,
    seatings: tuple[Seating, ...],
    versions: Mapping[str, int] | None,
) -> dict[str, Rules]:
    """The rules by format, each read from the file by the format's game."""
    rules: dict[str, Rules] = {}
    for name, seats, least in seatings:
        game = game_of(name)
        version = versions[game.name] if versions else game.rules_version
        try:
            rules[name] = game.rules_of_version(file.rules or {}, version)
            game.check(name, seats, rules[name])
            if file.schedule == "knockout":  # its last tables can be smaller
                game.check(name, least, rules[name])
        except GamesError as problem:
            raise BadFile(f"{where}: {problem}") from None
    return rules


def _contest(
    where: str,
    file: TournamentFile,
    bots: tuple[Bot, ...],
    seatings: tuple[Seating, ...],
    changes: Sequence[Change],
) -> Together:
    names = tuple(bot.name for bot in bots)
    options = {key: getattr(file, key) for key in _OF_OTHERS}
    more = {key: option for key, option in options.items() if option is not None}
    entries = Entries(names, seatings, **more, changes=tuple(changes))
    try:
        return SCHEDULES[file.schedule](entries)
    except BadSchedule as problem:
        raise BadFile(f"{where}: {problem}") from None
