"""A tournament as its organiser writes it: a small TOML file, checked before anything starts."""

import shlex
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
"""What a file may say, and of which kind it is."""

_VERSIONS: Final = "rules_versions"  # what the store adds to a file
_OF_LADDER: Final = ("matches", "at_once", "owners_may_meet")
_OF_OTHERS: Final = ("blocks", "rotations", "rounds", "groups", "advance", "challenger")


class Bot(NamedTuple):
    """A bot that is entered; without a command it connects by itself."""

    name: str
    command: tuple[str, ...] = ()


class Definition(NamedTuple):
    """What is to be played."""

    name: str
    schedule: str
    formats: tuple[Seating, ...]
    bots: tuple[Bot, ...]  # in seeding order; empty on a ladder: whoever is connected
    rules: Mapping[str, Any]  # by format, as its game has them
    clock: Clock
    rated: bool
    patience_seconds: float  # how long a bot may be away before its matches are declared; 0: ever
    contest: Together | None  # its schedule, made once; None: a ladder, which pairs as it goes
    matches: int  # of a ladder; 0: it has no end
    at_once: int  # of a ladder: matches of one bot
    owners_may_meet: bool  # on a ladder
    given: Mapping[str, Any]  # the file as it was read; moments are text
    starts: datetime | None = None  # None: at once
    entries_close: datetime | None = None  # None: never
    changes: tuple[Change, ...] = ()  # since it was entered

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
        """What goes into the store: the file, and the version of each game's rules. A tournament
        keeps to the rules that it began with, whatever version comes later."""
        versions = {game_of(name).name: rules.version for name, rules in self.rules.items()}
        return {**self.given, _VERSIONS: versions}

    @property
    def fixtures(self) -> Together:
        """The schedule of a tournament that is no ladder."""
        assert self.contest is not None, "a ladder pairs as it goes"  # noqa: S101
        return self.contest


def read_definition(text: str, where: str = "the tournament") -> Definition:
    """The tournament that a text in TOML describes; BadFile says what is wrong with it."""
    return read_given(parse(where, text), where)


def listed(given: Mapping[str, Any]) -> list[str]:
    """The names of the bots in a file, in seeding order."""
    return [bot if isinstance(bot, str) else bot["name"] for bot in given.get("bots", ())]


def entered_in(row: TournamentRow) -> tuple[str, ...]:
    """All bots that ever were in a stored tournament; cheaper than its definition."""
    return everybody(listed(row.definition), row.changes)


class _Reading(NamedTuple):
    """A stored tournament and what it was read as."""

    kept: Mapping[str, Any]
    changes: tuple[Change, ...]
    definition: Definition


_READINGS: Final[dict[str, _Reading]] = {}  # by name; the oldest first
_READINGS_AT_MOST: Final = 64


def definition_of(row: TournamentRow) -> Definition:
    """The tournament that is stored, with its changes.

    The last readings are remembered: progress is asked for several times per second, and a large
    schedule takes a while to make.
    """
    known = _READINGS.get(row.name)
    if known is not None and (known.kept, known.changes) == (row.definition, row.changes):
        return known.definition
    definition = read_kept(row.definition, f"tournament {row.name}", row.changes)
    _READINGS.pop(row.name, None)
    _READINGS[row.name] = _Reading(row.definition, row.changes, definition)
    if len(_READINGS) > _READINGS_AT_MOST:
        _READINGS.pop(next(iter(_READINGS)), None)
    return definition


def read_kept(
    kept: Mapping[str, Any], where: str = "the tournament", changes: Sequence[Change] = ()
) -> Definition:
    """The tournament that was kept; one without versions is older than all but the first."""
    given = {key: each for key, each in kept.items() if key != _VERSIONS}
    return read_given(given, where, changes, kept.get(_VERSIONS) or dict.fromkeys(GAMES, 1))


