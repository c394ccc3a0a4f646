"""Matches as pictures on a page: one module a game, and a line here."""

from collections.abc import Mapping
from typing import Final

from paddock_server.web.drawing import dino_twist, draftosaurus, plain
from paddock_server.web.drawing.frame import Drawing

_DRAWINGS: Final[Mapping[str, Drawing]] = {
    "draftosaurus": draftosaurus.DRAWING,
    "dino_twist": dino_twist.DRAWING,
}


def drawing_of(game: str) -> Drawing:
    """How a game is drawn; one that nobody drew yet is told in words."""
    return _DRAWINGS.get(game, plain.DRAWING)
