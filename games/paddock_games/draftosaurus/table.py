"""The open table: all that every seat may see, and what each seat may do."""

from typing import Final, NamedTuple

from paddock_games.draftosaurus.choice import MOVES, PICKS, REMOVALS, Choice
from paddock_games.draftosaurus.herd import Herd
from paddock_games.draftosaurus.material import FACES, SPECIES, BoardName, Face
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.setting import Phase, Setting, Turn
from paddock_games.draftosaurus.zoo import QUARANTINE, Zoo


class Table(NamedTuple):
    """The open part of a state; nothing hidden is in it."""

    setting: Setting
    done: int  # turns of the match that are over
    turn: Turn
    phase: Phase
    zoos: tuple[Zoo, ...]
    picks: tuple[int, ...]  # A4: the species picked and revealed, by seat; else empty
    removed: Herd  # D15: two-player removals of this game
    finished: tuple[tuple[Zoo, ...], ...]  # the zoos of the games that are over

    @property
    def board(self) -> BoardName:
        """The side of the board that is played on."""
        return self.zoos[0].board

    @property
    def die(self) -> Face:
        """The face of the die this turn."""
        return FACES[self.turn.face]

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that decide now."""
        if self.phase == "OVER":
            return ()
        if self.phase == "MOVE":
            return tuple([s for s, zoo in enumerate(self.zoos) if zoo[QUARANTINE].stands])
        return self.setting.everybody

    def legal(self, seat: int, hand: Herd) -> tuple[Choice, ...]:
        """What the seat may choose with this hand: pen by pen in board order, the RIVER last."""
        phase = self.phase
        if phase == "PLACE":
            bind = self.turn.binds[seat]
            mask = 1 << self.picks[seat] if self.picks else hand.mask
            a, b, c, d, e, f, river = self.zoos[seat]
            choices: tuple[Choice, ...] = ()
            if a.faces & bind:
                choices = a.options[mask]
            if b.faces & bind:
                choices += b.options[mask]
            if c.faces & bind:
                choices += c.options[mask]
            if d.faces & bind:
                choices += d.options[mask]
            if e.faces & bind:
                choices += e.options[mask]
            if f.faces & bind:
                choices += f.options[mask]
            return choices + river.options[mask]
        if phase == "REMOVE":
            return REMOVALS[hand.mask]
        if phase == "PICK":
            return PICKS[hand.mask]
        return _moves(self.zoos[seat], self.setting) if phase == "MOVE" else ()

    def default(self, seat: int, hand: Herd) -> Choice:
        """The default choice of a seat: the first one into the RIVER, or the first legal choice
        where no pen is chosen."""
        legal = self.legal(seat, hand)
        return next((choice for choice in legal if choice.pen == "RIVER"), legal[0])

    def why_not(self, seat: int, hand: Herd, choice: object) -> str:
        """Why this choice is not legal, in a sentence; empty when it is."""
        if seat not in self.to_move:
            return "it has nothing to decide now"
        if choice in self.legal(seat, hand):
            return ""
        if not isinstance(choice, Choice):
            return f"{choice!r} is not a choice of this game"
        if choice.kind != self.phase:
            return f"{choice} is not what is asked; it is time to {self.phase}"
        return self._why_not_here(seat, hand, choice)

    def _why_not_here(self, seat: int, hand: Herd, choice: Choice) -> str:
        zoo = self.zoos[seat]
        if self.phase == "MOVE":
            species = SPECIES[zoo[QUARANTINE].stands[0]]
            if choice.species != species:
                return f"the dinosaur in QUARANTINE is a {species}, not a {choice.species}"
            if choice.pen == "QUARANTINE":
                return "the dinosaur in QUARANTINE has to leave it (A1)"
        elif self.picks:
            picked = SPECIES[self.picks[seat]]
            if choice.species != picked:
                return f"the seat picked {picked}, not {choice.species}"
        elif not hand.mask & choice.bit:
            return f"{choice.species} is not in the hand ({', '.join(hand)})"
        if choice.pen not in {pen.name for pen in zoo}:
            return f"{choice.pen} is not on the {self.board} board"
        pen = zoo[choice.at]
        if pen.next[choice.key] is None:
            return f"{pen.name} does not take {choice.species} in slot {choice.slot}" + _inside(pen)
        return (
            f"the die shows {self.die}, and {pen.name} {_FAILS[self.die]}; "
            "the RIVER is always open (D9)"
        )


def _inside(pen: Pen) -> str:
    standing = ", ".join(species or "free" for species in pen.dinosaurs)
    return f": in it are {standing}" if standing else ""


_FAILS: Final[dict[Face, str]] = {
    "WOODLANDS": "is in the grasslands",
    "GRASSLANDS": "is in the woodlands",
    "RESTROOMS": "is left of the river",
    "FOOD_COURT": "is right of the river",
    "EMPTY_PEN": "is not empty",
    "NO_T_REX": "holds a T-Rex",
}


def _moves(zoo: Zoo, setting: Setting) -> tuple[Choice, ...]:
    """D25: anywhere but Quarantine, by the pens' own rules alone; A1: or nowhere."""
    quarantine = zoo[QUARANTINE]
    if not quarantine.stands:
        return ()
    mask = 1 << quarantine.stands[0]
    moves = tuple([MOVES[c] for pen in zoo if pen is not quarantine for c in pen.options[mask]])
    if setting.rules.quarantine_may_stay:
        moves += (Choice("MOVE", SPECIES[quarantine.stands[0]], quarantine.name),)
    return moves
