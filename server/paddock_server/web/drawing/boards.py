"""The two boards of Draftosaurus as pictures: six pens around a river."""

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from markupsafe import Markup

from paddock_games.draftosaurus.material import PLOTS, PYRAMID_ROWS, BoardName, Plot
from paddock_server.web.drawing.dinosaurs import dinosaur
from paddock_server.web.drawing.frame import Frame, Place

WIDTH: Final = 400
HEIGHT: Final = 296
_PEN_WIDTH: Final = 168
_GAP: Final = 6
_LABEL: Final = 16
_RIVER: Final = (178, 44)  # left edge and width


class Box(NamedTuple):
    """The box of a pen on the board."""

    x: float
    y: float
    width: float
    height: float


# Left of the river is the food court, right of it are the restrooms; woodlands lie at the top.
_BOXES: Final[dict[str, Box]] = {
    "FOREST_OF_SAMENESS": Box(4, 4, _PEN_WIDTH, 94),
    "WOODY_TRIO": Box(4, 104, _PEN_WIDTH, 68),
    "PRAIRIE_OF_LOVE": Box(4, 178, _PEN_WIDTH, 114),
    "KING_OF_THE_JUNGLE": Box(228, 4, _PEN_WIDTH, 84),
    "MEADOW_OF_DIFFERENCES": Box(228, 94, _PEN_WIDTH, 110),
    "SOLITARY_ISLAND": Box(228, 210, _PEN_WIDTH, 82),
    "WELL_ORDERED_WOOD": Box(4, 4, _PEN_WIDTH, 94),
    "LOVERS_BRIDGE_LEFT": Box(4, 104, _PEN_WIDTH, 104),
    "QUARANTINE": Box(4, 214, _PEN_WIDTH, 78),
    "LOOKOUT": Box(228, 4, _PEN_WIDTH, 68),
    "LOVERS_BRIDGE_RIGHT": Box(228, 78, _PEN_WIDTH, 94),
    "PYRAMID": Box(228, 178, _PEN_WIDTH, 114),
    "RIVER": Box(_RIVER[0], 4, _RIVER[1], 288),
}
_PART_OF: Final = {"LOVERS_BRIDGE_RIGHT": "", "LOVERS_BRIDGE_LEFT": "LOVERS_BRIDGE"}


def board(frame: Frame, seat: int, bot: str, name: Callable[[str], str]) -> Markup:
    """A seat's board with its dinosaurs, and a description in words."""
    holding = frame.seats[seat]
    words = "; ".join(
        f"{name(place.name)}: {', '.join(name(species) for species in place.stands if species)}"
        for place in holding.places
        if any(place.stands)
    )
    scene: BoardName = "WINTER" if frame.scene == "WINTER" else "SUMMER"
    plots: dict[str, Plot] = {plot.name: plot for plot in PLOTS[scene]}
    pens = []
    for place in holding.places:
        points = holding.parts.get(_PART_OF.get(place.name, place.name))
        pens.append(_pen(place, plots[place.name], points, name))
    drawn = Markup("".join(pens))  # noqa: S704 -- nothing in it comes from outside
    return Markup(
        '<svg class="board {}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(scene.lower(), WIDTH, HEIGHT, f"{bot}'s zoo. {words or 'It is empty'}.", drawn)


def pen(frame: Frame, pen_name: str, name: Callable[[str], str]) -> Markup:
    """A single pen of the first seat's board."""
    scene: BoardName = "WINTER" if frame.scene == "WINTER" else "SUMMER"
    holding = frame.seats[0]
    place = next(place for place in holding.places if place.name == pen_name)
    plot = next(plot for plot in PLOTS[scene] if plot.name == pen_name)
    points = holding.parts.get(_PART_OF.get(pen_name, pen_name))
    stands = ", ".join(name(species) for species in place.stands if species) or "empty"
    words = f"{name(pen_name)}: {stands}" + ("" if points is None else f"; {points} points")
    x, y, width, height = _BOXES[pen_name]
    drawn = Markup(_pen(place, plot, points, name))  # noqa: S704 -- nothing from outside
    return Markup(
        '<svg class="board pen-alone {}" viewBox="{} {} {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(scene.lower(), x - 2, y - 2, width + 4, height + 4, words, drawn)


def _pen(place: Place, plot: Plot, points: int | None, name: Callable[[str], str]) -> str:
    box = _BOXES[place.name]
    kind = (plot.section or "RIVER").lower() + (" touched" if place.chosen else "")
    ground = (
        f'<rect class="pen {kind}" x="{box.x}" y="{box.y}" width="{box.width}" '
        f'height="{box.height}" rx="9"/>'
    )
    if plot.section is None:
        return ground + _river(place, box, points or 0)
    label = f'<text class="pen-name" x="{box.x + 8}" y="{box.y + 13}">{name(place.name)}</text>'
    if points is not None:
        right = box.x + box.width - 7
        label += f'<text class="pen-points" x="{right}" y="{box.y + 13}">{points}</text>'
    slots = _pyramid(box) if plot.name == "PYRAMID" else _slots(box, plot, len(place.stands))
    drawn = []
    for number, (x, y, width) in enumerate(slots):
        species = place.stands[number] if number < len(place.stands) else None
        if species is None:
            middle = f'cx="{x + width / 2:.1f}" cy="{y + width * 0.4:.1f}"'
            drawn.append(f'<circle class="slot" {middle} r="{width * 0.13:.1f}"/>')
        else:
            drawn.append(dinosaur(species, x, y, width, ring=number in place.came))
    return ground + label + "".join(drawn)


@cache
def _slots(box: Box, plot: Plot, standing: int) -> list[tuple[float, float, float]]:
    """Where dinosaurs stand: (x, y, width), as large as they fit."""
    wanted = max(plot.holds or 6, standing)
    columns = next(c for c in (1, 2, 3, 4, 6) if c * (1 if c < 3 or wanted == 3 else 2) >= wanted)
    rows = -(-wanted // columns)
    room_x, room_y = (box.width - 2 * _GAP) / columns, (box.height - _LABEL - _GAP) / rows
    width = min(room_x - 4, (room_y - 2) * 48 / 38, 54)
    return [
        (
            box.x + _GAP + room_x * (number % columns) + (room_x - width) / 2,
            box.y + _LABEL + room_y * (number // columns) + (room_y - width * 38 / 48) / 2,
            width,
        )
        for number in range(wanted)
    ]


@cache
def _pyramid(box: Box) -> list[tuple[float, float, float]]:
    width, height = 40.0, 32.0
    slots: dict[int, tuple[float, float, float]] = {}
    for level, row in enumerate(PYRAMID_ROWS):
        y = box.y + box.height - height * (level + 1) - 1
        left = box.x + (box.width - 46 * len(row)) / 2
        for column, slot in enumerate(row):
            slots[slot] = (left + 46 * column + 3, y, width)
    return [slots[slot] for slot in sorted(slots)]


def _river(place: Place, box: Box, points: int) -> str:
    standing = len(place.stands)
    middle = box.x + box.width / 2
    label = f'<text class="pen-points river-points" x="{middle}" y="{box.y + 13}">{points}</text>'
    room = (box.height - 24) / max(standing, 8)
    width = min(box.width - 6, room * 48 / 38)
    left = box.x + (box.width - width) / 2
    return label + "".join(
        dinosaur(
            species, left, box.y + 20 + room * number, width,
            ring=number in place.came,
        )
        for number, species in enumerate(place.stands)
        if species
    )  # fmt: skip
