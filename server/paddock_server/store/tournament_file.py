"""A tournament's file as a value: the settings that its organiser wrote."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from paddock_server.basics.bounds import OR_ZERO


class FileBot(NamedTuple):
    """A bot in a tournament's file; at most one of `command` and `sample` is given."""

    name: str
    command: str = ""  # that starts it; empty: it connects by itself
    sample: str = ""  # the sample bot that plays under this name
    version: str = ""  # of a hosted bot that was entered with it; the server adds it


class TournamentFile(NamedTuple):
    """The settings in a tournament's file; None: the file does not say."""

    name: str
    schedule: str = ""
    formats: tuple[str, ...] = ()
    seats: int | None = None
    bots: tuple[FileBot, ...] | None = None
    rated: bool | None = None
    patience_seconds: Annotated[float, OR_ZERO] | None = None
    clock: Mapping[str, float] | None = None
    rules: Mapping[str, object] | None = None
    blocks: int | None = None
    rotations: bool | None = None
    rounds: int | None = None
    groups: int | None = None
    advance: int | None = None
    challenger: str | None = None
    matches: int | None = None
    at_once: int | None = None
    owners_may_meet: bool | None = None
    starts: str | None = None  # a moment in UTC
    entries_close: str | None = None  # a moment in UTC
    entries: str | None = None  # "submissions": what was handed in is entered at entries_close
    rules_versions: Mapping[str, int] | None = None  # by game; the server adds it

    @property
    def bot_names(self) -> tuple[str, ...]:
        """The names of the bots, in seeding order."""
        return tuple(bot.name for bot in self.bots or ())

    @property
    def starts_at(self) -> str | None:
        """When it starts; not before its bots are known. None: at once."""
        if self.entries is None or self.entries_close is None:
            return self.starts
        return max(self.starts or "", self.entries_close)

    def written(self) -> dict[str, Any]:
        """The settings that the file says, as TOML and JSON have them."""
        values = {key: value for key, value in self._asdict().items() if value is not None}
        values["formats"] = list(self.formats)
        if self.bots is not None:
            values["bots"] = [_written(bot) for bot in self.bots]
        return values


def _written(bot: FileBot) -> str | dict[str, str]:
    """A bot in a file: its name, or a table if there is more to say."""
    if not bot.command and not bot.sample and not bot.version:
        return bot.name
    return {key: value for key, value in bot._asdict().items() if value}


def file_of(values: Mapping[str, Any]) -> TournamentFile:
    """The file with these settings, which were checked before; unknown ones are left out."""
    settings = {key: values[key] for key in TournamentFile._fields if key in values}
    settings["formats"] = tuple(values.get("formats", ()))
    if "bots" in values:
        settings["bots"] = tuple(
            FileBot(bot) if isinstance(bot, str) else FileBot(**bot) for bot in values["bots"]
        )
    return TournamentFile(**settings)
