"""The registry of codecs; a new game is a folder and a line here."""

from collections.abc import Mapping
from typing import Any, Final

from paddock_games import FORMATS
from paddock_wire import dino_twist, draftosaurus
from paddock_wire.codec import Codec
from paddock_wire.errors import Unreadable

# By the game's name, which is also that of its field in every `oneof`.
CODECS: Final[Mapping[str, Codec]] = {
    "draftosaurus": draftosaurus,
    "dino_twist": dino_twist,
}


def codec_of(format_name: str) -> Codec:
    """The codec of the game that a format belongs to."""
    if format_name not in FORMATS:
        raise Unreadable(
            f"format {format_name!r} is unknown here; install a newer paddock, "
            "or leave the format out of the bot's `formats`"
        )
    return CODECS[FORMATS[format_name].game]


def codec_of_choice(choice: Any) -> Codec:
    """The codec of the game that a choice belongs to: its class is in the game's package."""
    _, game, *_ = type(choice).__module__.split(".")
    return CODECS[game]
