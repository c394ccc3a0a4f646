"""The tables of what pens promise: points that a zoo goes on to gain, by the states of its pens.

They were learned by simulation. The careful player played some ten thousand games against itself, a
tenth of the choices at random, and what a zoo gained until the end of the game was put down to the
states of its pens (least squares; play and learn, six times over). For two players in winter that
does worse than the table for more players, and pairs of placements do better: `bench/promises.py`
began with that table, and what it learned (seed 1, three times 1,500 games) won 52.9 ± 0.7 % of
4,000 matches against it.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from paddock_games.draftosaurus.material import ZOO, BoardName, PenName

TURNS: Final = ZOO - 1  # to come after the first
SCALE: Final = 10 * TURNS**2
"""A promise is counted in parts of a point: this many, so that whole numbers are exact."""

Pair: TypeAlias = tuple[int, int]


class Learned(NamedTuple):
    """The learned numbers of a pen, in tenths of a point.

    With a share x of the turns to come, the pen in its n-th state promises x * (a + b * x) more
    than in its first, where (a, b) is the n-th pair, and x * (c + d * x) for every unit of plenty
    of what it wants, where (c, d) is `plenty`.
    """

    states: tuple[Pair, ...]
    plenty: Pair


class Promise(NamedTuple):
    """The promise of a pen with a number of turns to go, in `SCALE` parts of a point."""

    states: tuple[int, ...]
    plenty: int


Promises: TypeAlias = tuple[Mapping[PenName, Promise], ...]
"""What every pen promises, by the number of turns to go."""

Tables: TypeAlias = Mapping[tuple[BoardName, bool], Promises]
"""The promises by board, and by whether two play."""


def promises(learned: Mapping[PenName, Learned]) -> Promises:
    """What pens promise with 0 to `TURNS` turns to go, by what was learned about them."""

    def worth(pair: Pair, turns: int) -> int:
        return turns * (TURNS * pair[0] + turns * pair[1])

    return tuple(
        {
            name: Promise(
                tuple(worth(pair, turns) for pair in pen.states), worth(pen.plenty, turns)
            )
            for name, pen in learned.items()
        }
        for turns in range(TURNS + 1)
    )


LEARNED: Final[Mapping[tuple[BoardName, bool], Mapping[PenName, Learned]]] = {
    ("SUMMER", False): {
        "FOREST_OF_SAMENESS": Learned(
            ((0, 0), (-29, 34), (-15, 37), (-22, 49), (-48, 21), (-59, 18), (-57, 18)), (5, 13)
        ),
        "WOODY_TRIO": Learned(((0, 0), (69, -44), (195, -168), (-15, 39)), (0, 0)),
        "KING_OF_THE_JUNGLE": Learned(
            ((0, 0), (-109, 64), (-78, 80), (-181, 126), (-112, 65), (-89, 55), (-91, 71)),
            (-18, 11),
        ),
        "PRAIRIE_OF_LOVE": Learned(((0, 0), (34, -10), (22, 19), (-27, -8), (-35, -13)), (23, -20)),
        "MEADOW_OF_DIFFERENCES": Learned(
            ((0, 0), (23, 0), (46, -9), (54, -11), (39, -1), (2, 5), (-40, -17)), (37, -55)
        ),
        "SOLITARY_ISLAND": Learned(((0, 0), (-130, 72), (-43, 39)), (-92, 27)),
    },
    ("SUMMER", True): {
        "FOREST_OF_SAMENESS": Learned(
            ((0, 0), (-31, 36), (-23, 52), (-30, 49), (-57, 32), (-65, 27), (-65, 27)), (10, 1)
        ),
        "WOODY_TRIO": Learned(((0, 0), (53, -28), (149, -99), (7, 1)), (0, 0)),
        "KING_OF_THE_JUNGLE": Learned(
            ((0, 0), (-82, 23), (-15, 37), (-139, 77), (-75, 16), (-60, 12), (-52, 8)), (-21, 19)
        ),
        "PRAIRIE_OF_LOVE": Learned(((0, 0), (34, -13), (18, 13), (-37, -8), (-42, -10)), (25, -16)),
        "MEADOW_OF_DIFFERENCES": Learned(
            ((0, 0), (28, -11), (48, -19), (55, -27), (32, -12), (-22, 1), (-68, -29)), (42, -60)
        ),
        "SOLITARY_ISLAND": Learned(((0, 0), (-133, 76), (-49, 53)), (-84, 25)),
    },
    ("WINTER", False): {
        "WELL_ORDERED_WOOD": Learned(
            ((0, 0), (-3, 9), (6, 13), (6, 34), (15, 39), (-23, 32), (-45, 28)), (10, 8)
        ),
        "LOOKOUT": Learned(((0, 0), (-46, 59)), (50, -9)),
        "LOVERS_BRIDGE_LEFT": Learned(
            ((0, 0), (56, -30), (87, -31), (55, 30), (-9, 8), (-17, 4)), (34, -23)
        ),
        "PYRAMID": Learned(
            ((0, 0), (2, 10), (29, 2), (100, -56), (116, -88), (155, -176), (-20, -66)), (0, 0)
        ),
    },
    ("WINTER", True): {
        "WELL_ORDERED_WOOD": Learned(
            ((0, 0), (-6, 4), (-9, 8), (3, 31), (12, 38), (-22, 32), (-45, 28)), (9, 16)
        ),
        "LOOKOUT": Learned(((0, 0), (-71, 76)), (44, -18)),
        "LOVERS_BRIDGE_LEFT": Learned(
            ((0, 0), (36, -10), (80, -40), (68, 19), (29, 25), (-15, 5)), (44, -26)
        ),
        "PYRAMID": Learned(
            ((0, 0), (2, 13), (38, -12), (91, -69), (100, -104), (106, -204), (-9, -62)), (0, 0)
        ),
    },
}

PROMISES: Final[Tables] = {key: promises(learned) for key, learned in LEARNED.items()}
