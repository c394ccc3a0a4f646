"""A hand, which is a sorted tuple of card codes: what is left of it, and what may be dealt."""

from paddock_games.dino_twist.card import WHICH_BYTES
from paddock_games.dino_twist.material import HAND, SPECIES, TOO_MANY


class NotInHand(Exception):
    """Raised inside a step when a seat does not have what it wants to use."""


def less(held: tuple[int, ...], codes: tuple[int, ...]) -> tuple[int, ...]:
    """The hand without these cards."""
    try:
        if len(codes) == 1:
            at = held.index(codes[0])
            return held[:at] + held[at + 1 :]
        left = list(held)
        for code in codes:
            left.remove(code)
    except ValueError:
        raise NotInHand from None
    return tuple(left)


def is_lopsided(held: tuple[int, ...]) -> bool:
    """T5: whether a hand has to be dealt again."""
    if len(held) < HAND:
        return False
    species = bytes(held).translate(WHICH_BYTES)
    return max(map(species.count, range(len(SPECIES)))) >= TOO_MANY
