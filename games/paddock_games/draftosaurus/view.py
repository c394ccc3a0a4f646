"""A view of Draftosaurus: what one seat knows, the open table and its own hand."""

from collections.abc import Mapping
from typing import NamedTuple

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.herd import Herd
from paddock_games.draftosaurus.material import SPECIES, BoardName, Face, PenName, Species
from paddock_games.draftosaurus.rules import Rules
from paddock_games.draftosaurus.scoring import Score, scores
from paddock_games.draftosaurus.setting import Phase
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.zoo import Zoo


class View(NamedTuple):
    """The view of one seat; an immutable value, like the state it comes from."""

    table: Table
    seat: int
    hand: Herd

    @property
    def legal(self) -> tuple[Choice, ...]:
        """What this seat may choose now, in a stable order; empty where it is not asked."""
        return self.table.legal(self.seat, self.hand)

    @property
    def default(self) -> Choice:
        """What the referee would choose for this seat."""
        return self.table.default(self.seat, self.hand)

    @property
    def legal_by_pen(self) -> Mapping[PenName, tuple[Choice, ...]]:
        """The legal choices that name a pen, sorted by that pen."""
        legal = self.legal
        pens = dict.fromkeys(choice.pen for choice in legal if choice.pen is not None)
        return {pen: tuple([choice for choice in legal if choice.pen == pen]) for pen in pens}

    @property
    def zoo(self) -> Zoo:
        """This seat's own zoo."""
        return self.table.zoos[self.seat]

    @property
    def zoos(self) -> tuple[Zoo, ...]:
        """Everybody's zoos, by seat."""
        return self.table.zoos

    @property
    def seats(self) -> int:
        """How many play."""
        return self.table.setting.seats

    @property
    def rules(self) -> Rules:
        """The rule options of the match."""
        return self.table.setting.rules

    @property
    def format(self) -> str:
        """The format that is played."""
        return self.table.setting.format

    @property
    def board(self) -> BoardName:
        """The side of the board that is played on."""
        return self.table.board

    @property
    def phase(self) -> Phase:
        """What is being decided: PICK, PLACE, REMOVE or MOVE; OVER at the end."""
        return self.table.phase

    @property
    def game(self) -> int:
        """Which game of the match this is, from 0: a series has two."""
        return self.table.turn.game

    @property
    def round(self) -> int:
        """Which round of the game this is, from 0."""
        return self.table.turn.round

    @property
    def turn(self) -> int:
        """Which turn of the round this is, from 0."""
        return self.table.turn.number

    @property
    def roller(self) -> int:
        """The seat that holds the die."""
        return self.table.turn.roller

    @property
    def die(self) -> Face:
        """The face of the die."""
        return self.table.die

    @property
    def picks(self) -> tuple[Species, ...]:
        """What everybody picked, by seat, where picks are revealed before placing (A4)."""
        return tuple(SPECIES[species] for species in self.table.picks)

    @property
    def removed(self) -> Herd:
        """What has left this game (two players, D14)."""
        return self.table.removed

    @property
    def finished(self) -> tuple[tuple[Zoo, ...], ...]:
        """The zoos of the games that are over, by game and by seat: a series has two games."""
        return self.table.finished

    @property
    def scores(self) -> tuple[Score, ...]:
        """Everybody's points as the table stands."""
        return scores(self.table.zoos)
