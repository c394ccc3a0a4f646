"""The rules of each pen: who may enter, and what it scores by itself (section 5, D21, D22)."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from paddock_games.draftosaurus.choice import SPECIES_COUNT
from paddock_games.draftosaurus.material import (
    MEADOW_POINTS,
    PRAIRIE_COUPLE_POINTS,
    PYRAMID_POINTS,
    PYRAMID_ROWS,
    PYRAMID_TOUCHING,
    ROW_POINTS,
    TRIO_POINTS,
    PenName,
)

Stands: TypeAlias = tuple[int, ...]  # species indices; FREE for a free slot of the pyramid
Room: TypeAlias = tuple[tuple[int, int], ...]  # (slot, the species that may enter it as bits)

FREE: Final = -1
ALL: Final = (1 << SPECIES_COUNT) - 1

_TOUCHES: Final = tuple(
    tuple(b if a == slot else a for a, b in PYRAMID_TOUCHING if slot in (a, b))
    for row in PYRAMID_ROWS
    for slot in row
)


def _bits(stands: Stands) -> int:
    return sum(1 << species for species in set(stands) - {FREE})


def _anyone(stands: Stands, holds: int) -> Room:
    return ((0, ALL if len(stands) < holds else 0),)


def _same(stands: Stands, holds: int) -> Room:
    return ((0, (_bits(stands) or ALL) if len(stands) < holds else 0),)


def _different(stands: Stands, holds: int) -> Room:
    return ((0, ALL & ~_bits(stands)),)


def _alternating(stands: Stands, holds: int) -> Room:
    if len(stands) < 2:
        return ((0, ALL & ~_bits(stands)),)
    return ((0, 1 << stands[-2] if len(stands) < holds else 0),)


def _pyramid(stands: Stands, holds: int) -> Room:
    for row in PYRAMID_ROWS:  # D21: the lowest row that is not full is the open one
        free = [slot for slot in row if stands[slot] == FREE]
        if free:
            touching = (tuple(stands[t] for t in _TOUCHES[slot]) for slot in free)
            return tuple(
                (slot, ALL & ~_bits(near)) for slot, near in zip(free, touching, strict=True)
            )
    return ()


def _sorted(stands: Stands, species: int, slot: int) -> Stands:
    return tuple(sorted((*stands, species)))


def _behind(stands: Stands, species: int, slot: int) -> Stands:
    return (*stands, species)


def _into_slot(stands: Stands, species: int, slot: int) -> Stands:
    return (*stands[:slot], species, *stands[slot + 1 :])


def _nothing(stands: Stands) -> int:
    return 0


def _couples(stands: Stands) -> int:
    return PRAIRIE_COUPLE_POINTS * sum(stands.count(species) // 2 for species in set(stands))


class Filling(NamedTuple):
    """A pen's own rules; the defaults are those of a pen that takes anyone in any order."""

    room: Callable[[Stands, int], Room] = _anyone  # who may enter, given how many it holds
    add: Callable[[Stands, int, int], Stands] = _sorted  # equal contents are one tuple
    points: Callable[[Stands], int] = _nothing  # by itself
    empty: Stands = ()


# KING_OF_THE_JUNGLE, SOLITARY_ISLAND, LOOKOUT and the bridge are worth what the zoo or the table
# makes of them: scoring.py.
FILLINGS: Final[dict[PenName, Filling]] = {
    "FOREST_OF_SAMENESS": Filling(_same, points=lambda stands: ROW_POINTS[len(stands)]),
    "WOODY_TRIO": Filling(points=lambda stands: TRIO_POINTS[len(stands)]),
    "PRAIRIE_OF_LOVE": Filling(points=_couples),
    "MEADOW_OF_DIFFERENCES": Filling(_different, points=lambda stands: MEADOW_POINTS[len(stands)]),
    "WELL_ORDERED_WOOD": Filling(
        _alternating, _behind, points=lambda stands: ROW_POINTS[len(stands)]
    ),
    "PYRAMID": Filling(
        _pyramid,
        _into_slot,
        points=lambda stands: PYRAMID_POINTS[6 - stands.count(FREE)],
        empty=(FREE,) * 6,
    ),
    "RIVER": Filling(points=len),
}
