"""The choices from a hand, which is a sorted tuple of card codes: plays, burials, discards.

Every list is in a stable order: fewer cards first, then by the cards' numbers. Copies that are
alike count once.
"""

from bisect import bisect_left
from itertools import combinations
from typing import Final

from paddock_games.dino_twist.card import WHICH
from paddock_games.dino_twist.choice import SINGLES, Choice, Kind, of
from paddock_games.dino_twist.event import DUO, MIXED, TRIO
from paddock_games.dino_twist.material import HAND, MOST_DISCARDED, SPECIES, TOO_MANY

_ENDS: Final = [WHICH.index(species) for species in range(1, len(SPECIES))]  # where species begin
_CACHED: Final = 4  # there are too many larger groups to keep them all


class _Choices(dict[tuple[int, ...], Choice]):
    """The choice of a kind and of these sorted cards, made when first needed."""

    __slots__ = ("_kind",)

    def __init__(self, kind: Kind) -> None:
        self._kind: Final = kind

    def __missing__(self, codes: tuple[int, ...]) -> Choice:
        species = WHICH[codes[0]] if self._kind == "PLAY" else -1
        choice = self[codes] = of(self._kind, codes, species)
        return choice


_PLAYS: Final = _Choices("PLAY")  # of one species
_BURIALS: Final = _Choices("BURY")
_DISCARDS: Final = _Choices("DISCARD")


class _Groups(dict[tuple[int, ...], tuple[tuple[Choice, ...], tuple[Choice, ...]]]):
    """The single cards and the Duos of the cards of one species, made when first needed."""

    def __missing__(self, group: tuple[int, ...]) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
        singles = tuple(SINGLES[code] for code in dict.fromkeys(group))
        duos = tuple(_PLAYS[codes] for codes in dict.fromkeys(combinations(group, 2)))
        if len(group) <= _CACHED:
            self[group] = singles, duos
        return singles, duos


_GROUPS: Final = _Groups()


def plays(held: tuple[int, ...], shapes: int) -> tuple[Choice, ...]:
    """T7: every play of these shapes: single cards, then Duos, then trios, then mixed Duos."""
    one, two, three = [bisect_left(held, end) for end in _ENDS]
    singles_a, duos_a = _GROUPS[held[:one]]
    singles_b, duos_b = _GROUPS[held[one:two]]
    singles_c, duos_c = _GROUPS[held[two:three]]
    singles_d, duos_d = _GROUPS[held[three:]]
    choices = singles_a + singles_b + singles_c + singles_d
    if shapes & DUO:
        choices += duos_a + duos_b + duos_c + duos_d
    if shapes & TRIO:
        choices += tuple(_trios(held))
    if shapes & MIXED:
        choices += tuple(_mixed(held))
    return choices


def _trios(held: tuple[int, ...]) -> list[Choice]:
    three = dict.fromkeys(combinations(held, 3))
    return [_PLAYS[codes] for codes in three if WHICH[codes[0]] == WHICH[codes[2]]]


def _mixed(held: tuple[int, ...]) -> list[Choice]:
    two = dict.fromkeys(combinations(held, 2))
    return [
        of("PLAY", codes, WHICH[attacked])
        for codes in two
        if WHICH[codes[0]] != WHICH[codes[1]]
        for attacked in codes
    ]


def burials(held: tuple[int, ...]) -> tuple[Choice, ...]:
    """T13: every way to bury two cards."""
    return tuple(map(_BURIALS.__getitem__, dict.fromkeys(combinations(held, 2))))


def discards(held: tuple[int, ...]) -> list[Choice]:
    """NEW_GENERATIONS: every way to discard up to three cards, none at all first."""
    choices: list[Choice] = []
    for size in range(MOST_DISCARDED + 1):
        choices += map(_DISCARDS.__getitem__, dict.fromkeys(combinations(held, size)))
    return choices


class NotInHand(Exception):
    """Raised inside a step when a seat does not have what it wants to use."""


def less(held: tuple[int, ...], codes: tuple[int, ...]) -> tuple[int, ...]:
    """The hand without these cards."""
    left = list(held)
    try:
        for code in codes:
            left.remove(code)
    except ValueError:
        raise NotInHand from None
    return tuple(left)


def is_lopsided(held: tuple[int, ...]) -> bool:
    """T5: whether a hand has to be dealt again."""
    if len(held) < HAND:
        return False
    species = [WHICH[code] for code in held]
    return max(map(species.count, species)) >= TOO_MANY
