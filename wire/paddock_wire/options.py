"""Rule options as a bot is told them: the fields of a message that are set."""

from typing import Any

from google.protobuf.message import Message

from paddock_games import Game
from paddock_wire.errors import Unreadable, reading


def read_options(game: Game, options: Message) -> Any:
    """The game's rule options that a message stands for, of the version that it names or of 1."""
    values = {field.name: value for field, value in options.ListFields()}
    version = values.pop("version", 1)
    if version > game.rules_version:
        raise Unreadable(f"version {version} of the rules of {game.name}; install a newer paddock")
    with reading("rules", options):
        return game.kept_rules(values, version)
