"""Matches as pictures in a terminal: one module a game, and a line here."""

from collections.abc import Callable, Mapping
from typing import Final

from rich.console import RenderableType

from paddock_games.record import Replay
from paddock_server.cli.drawing import dino_twist, draftosaurus

# From a replay to one picture a turn; the last is the end of the match.
FRAMES: Final[Mapping[str, Callable[[Replay], list[RenderableType]]]] = {
    "draftosaurus": draftosaurus.frames,
    "dino_twist": dino_twist.frames,
}
