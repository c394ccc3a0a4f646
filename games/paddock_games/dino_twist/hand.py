"""What can be done with a hand, which is a sorted tuple of card numbers: plays, burials, discards.

Every list is in a stable order: fewer cards first, then by the cards' numbers. Copies that are
alike count once.
"""

from itertools import combinations
from typing import Final

from paddock_games.dino_twist.card import CARDS, WHICH
from paddock_games.dino_twist.choice import SINGLES, Choice, Kind, of
from paddock_games.dino_twist.event import DUO, MIXED, TRIO
from paddock_games.dino_twist.material import HAND, MOST_DISCARDED, SPECIES, TOO_MANY

_KINDS: Final = len(CARDS)
_END: Final = tuple(  # by code: the first code of the next species
    WHICH.index(which + 1) if which + 1 < len(SPECIES) else _KINDS for which in WHICH
)


class _Made(dict[tuple[int, ...], Choice]):
    """The choice of a kind and of these sorted cards, made when first needed."""

    __slots__ = ("_kind",)

    def __init__(self, kind: Kind) -> None:
        self._kind: Final = kind

    def __missing__(self, codes: tuple[int, ...]) -> Choice:
        which = WHICH[codes[0]] if self._kind == "PLAY" else -1
        choice = self[codes] = of(self._kind, codes, which)
        return choice


_PLAYS: Final = _Made("PLAY")  # of one species
_BURIALS: Final = _Made("BURY")
_DISCARDS: Final = _Made("DISCARD")


def plays(held: tuple[int, ...], shapes: int) -> list[Choice]:
    """T7: every play of these shapes: single cards, then Duos, then trios, then mixed Duos."""
    found: list[Choice] = []
    duos: list[Choice] = []
    want_duos = shapes & DUO
    last = -1
    at = 0
    for a in held:
        at += 1
        if a == last:
            continue
        last = a
        found.append(SINGLES[a])
        if want_duos:
            end, before = _END[a], -1
            for b in held[at:]:
                if b >= end:
                    break
                if b != before:
                    duos.append(_PLAYS[a, b])
                    before = b
    found += duos
    if shapes & TRIO:
        found += _trios(held)
    if shapes & MIXED:
        found += _mixed(held)
    return found


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


def burials(held: tuple[int, ...]) -> list[Choice]:
    """T13: every way to bury two cards."""
    return list(map(_BURIALS.__getitem__, dict.fromkeys(combinations(held, 2))))


def discards(held: tuple[int, ...]) -> list[Choice]:
    """NEW_GENERATIONS: every way to discard up to three cards, none at all first."""
    found: list[Choice] = []
    for size in range(MOST_DISCARDED + 1):
        found += map(_DISCARDS.__getitem__, dict.fromkeys(combinations(held, size)))
    return found


def less(held: tuple[int, ...], codes: tuple[int, ...]) -> tuple[int, ...]:
    """The hand without these cards; ValueError where it does not have them."""
    left = list(held)
    for code in codes:
        left.remove(code)
    return tuple(left)


def is_lopsided(held: tuple[int, ...]) -> bool:
    """T5: whether a hand has to be dealt again."""
    if len(held) < HAND:
        return False
    whiches = [WHICH[code] for code in held]
    return max(map(whiches.count, whiches)) >= TOO_MANY
