"""The choices from a hand: plays, burials and discards, each made when somebody looks at it.

A hand of seven has some twenty plays, 21 ways to bury two cards and 64 to discard up to three. Who
picks one by its number needs no other. So a list of them is a hand, which is in the order of card
codes, and ways to take cards from their places in it; those are the same for all hands that are
alike in the species of their cards and in which of them are equal.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Final, TypeAlias, overload

from paddock_games.dino_twist.card import WHICH, WHICH_BYTES
from paddock_games.dino_twist.choice import Choice, Kind, of
from paddock_games.dino_twist.event import BURIAL, DISCARD, DUO, MIXED, TRIO
from paddock_games.dino_twist.material import MOST_DISCARDED

Places: TypeAlias = tuple[int, ...]
"""Indices in a hand."""

Taken: TypeAlias = int | tuple[int, ...]
"""The code of a card, or the codes of any other number of them."""


class Way:
    """A way to take cards from a hand and to make a choice of them."""

    __slots__ = ("kept", "taken")

    def __init__(self, kept: "_Kept", taken: Callable[[Sequence[int]], Taken]) -> None:
        self.kept: Final = kept
        self.taken: Final = taken


class _Kept(dict[Taken, Choice]):
    """The choices of a kind by their sorted cards, made when first needed; of a PLAY, `attacking`
    is the index of the card whose species attacks."""

    __slots__ = ("_attacking", "_kind", "_ways")

    def __init__(self, kind: Kind, attacking: int = 0) -> None:
        self._kind: Final = kind
        self._attacking: Final = attacking
        self._ways: Final[dict[Places, Way]] = {}

    def __missing__(self, taken: Taken) -> Choice:
        codes = (taken,) if isinstance(taken, int) else taken
        species = WHICH[codes[self._attacking]] if self._kind == "PLAY" else -1
        choice = self[taken] = of(self._kind, codes, species)
        return choice

    def way(self, places: Places) -> Way:
        """The way to take the cards at these places of a hand; one object for each."""
        if places not in self._ways:
            self._ways[places] = Way(self, itemgetter(*places) if places else _nothing)
        return self._ways[places]


def _nothing(held: Sequence[int]) -> Taken:
    return ()


_FIRST_ATTACKS: Final = _Kept("PLAY")
_SECOND_ATTACKS: Final = _Kept("PLAY", attacking=1)
_BURIALS: Final = _Kept("BURY")
_DISCARDS: Final = _Kept("DISCARD")


class Choices(Sequence[Choice]):
    """The choices of these shapes that a hand has, in a stable order (T7, T13): single cards, then
    Duos, then trios, then mixed Duos, then every way to bury two cards; or every way to discard up
    to three. Those alike in this are in the order of the cards. Equal to the tuple of them."""

    __slots__ = ("_held", "_ways")

    def __init__(self, held: Sequence[int], shapes: int) -> None:
        self._held = held
        # Hands without equal cards, which most are, are alike in the species of their cards alone.
        species = bytes(held).translate(WHICH_BYTES)
        if len(set(held)) < len(held):
            self._ways = _ways(_places(held), species, shapes)
            return
        alike = _ALIKE[shapes]
        try:
            self._ways = alike[species]
        except KeyError:
            self._ways = alike[species] = _ways(_places(held), species, shapes)

    def __len__(self) -> int:
        return len(self._ways)

    @overload
    def __getitem__(self, at: int) -> Choice: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Choice, ...]: ...
    def __getitem__(self, at: int | slice) -> Choice | tuple[Choice, ...]:
        if isinstance(at, slice):
            return tuple(self)[at]
        way = self._ways[at]
        return way.kept[way.taken(self._held)]

    def __iter__(self) -> Iterator[Choice]:
        held = self._held
        return iter([way.kept[way.taken(held)] for way in self._ways])

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


# By shapes: the ways by the species of the cards.
_ALIKE: Final[tuple[dict[bytes, tuple[Way, ...]], ...]] = tuple({} for _ in range(2 * DISCARD))


def _places(held: Sequence[int]) -> Places:
    """The places of the cards; equal cards have the place of the first of them."""
    return tuple(map(held.index, held))


def _combined(places: Places, size: int) -> list[Places]:
    return list(dict.fromkeys(combinations(places, size)))


@cache
def _ways(places: Places, species: bytes, shapes: int) -> tuple[Way, ...]:
    if shapes == DISCARD:
        sizes = range(MOST_DISCARDED + 1)
        return tuple([_DISCARDS.way(some) for size in sizes for some in _combined(places, size)])
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
    if shapes & BURIAL:
        ways += [_BURIALS.way(two) for two in _combined(places, 2)]
    return tuple(ways)
