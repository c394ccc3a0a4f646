"""The careful player: it looks ahead, at what its pens still promise and at what it passes on.

A placement is worth the points it brings now and what it does to the zoo's promise: what pens in
that state went on to bring in games that this player played against itself. docs/sample-bots.md
describes all of it, so that bots in other languages can choose alike.
"""

from random import Random
from typing import Final

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.herd import COUNT, SHIFTS, Herd
from paddock_games.draftosaurus.promises import PROMISES, Tables
from paddock_games.draftosaurus.prospect import Prospect
from paddock_games.draftosaurus.scoring import points
from paddock_games.draftosaurus.view import View

# How much what the next seat gains counts against the own gain. Of two players one wins what the
# other loses; of more, the next seat is only one of those to beat.
OWN: Final = 10
AGAINST_ONE: Final = 5
AGAINST_MORE: Final = 2


def careful(view: View, rng: Random, tables: Tables = PROMISES) -> Choice:
    """The choice with the most points expected in the end; the first of equals."""
    if view.phase == "MOVE":  # D25: nothing comes after it, so that points are all
        return max(view.legal, key=lambda move: _points_after(view, move))
    if view.phase == "REMOVE":
        passing = _Passing(view, tables)
        return min(view.legal, key=lambda removal: passing.cost(view.hand.less[removal.which]))
    mine = Prospect(view.table, view.seat, tables)
    if view.picks:  # A4: the others' are revealed, and this one only wants a place
        return max(view.legal, key=mine.after)
    passing = _Passing(view, tables)
    costs = {species: passing.cost(view.hand.less[species]) for species in _species_in(view.hand)}
    placing = view.table._replace(phase="PLACE").legal(view.seat, view.hand)
    best = max(placing, key=lambda place: OWN * mine.after(place) - costs[place.which])
    return Choice("PICK", best.species) if view.phase == "PICK" else best


def _points_after(view: View, move: Choice) -> int:
    zoos = list(view.zoos)
    zoos[view.seat] = view.zoo.moved(move)
    return points(zoos, view.seat)


def _species_in(hand: Herd) -> list[int]:
    return [species for species in range(len(SHIFTS)) if hand.mask >> species & 1]


class _Passing:
    """The value of the rest of a hand to the seat that gets it next."""

    def __init__(self, view: View, tables: Tables) -> None:
        two = view.seats == 2
        self._weight = AGAINST_ONE if two else AGAINST_MORE
        # D14: between placing and passing, this seat takes the best one out.
        self._taken_out = int(two and view.phase != "REMOVE")
        self._gains: dict[int, int] = {}
        if len(view.hand) > 1 + self._taken_out:  # else nothing is passed on
            after = view.table._replace(done=view.table.done + (view.phase == "REMOVE"))
            theirs = Prospect(after, (view.seat + 1) % view.seats, tables)
            for species in _species_in(view.hand):
                places = [place for pen in theirs.zoo for place in pen.options[1 << species]]
                self._gains[species] = max(map(theirs.after, places)) - theirs.now

    def cost(self, hand: Herd) -> int:
        """How much this hand, passed on, counts against a choice."""
        gains = [
            gain
            for species, gain in self._gains.items()
            for _ in range(hand.counts >> SHIFTS[species] & COUNT)
        ]
        gains.sort(reverse=True)
        return self._weight * gains[self._taken_out] if len(gains) > self._taken_out else 0
