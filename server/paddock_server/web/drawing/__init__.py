"""Drawings of matches for pages: one module per game, and one line here."""

from collections.abc import Mapping
from typing import Final

from paddock_server.web.drawing import dino_twist, draftosaurus, plain
from paddock_server.web.drawing.frame import Drawing

_DRAWINGS: Final[Mapping[str, Drawing]] = {
    "draftosaurus": draftosaurus.DRAWING,
    "dino_twist": dino_twist.DRAWING,
}


def drawing_of(game: str) -> Drawing:
    """The drawing of a game; a game without one is shown in words."""
    return _DRAWINGS.get(game, plain.DRAWING)
