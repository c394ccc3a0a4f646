"""A pen and what stands in it: who may still enter, and what it is worth.

Pens are values: one object for every ground and contents, linked to the pens they become, so that
placing a dinosaur is a look-up. They are made when first needed.
"""

from functools import cache
from typing import Final, NamedTuple, TypeAlias

from paddock_games.draftosaurus.choice import SPECIES_COUNT, Choice
from paddock_games.draftosaurus.filling import ALL, FILLINGS, FREE, Filling, Room, Stands
from paddock_games.draftosaurus.herd import pack
from paddock_games.draftosaurus.material import (
    FACES,
    PLOTS,
    SPECIES,
    T_REX,
    ZOO,
    BoardName,
    Face,
    PenName,
    Plot,
    Species,
)
from paddock_games.draftosaurus.rules import Rules

Options: TypeAlias = tuple[tuple[Choice, ...], ...]
"""The placements into a pen, by the species in the hand as bits."""

UNBOUND: Final = 1 << len(FACES)  # the bit beside the faces' bits, for whom no die binds (D8)


class Ground(NamedTuple):
    """A place on a board under certain rules, and all the pens it can be."""

    board: BoardName
    rules: Rules
    at: int  # its index on the board
    plot: Plot
    filling: Filling
    holds: int
    pays_t_rex: bool
    pens: dict[Stands, "Pen"]
    options: dict[Room, Options]  # pens with the same room share what may be done there

    def pen(self, stands: Stands) -> "Pen":
        """The pen of this ground with these dinosaurs in it."""
        pen = self.pens.get(stands)
        if pen is None:
            pen = self.pens[stands] = Pen(self, stands)
        return pen


class Pen:
    """A pen and what stands in it; immutable, and equal pens are identical."""

    __slots__ = (
        "bonus", "counts", "faces", "ground", "name", "next", "options", "points", "room", "stands",
    )  # fmt: skip

    def __init__(self, ground: Ground, stands: Stands) -> None:
        inside = [species for species in stands if species != FREE]
        self.ground = ground
        self.name: PenName = ground.plot.name
        self.stands = stands
        self.counts = pack(inside)
        self.room = ground.filling.room(stands, ground.holds)
        self.faces = _faces(ground.plot, inside)
        self.points = ground.filling.points(stands)
        self.bonus = int(ground.pays_t_rex and T_REX in inside)
        if self.room not in ground.options:
            ground.options[self.room] = _options(ground.plot.name, self.room)
        self.options = ground.options[self.room]
        self.next = _Next(self)  # by choice key: what this pen becomes, None where that is illegal

    @property
    def dinosaurs(self) -> tuple[Species | None, ...]:
        """Who stands here; in the pyramid by slot, None where it is free."""
        return tuple(None if species == FREE else SPECIES[species] for species in self.stands)

    @property
    def size(self) -> int:
        """How many stand here."""
        return len(self.stands) - self.stands.count(FREE)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _unpickled, (self.ground.board, self.ground.rules, self.ground.at, self.stands)

    def __copy__(self) -> "Pen":
        return self

    def __deepcopy__(self, memo: object) -> "Pen":
        return self

    def __repr__(self) -> str:
        return f"<{self.name} {list(self.dinosaurs)}>"


class _Next(dict[int, Pen | None]):
    """The pens that a pen becomes, by choice key, each looked up when first needed."""

    __slots__ = ("_pen",)

    def __init__(self, pen: Pen) -> None:
        self._pen = pen

    def __missing__(self, key: int) -> Pen | None:
        slot, species = divmod(key, SPECIES_COUNT)
        ground, stands = self._pen.ground, self._pen.stands
        if any(slot == place and mask >> species & 1 for place, mask in self._pen.room):
            self[key] = ground.pen(ground.filling.add(stands, species, slot))
        else:
            self[key] = None
        return self[key]


def _options(name: PenName, room: Room) -> Options:
    return tuple(
        tuple(
            [
                Choice("PLACE", SPECIES[species], name, slot)
                for slot, mask in room
                for species in range(SPECIES_COUNT)
                if mask & hand & 1 << species
            ]
        )
        for hand in range(ALL + 1)
    )


def _faces(plot: Plot, inside: list[int]) -> int:
    """The faces that let a pen be used, as bits (section 4); the river is always open (D9)."""
    if plot.section is None:
        return UNBOUND | (UNBOUND - 1)
    satisfied: set[Face | None] = {plot.section, plot.side}
    if not inside:
        satisfied.add("EMPTY_PEN")
    if T_REX not in inside:
        satisfied.add("NO_T_REX")
    return UNBOUND | sum(1 << bit for bit, face in enumerate(FACES) if face in satisfied)


@cache
def _grounds(board: BoardName, rules: Rules) -> tuple[Ground, ...]:
    places = []
    for index, plot in enumerate(PLOTS[board]):
        holds = rules.prairie_capacity if plot.name == "PRAIRIE_OF_LOVE" else plot.holds  # A3
        # D23: a pen pays for its T-Rex, the river never, Quarantine where A1 lets one stay.
        pays = plot.section is not None and (plot.name != "QUARANTINE" or rules.quarantine_may_stay)
        filling = FILLINGS.get(plot.name, Filling())
        places.append(
            Ground(
                board=board,
                rules=rules,
                at=index,
                plot=plot,
                filling=filling,
                holds=holds or ZOO,
                pays_t_rex=pays,
                pens={},
                options={},
            )
        )
    return tuple(places)


def grounds(board: BoardName, rules: Rules) -> tuple[Ground, ...]:
    """The places of a board under these rules, in board order, the RIVER last."""
    # Only these two options change a board: matches that differ in others share its pens.
    return _grounds(
        board,
        Rules(
            quarantine_may_stay=rules.quarantine_may_stay, prairie_capacity=rules.prairie_capacity
        ),
    )


def _unpickled(board: BoardName, rules: Rules, index: int, stands: Stands) -> Pen:
    return grounds(board, rules)[index].pen(stands)
