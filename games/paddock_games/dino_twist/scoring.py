"""Points: island, graveyard, and the two bonuses (T14-T16)."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from paddock_games.dino_twist.island import EMPTY, Island
from paddock_games.dino_twist.material import CLAW_BONUS, GRAVEYARD_POINTS, ISLAND_BONUSES
from paddock_games.dino_twist.rules import AnyRules

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
    rules: AnyRules,
) -> tuple[Score, ...]:
    """Everybody's points by name, as the table stands."""
    claws = [island.claws for island in islands]
    most = max(claws)
    by_seat = []
    for island, graveyard, bonus, mine in zip(islands, graveyards, bonuses, claws, strict=True):
        parts = (
            island.strength,
            GRAVEYARD_POINTS * _entries(graveyard, rules),
            bonus,
            CLAW_BONUS if mine == most > 0 else 0,  # T16
        )
        by_seat.append(Score(sum(parts), dict(zip(PARTS, parts, strict=True)), mine))
    return tuple(by_seat)


def _entries(graveyard: Graveyard, rules: AnyRules) -> int:
    """B4: what counts in a graveyard."""
    return sum(map(len, graveyard)) if rules.graveyard_per_card else len(graveyard)


def island_bonuses(
    bonuses: tuple[int, ...], islands: Sequence[Sequence[int]], ties: str, turns: Sequence[int]
) -> tuple[int, ...]:
    """T15: the bonuses by seat at the end of a round in which the seats acted in these turns."""
    filled = [seat for seat in turns if EMPTY not in islands[seat] and not bonuses[seat]]
    if not filled:
        return bonuses
    if ties == "share":  # all of a round get the best one left, and use up one
        left = [bonus for bonus in ISLAND_BONUSES if bonus not in bonuses]
    else:  # every seat uses up one
        left = list(ISLAND_BONUSES[sum(map(bool, bonuses)) :])
    if ties != "in_turn":
        left = left[:1] * len(filled)
    after = list(bonuses)
    for seat, bonus in zip(filled, left, strict=False):
        after[seat] = bonus
    return tuple(after)
