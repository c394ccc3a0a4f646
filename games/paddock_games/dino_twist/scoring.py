"""Points: island, graveyard, and the two bonuses (T14-T16)."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from paddock_games.dino_twist.island import Island
from paddock_games.dino_twist.material import CLAW_BONUS, GRAVEYARD_POINTS, ISLAND_BONUSES
from paddock_games.dino_twist.rules import Rules

PARTS: Final = ("ISLAND", "GRAVEYARD", "ISLAND_BONUS", "CLAW_BONUS")

Graveyard: TypeAlias = tuple[tuple[int, ...], ...]
"""Entries, each of one card or more, in the order in which they were made."""


class Score(NamedTuple):
    """The points of one seat, and the claws on its island."""

    total: int
    parts: dict[str, int]
    claws: int


def scores(
    islands: Sequence[Island],
    graveyards: Sequence[Graveyard],
    bonuses: Sequence[int],
    rules: Rules,
) -> tuple[Score, ...]:
    """Everybody's points by name, as the table stands."""
    claws = [island.claws for island in islands]
    most = max(claws)
    made = []
    for island, graveyard, bonus, mine in zip(islands, graveyards, bonuses, claws, strict=True):
        parts = (
            island.strength,
            GRAVEYARD_POINTS * _entries(graveyard, rules),
            bonus,
            CLAW_BONUS if mine == most > 0 else 0,  # T16
        )
        made.append(Score(sum(parts), dict(zip(PARTS, parts, strict=True)), mine))
    return tuple(made)


def _entries(graveyard: Graveyard, rules: Rules) -> int:
    """B4: what counts in a graveyard."""
    return sum(map(len, graveyard)) if rules.graveyard_per_card else len(graveyard)


def island_bonuses(bonuses: tuple[int, ...], islands: Sequence[Island]) -> tuple[int, ...]:
    """T15: the bonuses by seat at the end of a round; all that fill up in it get the best left."""
    left = [bonus for bonus in ISLAND_BONUSES if bonus not in bonuses]
    if not left:
        return bonuses
    return tuple([
        bonus or (left[0] if island.is_full else 0)
        for bonus, island in zip(bonuses, islands, strict=True)
    ])  # fmt: skip
