"""What can be done with a hand, which is a sorted tuple of card numbers: plays, burials, discards.

Every list is in a stable order: fewer cards first, then by the cards' numbers. Copies that are
alike count once.
"""

from itertools import combinations
from typing import Final

from paddock_games.dino_twist.card import CARDS, WHICH
from paddock_games.dino_twist.choice import SINGLES, Choice, of
from paddock_games.dino_twist.event import DUO, MIXED, TRIO
from paddock_games.dino_twist.material import HAND, MOST_DISCARDED, SPECIES, TOO_MANY

_KINDS: Final = len(CARDS)
# By code: the first code of the next species.
_END: Final = tuple(WHICH.index(which + 1) if which + 1 < len(SPECIES) else _KINDS
                    for which in WHICH)  # fmt: skip


class _Duos(dict[int, Choice]):
    """The Duo of two cards a <= b of one species, by a * _KINDS + b, made when first needed."""

    def __missing__(self, key: int) -> Choice:
        a, b = divmod(key, _KINDS)
        duo = self[key] = of("PLAY", (a, b), WHICH[a])
        return duo


_DUOS: Final = _Duos()


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
                    duos.append(_DUOS[a * _KINDS + b])
                    before = b
    found += duos
    if shapes & TRIO:
        found += _trios(held)
    if shapes & MIXED:
        found += _mixed(held)
    return found


def _trios(held: tuple[int, ...]) -> list[Choice]:
    three = dict.fromkeys(combinations(held, 3))
    return [
        of("PLAY", codes, WHICH[codes[0]]) for codes in three if WHICH[codes[0]] == WHICH[codes[2]]
    ]


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
    return [of("BURY", codes) for codes in dict.fromkeys(combinations(held, 2))]


def discards(held: tuple[int, ...]) -> list[Choice]:
    """NEW_GENERATIONS: every way to discard up to three cards, none at all first."""
    return [
        of("DISCARD", codes)
        for size in range(MOST_DISCARDED + 1)
        for codes in dict.fromkeys(combinations(held, size))
    ]


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
