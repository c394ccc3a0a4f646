"""The cards and islands of Dino Twist as SVG; a species has a sign, a letter and a colour."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from markupsafe import Markup

from paddock_games.dino_twist.card import Card
from paddock_games.dino_twist.material import Species
from paddock_server.web.drawing.frame import Place

WIDTH: Final = 360
_CELL: Final = (180, 46)  # of a territory
_CARD: Final = (52, 34)

# A fin, a tooth, a leaf and a wing.
_SIGNS: Final[dict[Species, str]] = {
    "AQUA": "M1 13C5 8 9 6 12 1C14 6 14 10 13 13C16 12 18 12 20 13C16 16 5 16 1 13Z",
    "KARNI": "M3 2C8 4 14 4 18 2C17 9 14 14 11 17C8 14 4 9 3 2Z",
    "HERBI": "M2 16C1 7 8 2 19 2C19 11 13 17 5 15L11 9L4 14Z",
    "VOLI": "M1 4C7 2 14 4 20 12C15 10 12 10 10 12C9 9 7 8 5 9C5 7 3 5 1 4Z",
}


def sprite() -> Markup:
    """The signs once, for `use` anywhere on the page."""
    symbols = [
        f'<symbol id="sign-{species}" viewBox="0 0 21 18"><path class="sign" d="{sign}"/></symbol>'
        for species, sign in _SIGNS.items()
    ]
    return Markup("".join(symbols))  # noqa: S704 -- only the signs above


def card(name: str, x: float, y: float, ring: bool = False) -> str:
    """SVG of a card: its species and strength; `ring` marks one that just came."""
    kind = Card(name)
    width, height = _CARD
    halo = (
        f'<rect class="ring" x="{x - 2}" y="{y - 2}" width="{width + 4}" height="{height + 4}" '
        'rx="7"/>'
        if ring
        else ""
    )
    claw = (
        f'<path class="claw" d="M{x + 46} {y + 3}l-2 8M{x + 49} {y + 3}l-2 8"/>'
        if kind.claw
        else ""
    )
    return (
        f'{halo}<g data-piece="{name}"><rect class="card {kind.species}" x="{x}" y="{y}" '
        f'width="{width}" height="{height}" rx="6"/>'
        f'<use href="#sign-{kind.species}" x="{x + 4}" y="{y + 3}" width="17" height="14"/>'
        f'<text class="letters" x="{x + 12}" y="{y + 30}" font-size="12">{kind.species[0]}</text>'
        f'<text class="letters" x="{x + 32}" y="{y + 28}" font-size="18">{kind.strength}</text>'
        f"{claw}</g>"
    )


@cache
def token(name: str) -> Markup:
    """A card as a small picture by itself."""
    kind = Card(name)
    drawn = Markup(card(name, 0, 0))  # noqa: S704 -- nothing from outside
    words = f"{kind.species.capitalize()} {kind.strength}{' with a claw' if kind.claw else ''}"
    return Markup(
        '<svg class="token" viewBox="0 0 52 34" role="img" aria-label="{}">{}</svg>'
    ).format(words, drawn)


def island(
    places: Sequence[Place], entries: Sequence[str], words: str, name: Callable[[str], str]
) -> Markup:
    """Eight territories, one row of two per species, and the graveyard below them."""
    width, height = _CELL
    parts = []
    for number, place in enumerate(places):
        x, y = width * (number % 2), height * (number // 2)
        kind = "pen touched" if place.chosen else "pen"
        label = f'x="{x + 12}" y="{y + height / 2 + 4}"'
        parts.append(
            f'<rect class="{kind} land" x="{x + 3}" y="{y + 3}" width="{width - 6}" '
            f'height="{height - 6}" rx="9"/>'
            f'<text class="pen-name" {label}>{name(place.name)}</text>'
        )
        stands = place.stands[0] if place.stands else None
        if stands:
            parts.append(card(stands, x + width - 64, y + 6, ring=bool(place.came)))
        else:
            middle = f'cx="{x + width - 38}" cy="{y + height / 2}"'
            parts.append(f'<circle class="slot" {middle} r="5"/>')
    tall = height * ((len(places) + 1) // 2)
    if entries:
        parts.append(f'<text class="pen-name" x="12" y="{tall + 18}">Graveyard</text>')
        for number, entry in enumerate(entries):
            x, y = 84 + 92 * (number % 3), tall + 18 + 18 * (number // 3)
            parts.append(f'<text class="pen-name" x="{x}" y="{y}">{entry}</text>')
        tall += 10 + 18 * ((len(entries) + 2) // 3)
    drawn = Markup("".join(parts))  # noqa: S704 -- nothing in it comes from outside
    return Markup(
        '<svg class="board island" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, tall, words, drawn)