def read_given(
    given: dict[str, Any],
    where: str = "the tournament",
    changes: Sequence[Change] = (),
    versions: Mapping[str, int] | None = None,
) -> Definition:
    """The tournament that a parsed file describes, and what changed since; by these versions of the
    games' rules, or by those of today if none are given."""
    known(where, given, KEYS)
    values = {key: _value(f"{where}: {key}", KEYS[key], each) for key, each in given.items()}
    for key in ("name", "schedule", "formats"):
        if key not in values:
            raise BadFile(f"{where}: {key} is missing; give name, schedule and formats")
    if not BOT_NAME.fullmatch(values["name"]):
        raise BadFile(
            f"{where}: name {values['name']!r} is none; take up to 40 letters, digits, dots, "
            "dashes and underscores"
        )
    schedule = values["schedule"]
    if schedule != LADDER and schedule not in SCHEDULES:
        there = ", ".join((*SCHEDULES, LADDER))
        raise BadFile(f"{where}: schedule {schedule!r} is unknown; there are {there}")
    for key in _OF_OTHERS if schedule == LADDER else _OF_LADDER:
        if key in values:
            raise BadFile(f"{where}: {key} has no use in a {schedule}; leave it out")
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
        given={**given, **{key: stamp_of(moment) for key, moment in moments.items() if moment}},
        **moments,
        changes=tuple(changes),
    )


def _value(where: str, wanted: Any, given: Any) -> Any:
    return read_moment(where, given) if wanted is datetime else value(where, wanted, given)


def _check_ladder(where: str, bots: Sequence[Bot], changes: Sequence[Change]) -> None:
    try:
        check_changes([bot.name for bot in bots], changes)
    except BadSchedule as problem:
        raise BadFile(f"{where}: {problem}") from None


def _bots(where: str, given: list[Any]) -> tuple[Bot, ...]:
    made = []
    for number, each in enumerate(given):
        at = f"{where}: bots[{number}]"
        if isinstance(each, str):
            each = {"name": each}  # noqa: PLW2901 -- a name alone stands for a table with it
        if not isinstance(each, dict):
            raise BadFile(f"{at} is a name, or a table with name and command or sample")
        known(at, each, ("name", "command", "sample"))
        name = value(f"{at}.name", str, each.get("name"))
        if not BOT_NAME.fullmatch(name) or name.startswith(HOUSE):
            raise BadFile(
                f"{at}.name {name!r} is none; take up to 40 letters, digits, dots, dashes and "
                f"underscores, and not {HOUSE}..."
            )
        made.append(Bot(name, _command(at, each)))
    return tuple(made)


def _command(at: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    if "sample" in given and "command" in given:
        raise BadFile(f"{at} has a command and a sample; give one of them")
    try:
        if "sample" in given:
            return sample_command(value(f"{at}.sample", str, given["sample"]))
        return tuple(shlex.split(value(f"{at}.command", str, given.get("command", ""))))
    except ValueError as problem:
        raise BadFile(f"{at}: {problem}") from None


def _formats(where: str, values: Mapping[str, Any]) -> tuple[Seating, ...]:
    made = []
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
        made.append(Seating(name, seats, least))
    if not made:
        raise BadFile(f"{where}: formats is empty; name at least one")
    return tuple(made)


def _rules(
    where: str,
    values: Mapping[str, Any],
    seatings: tuple[Seating, ...],
    versions: Mapping[str, int] | None,
) -> dict[str, Any]:
    """The rules by format: every format's game reads what the file says of them."""
    made = {}
    for name, seats, least in seatings:
        game = game_of(name)
        version = versions[game.name] if versions else game.rules_version
        try:
            made[name] = game.kept_rules(values.get("rules", {}), version)
            game.check(name, seats, made[name])
            if values["schedule"] == "knockout":  # its last tables can be smaller
                game.check(name, least, made[name])
        except GamesError as problem:
            raise BadFile(f"{where}: {problem}") from None
    return made


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
