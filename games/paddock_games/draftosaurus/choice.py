"""The choices of a seat: one object for every choice, so that equal choices are identical."""

from typing import Final, Literal, TypeAlias, get_args

from paddock_games.draftosaurus.material import (
    PLOTS,
    PYRAMID_ROWS,
    SPECIES,
    PenName,
    Species,
)
from paddock_games.errors import IllegalChoice
from paddock_games.field import shown

Kind: TypeAlias = Literal["PLACE", "PICK", "REMOVE", "MOVE"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
SPECIES_COUNT: Final = len(SPECIES)


class Choice:
    """A decision: PLACE a dinosaur in a pen, PICK one (A4), REMOVE one (D14), or MOVE the
    quarantined one (D25; to QUARANTINE itself: let it stay, A1).

    `pen` is None for PICK and REMOVE; `slot` is 0 everywhere but in the pyramid.
    """

    __slots__ = ("at", "bit", "key", "kind", "pen", "slot", "species", "which")

    kind: Kind
    species: Species
    pen: PenName | None
    slot: int
    which: int  # the index of the species
    bit: int  # 1 << which
    at: int  # the index of the pen in the zoo, -1 where there is none
    key: int  # species and slot in one: where a pen looks up what it becomes

    def __new__(cls, kind: str, species: str, pen: str | None = None, slot: int = 0) -> "Choice":
        """The one object for this choice; IllegalChoice where there is no such choice."""
        try:
            return _CHOICES[kind, species, pen, slot]
        except (KeyError, TypeError):
            words = " ".join(shown(word) for word in (kind, species, pen, slot) if word is not None)
            raise IllegalChoice("choice", f"there is no choice {words}") from None

    def __reduce__(self) -> tuple[type["Choice"], tuple[str, str, str | None, int]]:
        return Choice, (self.kind, self.species, self.pen, self.slot)

    def __copy__(self) -> "Choice":
        return self

    def __deepcopy__(self, memo: object) -> "Choice":
        return self

    def __str__(self) -> str:
        if self.pen is None:
            return f"{self.kind} {self.species}"
        slot = f" slot {self.slot}" if self.pen == "PYRAMID" else ""
        return f"{self.kind} {self.species} in {self.pen}{slot}"

    def __repr__(self) -> str:
        return f"Choice({self.kind!r}, {self.species!r}, {self.pen!r}, {self.slot})"


_CHOICES: Final[dict[tuple[str, str, str | None, int], Choice]] = {}


def _make(kind: Kind, species: int, pen: PenName | None, slot: int, place: int) -> Choice:
    choice = object.__new__(Choice)
    choice.kind, choice.species, choice.pen, choice.slot = kind, SPECIES[species], pen, slot
    choice.which, choice.bit = species, 1 << species
    choice.at, choice.key = place, key_of(species, slot)
    _CHOICES[kind, choice.species, pen, slot] = choice
    return choice


def key_of(species: int, slot: int) -> int:
    """Species and slot in one number."""
    return slot * SPECIES_COUNT + species


def _make_all() -> None:
    slots = [slot for row in PYRAMID_ROWS for slot in row]
    for species in range(SPECIES_COUNT):
        _make("PICK", species, None, 0, -1)
        _make("REMOVE", species, None, 0, -1)
        for kind in ("PLACE", "MOVE"):
            for plots in PLOTS.values():
                for place, plot in enumerate(plots):
                    if (kind, SPECIES[species], plot.name, 0) in _CHOICES:
                        continue  # the river, which both boards have
                    for slot in slots if plot.name == "PYRAMID" else (0,):
                        _make(kind, species, plot.name, slot, place)


_make_all()


def _by_mask(kind: Kind) -> tuple[tuple[Choice, ...], ...]:
    """For every set of species (as a bit mask): this kind of choice for each of them."""
    return tuple(
        tuple(Choice(kind, name) for bit, name in enumerate(SPECIES) if mask >> bit & 1)
        for mask in range(1 << SPECIES_COUNT)
    )


PICKS: Final = _by_mask("PICK")
REMOVALS: Final = _by_mask("REMOVE")
MOVES: Final = {  # by placement: the move to the same place
    choice: Choice("MOVE", choice.species, choice.pen, choice.slot)
    for choice in _CHOICES.values()
    if choice.kind == "PLACE"
}
