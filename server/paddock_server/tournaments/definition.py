"""The definition of a tournament: its TOML file, checked before anything starts."""

import shlex
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, NamedTuple

from paddock_games import GAMES, GamesError, format_named, game_of
from paddock_ladder.schedules import SCHEDULES, BadSchedule, Change, Entry, Seating, Together
from paddock_ladder.schedules.changes import check_changes, departed, everybody
from paddock_server.basics.bounds import OR_ZERO
from paddock_server.basics.identity import BOT_NAME, stamp_of
from paddock_server.basics.toml_file import BadFile, known, parse, table, value
from paddock_server.programs.processes import sample_command
from paddock_server.referee.clock import Clock
from paddock_server.referee.house import HOUSE
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.deadlines import read_moment

LADDER: Final = "ladder"
"""The schedule that has no end: it pairs whoever is connected."""

KEYS: Final[Mapping[str, Any]] = {
    "name": str, "schedule": str, "formats": list, "seats": int, "bots": list, "rated": bool,
    "patience_seconds": Annotated[float, OR_ZERO], "clock": dict, "rules": dict,
    "blocks": int, "rotations": bool, "rounds": int, "groups": int, "advance": int,
    "challenger": str, "matches": int, "at_once": int, "owners_may_meet": bool,
    "starts": datetime, "entries_close": datetime,
}  # fmt: skip
"""The keys of a file and the types of their values."""

_VERSIONS: Final = "rules_versions"  # what the store adds to a file
_OF_LADDER: Final = ("matches", "at_once", "owners_may_meet")
_OF_OTHERS: Final = ("blocks", "rotations", "rounds", "groups", "advance", "challenger")


class Bot(NamedTuple):
    """A bot that is entered; without a command it connects by itself."""

    name: str
    command: tuple[str, ...] = ()


