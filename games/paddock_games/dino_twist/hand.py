"""A hand, which is a sorted sequence of card codes: what is left of it, and what may be dealt."""

from collections.abc import Sequence

from paddock_games.dino_twist.card import WHICH_BYTES
from paddock_games.dino_twist.material import HAND, SPECIES, TOO_MANY


def less(held: Sequence[int], codes: tuple[int, ...]) -> list[int]:
    """The hand without these cards; ValueError where it does not have them."""
    left = list(held)
    for code in codes:
        left.remove(code)
    return left


def is_lopsided(held: Sequence[int]) -> bool:
    """T5: whether a hand, in any order, has to be dealt again."""
    if len(held) < HAND:
        return False
    species = bytes(held).translate(WHICH_BYTES)
    return max(map(species.count, range(len(SPECIES)))) >= TOO_MANY
