"""The material: species, die faces, pens and boards, as printed (D1-D3, section 4 and 5)."""

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Species: TypeAlias = Literal[
    "T_REX", "DIPLODOCUS", "TRICERATOPS", "SPINOSAURUS", "STEGOSAURUS", "PARASAUROLOPHUS"
]
Face: TypeAlias = Literal[
    "WOODLANDS", "GRASSLANDS", "RESTROOMS", "FOOD_COURT", "EMPTY_PEN", "NO_T_REX"
]
PenName: TypeAlias = Literal[
    "FOREST_OF_SAMENESS",
    "WOODY_TRIO",
    "KING_OF_THE_JUNGLE",
    "PRAIRIE_OF_LOVE",
    "MEADOW_OF_DIFFERENCES",
    "SOLITARY_ISLAND",
    "WELL_ORDERED_WOOD",
    "LOOKOUT",
    "LOVERS_BRIDGE_LEFT",
    "LOVERS_BRIDGE_RIGHT",
    "PYRAMID",
    "QUARANTINE",
    "RIVER",
]
BoardName: TypeAlias = Literal["SUMMER", "WINTER"]

# The order of species and faces is part of how chance is drawn: a bag is filled, and a face is
# numbered, in this order.
SPECIES: Final[tuple[Species, ...]] = get_args(Species)
FACES: Final[tuple[Face, ...]] = get_args(Face)
BOARDS: Final[tuple[BoardName, ...]] = get_args(BoardName)

T_REX: Final = 0  # the index of the species that scores and breaks ties on its own
OF_EACH_IN_THE_BOX: Final = 10  # D1
HAND: Final = 6  # D6, D13
ZOO: Final = 12  # D12
MIN_SEATS: Final = 2  # D2
MAX_SEATS: Final = 5

# D3: dinosaurs of each species in the bag, by seats.
OF_EACH_IN_THE_BAG: Final = {2: 8, 3: 6, 4: 8, 5: 10}


class Plot(NamedTuple):
    """A pen as printed on the board, before any dinosaur."""

    name: PenName
    section: Literal["WOODLANDS", "GRASSLANDS"] | None  # the faces of the same name
    side: Literal["FOOD_COURT", "RESTROOMS"] | None  # left and right of the river
    holds: int | None  # None: any number


LEFT: Final = "FOOD_COURT"
RIGHT: Final = "RESTROOMS"
RIVER: Final = Plot("RIVER", None, None, None)  # D18: no pen, satisfies no face, always open

SUMMER: Final = (
    Plot("FOREST_OF_SAMENESS", "WOODLANDS", LEFT, 6),
    Plot("WOODY_TRIO", "WOODLANDS", LEFT, 3),
    Plot("KING_OF_THE_JUNGLE", "WOODLANDS", RIGHT, 1),
    Plot("PRAIRIE_OF_LOVE", "GRASSLANDS", LEFT, None),
    Plot("MEADOW_OF_DIFFERENCES", "GRASSLANDS", RIGHT, 6),
    Plot("SOLITARY_ISLAND", "GRASSLANDS", RIGHT, 1),
    RIVER,
)
WINTER: Final = (
    Plot("WELL_ORDERED_WOOD", "WOODLANDS", LEFT, 6),
    Plot("LOOKOUT", "WOODLANDS", RIGHT, 1),
    Plot("LOVERS_BRIDGE_LEFT", "WOODLANDS", LEFT, None),
    Plot("LOVERS_BRIDGE_RIGHT", "GRASSLANDS", RIGHT, None),  # A6: the right bank is grassland
    Plot("PYRAMID", "GRASSLANDS", RIGHT, 6),
    Plot("QUARANTINE", "GRASSLANDS", LEFT, 1),
    RIVER,
)
PLOTS: Final[dict[BoardName, tuple[Plot, ...]]] = {"SUMMER": SUMMER, "WINTER": WINTER}

# D21: the rows of the pyramid, and D22: the nine pairs of slots that touch.
PYRAMID_ROWS: Final = ((0, 1, 2), (3, 4), (5,))
PYRAMID_TOUCHING: Final = (
    (0, 1), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (3, 4), (3, 5), (4, 5),
)  # fmt: skip

# Points by the number of dinosaurs in the pen.
ROW_POINTS: Final = (0, 2, 4, 8, 12, 18, 24)  # FOREST_OF_SAMENESS and WELL_ORDERED_WOOD
MEADOW_POINTS: Final = (0, 1, 3, 6, 10, 15, 21)
PYRAMID_POINTS: Final = (0, 2, 4, 6, 10, 14, 21)
TRIO_POINTS: Final = (0, 0, 0, 7)
KING_POINTS: Final = 7
ISLAND_POINTS: Final = 7
PRAIRIE_COUPLE_POINTS: Final = 5
BRIDGE_COUPLE_POINTS: Final = 6
LOOKOUT_POINTS: Final = 2