class Definition(NamedTuple):
    """The contents of a tournament's file, with the changes since it was opened."""

    name: str
    schedule: str
    formats: tuple[Seating, ...]
    bots: tuple[Bot, ...]  # in seeding order; empty on a ladder: whoever is connected
    rules: Mapping[str, Any]  # by format, as its game has them
    clock: Clock
    rated: bool
    patience_seconds: float  # how long a bot may be away until its matches are declared; 0: ever
    contest: Together | None  # its schedule; None: a ladder, which pairs as it goes
    matches: int  # of a ladder; 0: it has no end
    at_once: int  # of a ladder: matches of one bot
    owners_may_meet: bool  # on a ladder
    given: Mapping[str, Any]  # the file as it was read; moments are text
    starts: datetime | None = None  # None: at once
    entries_close: datetime | None = None  # None: never
    changes: tuple[Change, ...] = ()  # since it was opened

    @property
    def entered(self) -> tuple[str, ...]:
        """All bots that ever were in it, in seeding order; late ones are last."""
        return everybody([bot.name for bot in self.bots], self.changes)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots that are in it now."""
        gone = departed(self.changes)
        return tuple(bot for bot in self.entered if bot not in gone)

    def kept(self) -> dict[str, Any]:
        """The values for the store: the file, and the version of each game's rules.

        A tournament keeps the rules that it began with, even if a later version changes them.
        """
        versions = {game_of(name).name: rules.version for name, rules in self.rules.items()}
        return {**self.given, _VERSIONS: versions}

    @property
    def fixtures(self) -> Together:
        """The schedule of a tournament that is not a ladder."""
        assert self.contest is not None, "a ladder pairs as it goes"  # noqa: S101
        return self.contest


def read_definition(text: str, where: str = "the tournament") -> Definition:
    """The tournament that a text in TOML describes; BadFile says what is wrong with it."""
    return read_given(parse(where, text), where)


def listed(file: Mapping[str, Any]) -> list[str]:
    """The names of the bots in a file, in seeding order."""
    return [bot if isinstance(bot, str) else bot["name"] for bot in file.get("bots", ())]


def entered_in(row: TournamentRow) -> tuple[str, ...]:
    """All bots that ever were in a stored tournament; cheaper than its definition."""
    return everybody(listed(row.definition), row.changes)


class _Reading(NamedTuple):
    """A stored tournament and the definition that was read from it."""

    stored: Mapping[str, Any]
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
    definition = read_kept(row.definition, f"tournament {row.name}", row.changes)
    with _READING:
        _READINGS.pop(row.name, None)
        _READINGS[row.name] = _Reading(row.definition, row.changes, definition)
        if len(_READINGS) > _READINGS_AT_MOST:
            del _READINGS[next(iter(_READINGS))]
    return definition


def read_kept(
    stored: Mapping[str, Any], where: str = "the tournament", changes: Sequence[Change] = ()
) -> Definition:
    """The definition in stored values; without versions, the rules are of version 1."""
    file = {key: value for key, value in stored.items() if key != _VERSIONS}
    return read_given(file, where, changes, stored.get(_VERSIONS) or dict.fromkeys(GAMES, 1))


def read_given(
    file: dict[str, Any],
    where: str = "the tournament",
    changes: Sequence[Change] = (),
    versions: Mapping[str, int] | None = None,
) -> Definition:
    """The definition in a parsed file, with these changes.

    `versions` are those of the games' rules; without them the latest apply.
    """
    known(where, file, KEYS)
    values = {key: _value(f"{where}: {key}", KEYS[key], item) for key, item in file.items()}
    for key in ("name", "schedule", "formats"):
        if key not in values:
            raise BadFile(f"{where}: {key} is missing; give name, schedule and formats")
    if not BOT_NAME.fullmatch(values["name"]):
        raise BadFile(
            f"{where}: name {values['name']!r} is invalid: use up to 40 letters, digits, dots, "
            "dashes and underscores"
        )
    schedule = values["schedule"]
    if schedule != LADDER and schedule not in SCHEDULES:
        schedules = ", ".join((*SCHEDULES, LADDER))
        raise BadFile(f"{where}: schedule {schedule!r} is unknown; there are {schedules}")
    for key in _OF_OTHERS if schedule == LADDER else _OF_LADDER:
        if key in values:
            raise BadFile(f"{where}: {key} does not apply to a {schedule}; leave it out")
    bots = _bots(where, values.get("bots", []))
    seatings = _formats(where, values)
    rules = _rules(where, values, seatings, versions)
    contest = None
    if schedule != LADDER:
        contest = _contest(where, values, bots, seatings, changes)
    elif bots:
        _check_ladder(where, bots, changes)
    moments = {key: values.get(key) for key in ("starts", "entries_close")}
    return Definition(
        name=values["name"],
        schedule=schedule,
        formats=seatings,
        bots=bots,
        rules=rules,
        clock=table(f"{where}: clock", Clock, values.get("clock", {})),
        rated=values.get("rated", True),
        patience_seconds=values.get("patience_seconds", 300.0),
        contest=contest,
        matches=values.get("matches", 0),
        at_once=values.get("at_once", 2),
        owners_may_meet=values.get("owners_may_meet", False),
        given={**file, **{key: stamp_of(moment) for key, moment in moments.items() if moment}},
        **moments,
        changes=tuple(changes),
    )


def _value(where: str, wanted: Any, item: Any) -> Any:
    return read_moment(where, item) if wanted is datetime else value(where, wanted, item)


def _check_ladder(where: str, bots: Sequence[Bot], changes: Sequence[Change]) -> None:
    try:
        check_changes([bot.name for bot in bots], changes)
    except BadSchedule as problem:
        raise BadFile(f"{where}: {problem}") from None


def _bots(where: str, items: list[Any]) -> tuple[Bot, ...]:
    bots = []
    for number, item in enumerate(items):
        path = f"{where}: bots[{number}]"
        entry = {"name": item} if isinstance(item, str) else item
        if not isinstance(entry, dict):
            raise BadFile(f"{path} must be a name, or a table with name and command or sample")
        known(path, entry, ("name", "command", "sample"))
        name = value(f"{path}.name", str, entry.get("name"))
        if not BOT_NAME.fullmatch(name) or name.startswith(HOUSE):
            raise BadFile(
                f"{path}.name {name!r} is invalid: use up to 40 letters, digits, dots, dashes and "
                f"underscores, without {HOUSE} at the beginning"
            )
        bots.append(Bot(name, _command(path, entry)))
    return tuple(bots)


def _command(path: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    if "sample" in entry and "command" in entry:
        raise BadFile(f"{path} has a command and a sample; give one of them")
    try:
        if "sample" in entry:
            return sample_command(value(f"{path}.sample", str, entry["sample"]))
        return tuple(shlex.split(value(f"{path}.command", str, entry.get("command", ""))))
    except ValueError as problem:
        raise BadFile(f"{path}: {problem}") from None


def _formats(where: str, values: Mapping[str, Any]) -> tuple[Seating, ...]:
    seatings = []
    for name in values["formats"]:
        try:
            form = format_named(value(f"{where}: formats", str, name))
            least, _ = form.seats
            # One number for all formats: those with fixed seats keep theirs.
            seats = form.usual_seats if form.seats[0] == form.seats[1] else None
            seats = seats or values.get("seats", form.usual_seats)
            form.check_seats(seats)
        except GamesError as problem:
            raise BadFile(f"{where}: formats: {problem}") from None
        seatings.append(Seating(name, seats, least))
    if not seatings:
        raise BadFile(f"{where}: formats is empty; name at least one")
    return tuple(seatings)


def _rules(
    where: str,
    values: Mapping[str, Any],
    seatings: tuple[Seating, ...],
    versions: Mapping[str, int] | None,
) -> dict[str, Any]:
    """The rules by format, each read from the file by the format's game."""
    rules = {}
    for name, seats, least in seatings:
        game = game_of(name)
        version = versions[game.name] if versions else game.rules_version
        try:
            rules[name] = game.kept_rules(values.get("rules", {}), version)
            game.check(name, seats, rules[name])
            if values["schedule"] == "knockout":  # its last tables can be smaller
                game.check(name, least, rules[name])
        except GamesError as problem:
            raise BadFile(f"{where}: {problem}") from None
    return rules


def _contest(
    where: str,
    values: Mapping[str, Any],
    bots: tuple[Bot, ...],
    seatings: tuple[Seating, ...],
    changes: Sequence[Change],
) -> Together:
    names = tuple(bot.name for bot in bots)
    more = {key: values[key] for key in _OF_OTHERS if key in values}
    try:
        return SCHEDULES[values["schedule"]](Entry(names, seatings, **more, changes=tuple(changes)))
    except BadSchedule as problem:
        raise BadFile(f"{where}: {problem}") from None
