"""The choices from a hand: plays, burials and discards, each made when somebody looks at it.

A hand of seven has some twenty plays, 21 ways to bury two cards and 64 to discard up to three. Who
picks one by its number needs no other. So a list of them is a hand, which is a sorted tuple of card
codes, and ways to take cards from their places in it; those are the same for all hands that are
alike in the species of their cards and in which of them are equal.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias, overload

from paddock_games.dino_twist.card import WHICH, WHICH_BYTES
from paddock_games.dino_twist.choice import Choice, Kind, of
from paddock_games.dino_twist.event import DUO, MIXED, TRIO
from paddock_games.dino_twist.material import MOST_DISCARDED

Codes: TypeAlias = tuple[int, ...]
Places: TypeAlias = tuple[int, ...]
"""Indices in a hand."""


class Way(NamedTuple):
    """A way to take cards from a hand and to make a choice of them."""

    kept: "_Kept"
    taken: Callable[[Codes], Codes]


class _Kept(dict[Codes, Choice]):
    """The choices of a kind by their sorted cards, made when first needed; of a PLAY, `attacking`
    is the index of the card whose species attacks."""

    __slots__ = ("_attacking", "_kind", "_ways")

    def __init__(self, kind: Kind, attacking: int = 0) -> None:
        self._kind: Final = kind
        self._attacking: Final = attacking
        self._ways: Final[dict[Places, Way]] = {}

    def __missing__(self, codes: Codes) -> Choice:
        species = WHICH[codes[self._attacking]] if self._kind == "PLAY" else -1
        choice = self[codes] = of(self._kind, codes, species)
        return choice

    def way(self, places: Places) -> Way:
        """The way to take the cards at these places of a hand; one object for each."""
        if places not in self._ways:
            one = slice(places[0], places[0] + 1) if places else slice(0)
            taken = itemgetter(*places) if len(places) > 1 else itemgetter(one)
            self._ways[places] = Way(self, taken)
        return self._ways[places]


_FIRST_ATTACKS: Final = _Kept("PLAY")
_SECOND_ATTACKS: Final = _Kept("PLAY", attacking=1)
_BURIALS: Final = _Kept("BURY")
_DISCARDS: Final = _Kept("DISCARD")


class Choices(Sequence[Choice]):
    """The legal choices of a seat with this hand, in a stable order: fewer cards first, then by the
    cards' numbers; equal to the tuple of them."""

    __slots__ = ("_held", "_ways")

    def __init__(self, held: Codes, ways: tuple[Way, ...]) -> None:
        self._held = held
        self._ways = ways

    def __len__(self) -> int:
        return len(self._ways)

    @overload
    def __getitem__(self, at: int) -> Choice: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Choice, ...]: ...
    def __getitem__(self, at: int | slice) -> Choice | tuple[Choice, ...]:
        if isinstance(at, slice):
            return tuple(self)[at]
        kept, taken = self._ways[at]
        return kept[taken(self._held)]

    def __iter__(self) -> Iterator[Choice]:
        held = self._held
        return iter([kept[taken(held)] for kept, taken in self._ways])

    def __eq__(self, other: object) -> bool:
        # Not isinstance(other, Choices): compiled, that would also be true of other sequences.
        if type(other) is Choices or isinstance(other, tuple):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Choice, ...]], tuple[tuple[Choice, ...]]]:
        return tuple, (tuple(self),)

    def __repr__(self) -> str:
        return repr(tuple(self))


def plays(held: Codes, shapes: int, burying: bool) -> Choices:
    """T7, T13: every play of these shapes (single cards, then Duos, then trios, then mixed Duos),
    and where that is allowed every way to bury two cards."""
    alike = _ALIKE[shapes << 1 | burying]
    # Hands without equal cards, which most are, are alike in the species of their cards alone.
    species = bytes(held).translate(WHICH_BYTES)
    if len(set(held)) < len(held):
        return Choices(held, _plays(_places(held), species, shapes, burying))
    ways = alike.get(species)
    if ways is None:
        ways = alike[species] = _plays(_places(held), species, shapes, burying)
    return Choices(held, ways)


def discards(held: Codes) -> Choices:
    """NEW_GENERATIONS: every way to discard up to three cards, none at all first."""
    return Choices(held, _discards(_places(held)))


# By the shapes of plays and whether burying is allowed: the ways by the species of the cards.
_ALIKE: Final[tuple[dict[bytes, tuple[Way, ...]], ...]] = tuple({} for _ in range(32))


def _places(held: Codes) -> Places:
    """The places of the cards; equal cards have the place of the first of them."""
    return tuple(map(held.index, held))


def _combined(places: Places, size: int) -> list[Places]:
    return list(dict.fromkeys(combinations(places, size)))


@cache
def _plays(places: Places, species: bytes, shapes: int, burying: bool) -> tuple[Way, ...]:
    ways = [_FIRST_ATTACKS.way(one) for one in _combined(places, 1)]
    for shape, size in ((DUO, 2), (TRIO, 3)):
        if shapes & shape:
            some = _combined(places, size)
            ways += [_FIRST_ATTACKS.way(at) for at in some if species[at[0]] == species[at[-1]]]
    if shapes & MIXED:
        ways += [
            kept.way(at)
            for at in _combined(places, 2)
            if species[at[0]] != species[at[1]]
            for kept in (_FIRST_ATTACKS, _SECOND_ATTACKS)
        ]
    if burying:
        ways += [_BURIALS.way(two) for two in _combined(places, 2)]
    return tuple(ways)


@cache
def _discards(places: Places) -> tuple[Way, ...]:
    sizes = range(MOST_DISCARDED + 1)
    return tuple([_DISCARDS.way(some) for size in sizes for some in _combined(places, size)])
