"""A herd: dinosaurs without an order, as in a hand."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from paddock_games.draftosaurus.material import HAND, SPECIES, Species

BITS: Final = 4  # of a count in a packed number: zoos and bags' shares stay below 16 of a species
COUNT: Final = (1 << BITS) - 1
SHIFTS: Final = tuple(BITS * species for species in range(len(SPECIES)))
ONE: Final = tuple(1 << shift for shift in SHIFTS)  # packed: one dinosaur of the species


def pack(dinosaurs: Iterable[int]) -> int:
    """How many there are of each species, in one number with four bits per species."""
    counts = 0
    for species in dinosaurs:
        counts += ONE[species]
    return counts


def unpack(counts: int) -> tuple[int, ...]:
    """The species indices, in the species' order, that a packed number counts."""
    return tuple(w for w, shift in enumerate(SHIFTS) for _ in range(counts >> shift & COUNT))


class Herd:
    """A multiset of dinosaurs; iterating gives their species in the species' order.

    There is one object for every hand. What two players remove grows into too many different herds
    to keep them all: each is an object of its own, made of a number, and the rest when it is asked.
    """

    __slots__ = ("counts", "less", "mask", "species")

    counts: int  # packed
    mask: int  # the species that are there, as bits
    species: tuple[Species, ...]
    less: "_Less"  # by species index: the herd without one of that species

    def __new__(cls, counts: int = 0) -> "Herd":
        """The herd of these packed counts."""
        herd = _HANDS.get(counts)
        if herd is None:
            herd = loose(counts)
            if len(herd) <= HAND:
                _HANDS[counts] = herd
        return herd

    def __getattr__(self, name: str) -> Any:
        if name == "mask":
            self.mask = sum(1 << which for which in set(unpack(self.counts)))
        elif name == "species":
            self.species = tuple([SPECIES[which] for which in unpack(self.counts)])
        elif name == "less":
            self.less = _Less(self)
        return object.__getattribute__(self, name)

    @classmethod
    def of(cls, species: Iterable[str]) -> "Herd":
        """The herd of these species, given by name."""
        return cls(pack(SPECIES.index(name) for name in species))

    def __iter__(self) -> Iterator[Species]:
        return iter(self.species)

    def __len__(self) -> int:
        return len(self.species)

    def __eq__(self, other: object) -> bool:
        return self.counts == other.counts if isinstance(other, Herd) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.counts)

    def __reduce__(self) -> tuple[type["Herd"], tuple[int]]:
        return Herd, (self.counts,)

    def __copy__(self) -> "Herd":
        return self

    def __deepcopy__(self, memo: object) -> "Herd":
        return self

    def __repr__(self) -> str:
        return f"Herd.of({list(self.species)})"


class _Less(dict[int, Herd]):
    """The herds with one dinosaur less, each made when first needed."""

    __slots__ = ("_herd",)

    def __init__(self, herd: Herd) -> None:
        self._herd = herd

    def __missing__(self, species: int) -> Herd:
        if not self._herd.mask >> species & 1:
            raise KeyError(species)
        less = self[species] = Herd(self._herd.counts - ONE[species])
        return less


def loose(counts: int) -> Herd:
    """The herd of these packed counts, as an object of its own."""
    herd = object.__new__(Herd)
    herd.counts = counts
    return herd


_HANDS: Final[dict[int, Herd]] = {}
NOBODY: Final = Herd()
