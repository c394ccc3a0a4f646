"""The cards: one object and one code for every kind, and many cards packed in one number.

Copies of a card that are alike in species, strength and claw are the same kind: 76 kinds, numbered
by species, then strength, the one with a claw first. States hold the numbers.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from paddock_games.dino_twist.material import (
    BABIES_OF_EACH,
    BABY,
    COPIES,
    SPECIES,
    STRENGTHS,
    Species,
)


class Card:
    """A kind of card; equal means identical."""

    __slots__ = ("claw", "code", "name", "species", "strength")

    code: int
    species: Species
    strength: int
    claw: bool
    name: str  # such as KARNI-5 or KARNI-5-CLAW; a baby is KARNI-1

    def __new__(cls, name: str) -> "Card":
        """The card of this name; KeyError where there is none."""
        return NAMED[name]

    def __reduce__(self) -> tuple[type["Card"], tuple[str]]:
        return Card, (self.name,)

    def __copy__(self) -> "Card":
        return self

    def __deepcopy__(self, memo: object) -> "Card":
        return self

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Card({self.name!r})"


def _make_all() -> tuple[Card, ...]:
    cards: list[Card] = []
    for species in SPECIES:
        for strength in (BABY, *STRENGTHS):
            for claw in (True, False) if strength > BABY else (False,):
                card = object.__new__(Card)
                card.code, card.species, card.strength = len(cards), species, strength
                card.claw = claw
                card.name = f"{species}-{strength}" + "-CLAW" * claw
                cards.append(card)
    return tuple(cards)


CARDS: Final = _make_all()
NAMED: Final = {card.name: card for card in CARDS}
NAMES: Final = tuple(card.name for card in CARDS)
WHICH: Final = tuple(SPECIES.index(card.species) for card in CARDS)  # by code: the species' index
WHICH_BYTES: Final = bytes(WHICH).ljust(256)  # the same, for `bytes.translate`
# By code; -1, which stands for nobody, has none.
STRENGTH: Final = (*(card.strength for card in CARDS), 0)
CLAW: Final = (*(int(card.claw) for card in CARDS), 0)
BABIES: Final = tuple(NAMED[f"{species}-{BABY}"].code for species in SPECIES)  # by species' index

_BITS: Final = 2  # of a count in a packed number: there are at most three of a kind
ONE: Final = tuple(1 << _BITS * card.code for card in CARDS)  # packed: one card of the kind
ALL_BABIES: Final = sum(BABIES_OF_EACH * ONE[code] for code in BABIES)
NOT_BABIES: Final = ~sum(3 * ONE[code] for code in BABIES)  # a mask


def pack(codes: Iterable[int]) -> int:
    """How many there are of each kind, in one number."""
    counts = 0
    for code in codes:
        counts += ONE[code]
    return counts


def unpack(counts: int) -> list[int]:
    """The codes that a packed number counts, in order."""
    codes = []
    while counts:
        code = ((counts & -counts).bit_length() - 1) // _BITS
        codes.append(code)
        counts -= ONE[code]
    return codes


@cache
def deck(claw_copies: int, claw_strengths: str) -> tuple[int, ...]:
    """T1, B2: the 108 cards, in order."""
    strengths = [int(word) for word in claw_strengths.split()]
    codes: list[int] = []
    for card in CARDS:
        if card.strength > BABY:
            claws = COPIES * (card.strength in strengths) if strengths else claw_copies
            codes += [card.code] * (claws if card.claw else COPIES - claws)
    return tuple(codes)


def cards(codes: Iterable[int]) -> tuple[Card, ...]:
    """The cards of these codes."""
    return tuple([CARDS[code] for code in codes])


def names(codes: Iterable[int]) -> list[str]:
    """The names of the cards of these codes."""
    return [NAMES[code] for code in codes]
