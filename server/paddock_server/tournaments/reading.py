"""Reading a tournament's file: its keys, and the types of their values."""

from collections.abc import Mapping
from typing import Any, Final, get_type_hints

from paddock_server.basics.identity import stamp_of
from paddock_server.basics.toml_file import BadFile, known, value
from paddock_server.store.tournament_file import FileBot, TournamentFile, file_of
from paddock_server.tournaments.deadlines import read_moment

SUBMISSIONS: Final = "submissions"
"""The value of `entries` that enters what was handed in."""

_MOMENTS: Final = ("starts", "entries_close")
_LISTS_AND_TABLES: Final[Mapping[str, Any]] = {
    "formats": list, "bots": list, "clock": dict, "rules": dict,
}  # fmt: skip
KEYS: Final[Mapping[str, Any]] = {
    key: _LISTS_AND_TABLES.get(key, kind)
    for key, kind in get_type_hints(TournamentFile, include_extras=True).items()
    if key != "rules_versions"
}
"""The keys of a file and the types of their values."""


def read_file(values: dict[str, Any], where: str) -> TournamentFile:
    """The file with these values, if they have the right types."""
    known(where, values, KEYS)
    settings = {key: _setting(f"{where}: {key}", key, item) for key, item in values.items()}
    for key in ("name", "schedule", "formats"):
        if key not in settings:
            raise BadFile(f"{where}: {key} is missing; give name, schedule and formats")
    for name in settings["formats"]:
        value(f"{where}: formats", str, name)
    _check_entries(where, settings)
    for number, bot in enumerate(settings.get("bots", ())):
        _check_bot(f"{where}: bots[{number}]", bot)
    return file_of(settings)


def _setting(where: str, key: str, item: Any) -> Any:
    if key in _MOMENTS:
        return stamp_of(read_moment(where, item))
    return value(where, KEYS[key], item)


def _check_entries(where: str, settings: dict[str, Any]) -> None:
    entries = settings.get("entries")
    if entries is None:
        return
    if entries != SUBMISSIONS:
        raise BadFile(f'{where}: entries {entries[:40]!r} is unknown; there is "{SUBMISSIONS}"')
    if settings.get("bots"):
        raise BadFile(f"{where}: entries says who plays; leave out bots")
    if "entries_close" not in settings:
        raise BadFile(f"{where}: entries needs entries_close, the moment at which they are taken")
    if settings["schedule"] == "ladder":
        raise BadFile(f"{where}: entries does not apply to a ladder; leave it out")


def _check_bot(where: str, bot: Any) -> None:
    if isinstance(bot, str):
        return
    if not isinstance(bot, dict):
        raise BadFile(f"{where} must be a name, or a table with name and command or sample")
    known(where, bot, [key for key in FileBot._fields if key != "version"])
    value(f"{where}.name", str, bot.get("name"))
    for key, item in bot.items():
        value(f"{where}.{key}", str, item)
