"""Drawings of matches for a terminal: one module per game, and one line here."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from rich.console import RenderableType

from paddock_games.record import PlayedMatch
from paddock_server.cli.drawing import dino_twist, draftosaurus


class Drawing(NamedTuple):
    """The drawing of a game for a terminal."""

    frames: Callable[[PlayedMatch], list[RenderableType]]  # one per turn, as --turn counts them
    moment: Callable[[Any], str]  # which turn a state belongs to, and what is decided there


DRAWINGS: Final[Mapping[str, Drawing]] = {
    "draftosaurus": Drawing(draftosaurus.frames, draftosaurus.moment),
    "dino_twist": Drawing(dino_twist.frames, dino_twist.moment),
}
