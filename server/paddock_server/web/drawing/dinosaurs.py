"""The six dinosaurs and the six faces of the die, as shapes of our own.

Colours are those of Okabe and Ito, which colour-blind people can tell apart; every species has
its own outline and its own letters besides, so colour is never needed.
"""

from functools import cache
from typing import Final, NamedTuple

from markupsafe import Markup

from paddock_games.draftosaurus.material import Face, Species


class Shape(NamedTuple):
    """The shape of a species, in a box of 48 by 38."""

    name: str
    letters: str
    outline: str  # an SVG path
    eye: tuple[float, float]
    lines: str = ""  # more strokes


SHAPES: Final[dict[Species, Shape]] = {
    "T_REX": Shape(
        "T-Rex", "TR",
        "M1 22C8 22 12 18 17 15C20 9 25 4 31 2L42 2C46 2 47 6 46 9L38 10L45 12L43 14L34 14"
        "C34 18 32 21 30 23L34 25L33 27L27 26L25 30L27 36L20 36L19 30L15 36L8 36L12 28"
        "C8 27 4 26 1 22Z",
        (38, 5.5),
    ),
    "DIPLODOCUS": Shape(
        "Diplodocus", "DI",
        "M0 25C7 27 10 21 17 19C23 17 29 18 32 19C35 15 35 8 37 4C39 0 46 1 47 5L46 7L41 7"
        "C40 14 40 21 36 25L36 36L31 36L30 28L22 28L21 36L16 36L15 27C10 27 5 29 0 25Z",
        (42, 4.2),
    ),
    "TRICERATOPS": Shape(
        "Triceratops", "TC",
        "M1 25C5 23 6 17 13 15C19 12 25 13 28 15C26 9 29 5 33 5L37 12L46 5L43 14L48 15L45 19"
        "C46 24 42 27 37 26L34 26L34 36L28 36L27 29L17 29L16 36L10 36L10 27C6 28 3 28 1 25Z",
        (38.5, 17.5),
    ),
    "SPINOSAURUS": Shape(
        "Spinosaurus", "SP",
        "M0 25C7 25 9 22 11 20C10 9 17 1 23 2C29 3 31 11 31 17L36 13L48 17L47 20L38 21"
        "C35 24 32 26 29 27L32 36L26 36L23 30L17 30L15 36L9 36L11 27C7 28 3 28 0 25Z",
        (37.5, 16),
        "M15 19L16 7M20 18L21 4M25 17L26 6",
    ),
    "STEGOSAURUS": Shape(
        "Stegosaurus", "ST",
        "M0 15L5 19L6 13L10 20L10 11L15 15L17 5L22 12L26 3L29 12L34 7L35 17C42 19 47 23 47 27"
        "L43 29L36 28L35 36L30 36L29 30L17 30L16 36L11 36L11 28C6 27 2 22 0 15Z",
        (41.5, 24),
        "M11 20C18 15 28 14 35 18",
    ),
    "PARASAUROLOPHUS": Shape(
        "Parasaurolophus", "PA",
        "M1 26C8 26 11 21 16 19C21 16 26 18 29 17C31 14 32 12 32 10L20 1C27 0 36 3 40 7L47 11"
        "C48 13 46 15 42 14L38 14C37 19 36 23 32 26L34 36L28 36L25 28L20 28L18 36L12 36L13 27"
        "C9 28 4 29 1 26Z",
        (37.5, 9),
    ),
}  # fmt: skip

LETTERS: Final[dict[str, str]] = {species: shape.letters for species, shape in SHAPES.items()}
NAMES: Final[dict[str, str]] = {species: shape.name for species, shape in SHAPES.items()}

_FACE_SIGNS: Final[dict[Face, str]] = {
    "WOODLANDS": "M20 5L31 20L25 20L33 31L22 31L22 36L18 36L18 31L7 31L15 20L9 20Z",
    "GRASSLANDS": "M4 35C8 27 8 20 5 12C12 18 12 26 12 30C15 22 16 13 20 5C24 13 25 22 28 30"
    "C28 26 28 18 35 12C32 20 32 27 36 35Z",
    "RESTROOMS": "M6 18L24 18L24 10L36 20L24 30L24 22L6 22Z",
    "FOOD_COURT": "M34 18L16 18L16 10L4 20L16 30L16 22L34 22Z",
    "EMPTY_PEN": "M6 8L34 8L34 32L6 32ZM10 12L10 28L30 28L30 12Z",
    "NO_T_REX": "",
}


def sprite() -> Markup:
    """All shapes once, for `use` anywhere on the page."""
    symbols = [
        f'<symbol id="dino-{species}" viewBox="0 0 48 38"><path class="dino {species}" '
        f'd="{shape.outline}"/><path class="dino-line" d="{shape.lines}"/>'
        f'<circle class="dino-eye" cx="{shape.eye[0]}" cy="{shape.eye[1]}" r="1.4"/></symbol>'
        for species, shape in SHAPES.items()
    ]
    symbols += [
        f'<symbol id="die-{face}" viewBox="0 0 40 40"><path class="die-sign" '
        f'fill-rule="evenodd" d="{sign}"/></symbol>'
        for face, sign in _FACE_SIGNS.items()
        if sign
    ]
    return Markup("".join(symbols))  # noqa: S704 -- only the shapes above


def dinosaur(species: str, x: float, y: float, width: float, ring: bool = False) -> str:
    """SVG of a dinosaur with its letters, this wide; `ring` marks the one that just came."""
    height = width * 38 / 48
    halo = (
        f'<rect class="ring" x="{x - 1:.1f}" y="{y - 1:.1f}" width="{width + 2:.1f}" '
        f'height="{height + 2:.1f}" rx="5"/>'
        if ring
        else ""
    )
    return (
        f'{halo}<use href="#dino-{species}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}"/><text class="letters" x="{x + width * 0.47:.1f}" '
        f'y="{y + height * 0.72:.1f}" font-size="{width * 0.27:.1f}">{LETTERS[species]}</text>'
    )


@cache
def token(species: str) -> Markup:
    """A dinosaur as a small picture by itself."""
    drawn = Markup(dinosaur(species, 0, 0, 48))  # noqa: S704 -- nothing from outside
    return Markup(
        '<svg class="token" viewBox="0 0 48 38" role="img" aria-label="{}">{}</svg>'
    ).format(NAMES[species], drawn)


def die(face: Face, words: str) -> Markup:
    """The die with this face up."""
    inside = (
        Markup('<use href="#dino-T_REX" x="6" y="9" width="28" height="22"/>'
               '<path class="die-no" d="M6 34L34 6"/>')
        if face == "NO_T_REX"
        else Markup('<use href="#die-{}" x="5" y="5" width="30" height="30"/>').format(face)
    )  # fmt: skip
    return Markup(
        '<svg class="die" viewBox="0 0 40 40" role="img" aria-label="{}">'
        '<rect class="die-body" x="1" y="1" width="38" height="38" rx="8"/>{}</svg>'
    ).format(words, inside)
