"""The registry of games. A new game is a folder and a line here."""

from collections.abc import Mapping
from typing import Final

from paddock_games.dino_twist import DinoTwist, state
from paddock_games.draftosaurus import Draftosaurus
from paddock_games.errors import BadRules
from paddock_games.game import Format, Game

GAMES: Final[Mapping[str, Game]] = {game.name: game for game in (Draftosaurus(), DinoTwist())}
FORMATS: Final[Mapping[str, Format]] = {
    name: form for game in GAMES.values() for name, form in game.formats.items()
}
COMPILED: Final = not str(state.__file__).endswith(".py")
"""Whether these rules are machine code: see docs/performance.md."""


def format_named(name: str) -> Format:
    """The format of this name."""
    if name not in FORMATS:
        raise BadRules("format", f"unknown format {name!r}; use one of {', '.join(FORMATS)}")
    return FORMATS[name]


def game_of(format_name: str) -> Game:
    """The game that a format belongs to."""
    return GAMES[format_named(format_name).game]
