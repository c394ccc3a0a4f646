"""Pictures for the rules of Draftosaurus: a zoo on each board, every pen, every face of the die.

The rules themselves check that these zoos are possible, and count their points.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from markupsafe import Markup

from paddock_games.draftosaurus.material import FACES, PLOTS, BoardName, Face
from paddock_games.draftosaurus.position import score_position
from paddock_server.web.drawing import boards, dinosaurs
from paddock_server.web.drawing.frame import Frame, Holding, Place

# The first zoo is drawn; the other is a neighbour's, whom two of its pens are compared with.
_ZOOS: Final[Mapping[BoardName, Sequence[Mapping[str, Sequence[str]]]]] = {
    "SUMMER": (
        {
            "FOREST_OF_SAMENESS": ["DIPLODOCUS", "DIPLODOCUS"],
            "WOODY_TRIO": ["T_REX", "STEGOSAURUS", "DIPLODOCUS"],
            "KING_OF_THE_JUNGLE": ["TRICERATOPS"],
            "PRAIRIE_OF_LOVE": ["TRICERATOPS", "TRICERATOPS"],
            "MEADOW_OF_DIFFERENCES": ["STEGOSAURUS", "T_REX"],
            "SOLITARY_ISLAND": ["SPINOSAURUS"],
            "RIVER": ["PARASAUROLOPHUS"],
        },
        {"PRAIRIE_OF_LOVE": ["TRICERATOPS", "TRICERATOPS"], "RIVER": ["SPINOSAURUS"]},
    ),
    "WINTER": (
        {
            "WELL_ORDERED_WOOD": ["STEGOSAURUS", "DIPLODOCUS", "STEGOSAURUS"],
            "LOOKOUT": ["TRICERATOPS"],
            "LOVERS_BRIDGE_LEFT": ["PARASAUROLOPHUS", "T_REX"],
            "LOVERS_BRIDGE_RIGHT": ["PARASAUROLOPHUS"],
            "PYRAMID": ["SPINOSAURUS", "T_REX", "SPINOSAURUS", "DIPLODOCUS"],
            "RIVER": ["DIPLODOCUS"],
        },
        {"LOVERS_BRIDGE_LEFT": ["TRICERATOPS", "TRICERATOPS"], "RIVER": ["TRICERATOPS"]},
    ),
}


@cache
def frame(board: BoardName) -> Frame:
    """The zoo of a board, with its points."""
    zoos = _ZOOS[board]
    score = score_position({"board": board, "zoos": list(zoos)})["scores"][0]
    places = tuple(Place(plot.name, tuple(zoos[0].get(plot.name, ())), ()) for plot in PLOTS[board])
    holding = Holding(places, (), score["parts"], score["total"], 0)
    return Frame(
        turn=0, turns=0, scene=board, title="", note="", die="", seats=(holding,), decisions=()
    )


def sights(name: Callable[[str], str], means: Mapping[Face, str]) -> Mapping[str, Markup]:
    """Boards, pens and faces by their names."""
    pictures: dict[str, Markup] = {
        face: dinosaurs.die(face, f"{name(face)}: {means[face]}") for face in FACES
    }
    for board in PLOTS:
        shown = frame(board)
        pictures[board] = boards.board(shown, 0, "The example", name)
        for plot in PLOTS[board]:
            if plot.section is not None:
                pictures[plot.name] = boards.pen(shown, plot.name, name)
    return pictures
