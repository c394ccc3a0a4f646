"""Points by pen, for a whole table of zoos (section 5, D19, D20, D23, D24)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from paddock_games.draftosaurus.herd import COUNT, SHIFTS
from paddock_games.draftosaurus.material import (
    BRIDGE_COUPLE_POINTS,
    ISLAND_POINTS,
    KING_POINTS,
    LOOKOUT_POINTS,
    T_REX,
    BoardName,
)
from paddock_games.draftosaurus.zoo import Zoo

# What a zoo's points are made of, in the order of `parts`; the bridge counts as one.
PARTS: Final[dict[BoardName, tuple[str, ...]]] = {
    "SUMMER": (
        "FOREST_OF_SAMENESS",
        "WOODY_TRIO",
        "KING_OF_THE_JUNGLE",
        "PRAIRIE_OF_LOVE",
        "MEADOW_OF_DIFFERENCES",
        "SOLITARY_ISLAND",
        "RIVER",
        "T_REX_BONUS",
    ),
    "WINTER": ("WELL_ORDERED_WOOD", "LOOKOUT", "LOVERS_BRIDGE", "PYRAMID", "RIVER", "T_REX_BONUS"),
}


class Score(NamedTuple):
    """The points of one zoo, and the T-Rexes that decide ties (D24)."""

    total: int
    parts: dict[str, int]
    t_rexes: int


def points(zoos: Sequence[Zoo], seat: int) -> int:
    """The seat's points as the table stands."""
    zoo = zoos[seat]
    if zoo.board == "WINTER":
        return sum(_winter(zoo, zoos[seat - 1].counts))  # D5: on the right of seat i is seat i-1
    counts = [zoo.counts for zoo in zoos]
    return sum(_summer(zoo, counts[seat], counts))


def totals_and_t_rexes(zoos: Sequence[Zoo]) -> tuple[list[int], list[int]]:
    """Everybody's points, and the T-Rexes that decide ties (D24), as the table stands."""
    counts = [zoo.counts for zoo in zoos]
    totals = [sum(_parts(zoos, seat, counts)) for seat in range(len(zoos))]
    return totals, [mine >> SHIFTS[T_REX] & COUNT for mine in counts]


def scores(zoos: Sequence[Zoo]) -> tuple[Score, ...]:
    """Everybody's points by name, as the table stands."""
    counts = [zoo.counts for zoo in zoos]
    by_seat = []
    for seat, zoo in enumerate(zoos):
        parts = _parts(zoos, seat, counts)
        named = dict(zip(PARTS[zoo.board], parts, strict=True))
        by_seat.append(Score(sum(parts), named, counts[seat] >> SHIFTS[T_REX] & COUNT))
    return tuple(by_seat)


def _parts(zoos: Sequence[Zoo], seat: int, counts: Sequence[int]) -> tuple[int, ...]:
    """The seat's points in the order of PARTS; `counts` are those of the whole zoos (D19)."""
    if zoos[seat].board == "SUMMER":
        return _summer(zoos[seat], counts[seat], counts)
    return _winter(zoos[seat], counts[seat - 1])  # D5: on the right of seat i is seat i-1


def _summer(zoo: Zoo, mine: int, counts: Sequence[int]) -> tuple[int, ...]:
    forest, trio, king, prairie, meadow, island, river = zoo
    king_points = island_points = 0
    if king.stands:
        shift = SHIFTS[king.stands[0]]
        if max([theirs >> shift & COUNT for theirs in counts]) == mine >> shift & COUNT:
            king_points = KING_POINTS
    if island.stands and mine >> SHIFTS[island.stands[0]] & COUNT == 1:
        island_points = ISLAND_POINTS
    bonus = forest.bonus + trio.bonus + king.bonus + prairie.bonus + meadow.bonus + island.bonus
    return (
        forest.points,
        trio.points,
        king_points,
        prairie.points,
        meadow.points,
        island_points,
        river.points,
        bonus,
    )


def _winter(zoo: Zoo, on_the_right: int) -> tuple[int, ...]:
    wood, lookout, left, right, pyramid, quarantine, river = zoo
    seen = on_the_right >> SHIFTS[lookout.stands[0]] & COUNT if lookout.stands else 0
    couples = 0  # D20
    if left.stands and right.stands:
        for shift in SHIFTS:
            couples += min(left.counts >> shift & COUNT, right.counts >> shift & COUNT)
    bonus = wood.bonus + lookout.bonus + left.bonus + right.bonus + pyramid.bonus + quarantine.bonus
    return (
        wood.points,
        LOOKOUT_POINTS * seen,
        BRIDGE_COUPLE_POINTS * couples,
        pyramid.points,
        river.points,
        bonus,
    )
