"""Rule options in messages: the fields that are set."""

from typing import Any

from google.protobuf.message import Message

from paddock_games import Game
from paddock_wire.errors import Unreadable, reading


def read_options(game: Game, options: Message) -> Any:
    """The rule options in a message, of the version that it names or of version 1."""
    values = {field.name: value for field, value in options.ListFields()}
    version = values.pop("version", 1)
    if version > game.rules_version:
        raise Unreadable(
            f"rules version {version} of {game.name} is unknown here; install a newer paddock"
        )
    with reading("rules", options):
        return game.rules_of_version(values, version)
