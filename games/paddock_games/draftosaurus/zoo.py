"""A zoo: the pens of one seat, and the river."""

from typing import Final

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.herd import COUNT, SHIFTS
from paddock_games.draftosaurus.material import SPECIES, BoardName, PenName, Species
from paddock_games.draftosaurus.pen import Pen, grounds
from paddock_games.draftosaurus.rules import Rules

QUARANTINE: Final = 5  # its index in a winter zoo


class Zoo(tuple[Pen, ...]):
    """The seven places of one seat: its six pens in board order, then the RIVER."""

    __slots__ = ()

    def pen(self, name: str) -> Pen:
        """The pen of this name."""
        for pen in self:
            if pen.name == name:
                return pen
        raise KeyError(name)

    @property
    def board(self) -> BoardName:
        """The side of the board it stands on."""
        return self[0].ground.board

    @property
    def counts(self) -> int:
        """How many of each species are in the zoo, the RIVER included (D19), packed."""
        a, b, c, d, e, f, river = self
        return a.counts + b.counts + c.counts + d.counts + e.counts + f.counts + river.counts

    def count(self, species: Species) -> int:
        """How many of this species are in the zoo, the RIVER included (D19)."""
        return self.counts >> SHIFTS[SPECIES.index(species)] & COUNT

    @property
    def size(self) -> int:
        """How many dinosaurs are in the zoo."""
        return sum(pen.size for pen in self)

    def plus(self, choice: Choice) -> "Zoo":
        """The zoo after this placement, which must be one that its pen allows."""
        pens = list(self)
        pen = pens[choice.at].next[choice.key]
        if pen is None:
            raise ValueError(f"{choice}: {pens[choice.at]} does not take it")
        pens[choice.at] = pen
        return Zoo(pens)

    def moved(self, choice: Choice) -> "Zoo":
        """The zoo after the quarantined dinosaur moved there (D25); into QUARANTINE: stayed."""
        if choice.pen == "QUARANTINE":
            return self
        pens = list(self)
        becomes = pens[choice.at].next[choice.key]
        if becomes is None:
            raise ValueError(f"{choice}: {pens[choice.at]} does not take it")
        pens[choice.at], pens[QUARANTINE] = becomes, pens[QUARANTINE].ground.pen(())
        return Zoo(pens)

    def as_dict(self) -> dict[PenName, list[Species | None]]:
        """Who stands where, by pen; pens with nobody in them are left out."""
        return {pen.name: list(pen.dinosaurs) for pen in self if pen.size}

    def __copy__(self) -> "Zoo":
        return self

    def __deepcopy__(self, memo: object) -> "Zoo":
        return self

    def __repr__(self) -> str:
        return f"<Zoo {self.as_dict()}>"


def empty_zoo(board: BoardName, rules: Rules) -> Zoo:
    """A zoo in which nobody stands yet."""
    return Zoo(ground.pen(ground.filling.empty) for ground in grounds(board, rules))
