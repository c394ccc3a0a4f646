"""The games this library can play: one file a game, and a line here."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

from paddock import dino_twist, draftosaurus
from paddock.errors import Unreadable
from paddock.v1 import arena_pb2
from paddock_games import FORMATS


class Wire(Protocol):
    """One game between the wire and its rules: messages in, the rules' own values out."""

    def rules(self, message: arena_pb2.MatchStarted, /) -> Any:
        """The rule options of a match that begins."""

    def choice(self, message: arena_pb2.GameChoice, /) -> Any:
        """The rules' choice that a message stands for."""

    def choice_message(self, chosen: Any, /) -> arena_pb2.GameChoice:
        """The message for a choice."""

    def view(
        self, message: arena_pb2.GameView, seat: int, format_name: str, seats: int, options: Any, /
    ) -> Any:
        """What the seat knows, as the rules library has it."""

    def scores(self, message: arena_pb2.MatchEnded, /) -> Any:
        """The points in detail, by game of the match and by seat."""


# By the game's name in the rules library.
WIRES: Final[Mapping[str, Wire]] = {"draftosaurus": draftosaurus, "dino_twist": dino_twist}


def wire_of(format_name: str) -> Wire:
    """The game that a format belongs to."""
    form = FORMATS.get(format_name)
    if form is None or form.game not in WIRES:
        raise Unreadable(
            f"no format {format_name!r} is known here; install a newer paddock, "
            "or leave the format out of the bot's `formats`"
        )
    return WIRES[form.game]
