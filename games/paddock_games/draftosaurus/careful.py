"""A player that looks ahead: at what its pens still promise, and at what it passes on.

A placement is worth the points it brings now and what it does to the zoo's promise: what pens in
that state went on to bring in games that this player played against itself.
"""

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Final, TypeAlias

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.herd import COUNT, SHIFTS, Herd
from paddock_games.draftosaurus.material import OF_EACH_IN_THE_BAG, ZOO, BoardName, PenName
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.promises import PROMISES
from paddock_games.draftosaurus.scoring import points
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.view import View
from paddock_games.draftosaurus.zoo import Zoo

# How much what the next seat gains counts against the own gain. Of two players one wins what the
# other loses; of more, the next seat is only one of those to beat.
AGAINST_ONE: Final = 0.5
AGAINST_MORE: Final = 0.2


def careful(view: View, rng: Random) -> Choice:
    """The most points in the end, as far as can be told; the first of equals."""
    if view.phase == "MOVE":  # D25: nothing comes after it, so that points are all
        return max(view.legal, key=lambda move: _points_after(view, move))
    if view.phase == "REMOVE":
        passing = _Passing(view)
        return min(view.legal, key=lambda removal: passing.cost(view.hand.less[removal.which]))
    mine = Prospect(view.table, view.seat)
    if view.picks:  # A4: the others' are revealed, and this one only wants a place
        return max(view.legal, key=mine.after)
    passing = _Passing(view)
    costs = {which: passing.cost(view.hand.less[which]) for which in _whiches(view.hand)}
    placing = view.table._replace(phase="PLACE").legal(view.seat, view.hand)
    best = max(placing, key=lambda place: mine.after(place) - costs[place.which])
    return Choice("PICK", best.species) if view.phase == "PICK" else best


def _points_after(view: View, move: Choice) -> int:
    zoos = list(view.zoos)
    zoos[view.seat] = view.zoo.moved(move)
    return points(zoos, view.seat)


def _whiches(hand: Herd) -> list[int]:
    return [which for which in range(len(SHIFTS)) if hand.mask >> which & 1]


class _Passing:
    """What the rest of a hand is worth to the seat that gets it next."""

    def __init__(self, view: View) -> None:
        two = view.seats == 2
        self._weight = AGAINST_ONE if two else AGAINST_MORE
        # D14: between placing and passing, this seat takes the best one out.
        self._taken_out = int(two and view.phase != "REMOVE")
        self._gains: dict[int, float] = {}
        if len(view.hand) > 1 + self._taken_out:  # else nothing is passed on
            after = view.table._replace(done=view.table.done + (view.phase == "REMOVE"))
            theirs = Prospect(after, (view.seat + 1) % view.seats)
            for which in _whiches(view.hand):
                places = [place for pen in theirs.zoo for place in pen.options[1 << which]]
                self._gains[which] = max(map(theirs.after, places)) - theirs.now

    def cost(self, hand: Herd) -> float:
        """How much this hand, passed on, counts against a choice."""
        gains = [
            gain
            for which, gain in self._gains.items()
            for _ in range(hand.counts >> SHIFTS[which] & COUNT)
        ]
        gains.sort(reverse=True)
        return self._weight * gains[self._taken_out] if len(gains) > self._taken_out else 0.0


class Prospect:
    """What a seat's zoo brings in the end, as it stands and after every placement."""

    def __init__(self, table: Table, seat: int) -> None:
        counts = [zoo.counts for zoo in table.zoos]
        bag = OF_EACH_IN_THE_BAG[len(counts)]
        left = [
            bag - sum([one >> shift & COUNT for one in counts]) - (table.removed.counts >> shift & COUNT)
            for shift in SHIFTS
        ]
        average = max(1, sum(left)) / len(left)
        self.seat = seat
        self.zoo: Final = table.zoos[seat]
        # By species: how much more there is to come of it than of the average species.
        self.plenty: Final = [some / average - 1 for some in left]
        self.others: Final = counts[:seat] + counts[seat + 1 :]
        self._zoos = list(table.zoos)
        turns = max(0, ZOO - 1 - table.done % ZOO)
        self._pens = _promises(self.zoo.board, len(counts) == 2, turns)
        self._linked = _LINKED[self.zoo.board]
        self._parts = [self._promise(self.zoo, at) for at in range(len(self.zoo))]
        self._sum = sum(self._parts)
        self.now: Final = points(self._zoos, seat) + self._sum

    def after(self, place: Choice) -> float:
        """Points and promise after this placement."""
        zoo = self.zoo.plus(place)
        promise = self._sum
        for at in {place.at, *self._linked}:
            promise += self._promise(zoo, at) - self._parts[at]
        self._zoos[self.seat] = zoo
        return points(self._zoos, self.seat) + promise

    def _promise(self, zoo: Zoo, at: int) -> float:
        pen = zoo[at]
        state = STATES.get(pen.name)
        if state is None:
            return 0.0
        by_state, by_plenty = self._pens[pen.name]
        which, plenty = state(pen, zoo, self)
        return by_state[which] + by_plenty * plenty


@cache
def _promises(
    board: BoardName, two: bool, turns: int
) -> Mapping[PenName, tuple[tuple[float, ...], float]]:
    """What every pen promises with so many turns to go, by its state and by the plenty of what it
    wants."""
    x = turns / (ZOO - 1)
    return {
        name: (tuple(x * (a + b * x) for a, b in states), x * (plenty[0] + plenty[1] * x))
        for name, (states, plenty) in PROMISES[board, two].items()
    }


State: TypeAlias = Callable[[Pen, Zoo, Prospect], tuple[int, float]]


def _filled(pen: Pen, zoo: Zoo, prospect: Prospect) -> tuple[int, float]:
    return pen.size, 0.0


def _forest(pen: Pen, zoo: Zoo, prospect: Prospect) -> tuple[int, float]:
    size = len(pen.stands)
    return size, prospect.plenty[pen.stands[0]] if 0 < size < 6 else 0.0


def _king(pen: Pen, zoo: Zoo, prospect: Prospect) -> tuple[int, float]:
    """Nobody; or by how many it is ahead of the others, from -2 to 3."""
    if not pen.stands:
        return 0, 0.0
    shift = SHIFTS[pen.stands[0]]
    most = max([theirs >> shift & COUNT for theirs in prospect.others])
    ahead = (zoo.counts >> shift & COUNT) - most
    return 3 + max(-2, min(3, ahead)), prospect.plenty[pen.stands[0]]


def _prairie(pen: Pen, zoo: Zoo, prospect: Prospect) -> tuple[int, float]:
    """How many wait for a partner."""
    single = [which for which, shift in enumerate(SHIFTS) if pen.counts >> shift & 1]
    return min(4, len(single)), sum([prospect.plenty[which] for which in single])


def _meadow(pen: Pen, zoo: Zoo, prospect: Prospect) -> tuple[int, float]:
    # The plenty of all species together is 0: what is inside has what the others lack.
    return len(pen.stands), -sum([prospect.plenty[which] for which in pen.stands])


def _island(pen: Pen, zoo: Zoo, prospect: Prospect) -> tuple[int, float]:
    """Nobody, alone of its species, or not."""
    if not pen.stands:
        return 0, 0.0
    if zoo.counts >> SHIFTS[pen.stands[0]] & COUNT > 1:
        return 2, 0.0
    return 1, prospect.plenty[pen.stands[0]]


def _last_two(pen: Pen, zoo: Zoo, prospect: Prospect) -> tuple[int, float]:
    return len(pen.stands), sum([prospect.plenty[which] for which in pen.stands[-2:]])


def _bridge(pen: Pen, zoo: Zoo, prospect: Prospect) -> tuple[int, float]:
    """How many species wait for a partner on the other bank; the left bank answers for both."""
    left, right = pen.counts, zoo[_RIGHT_BANK].counts
    alone = [w for w, shift in enumerate(SHIFTS) if left >> shift & COUNT != right >> shift & COUNT]
    return min(5, len(alone)), sum([prospect.plenty[which] for which in alone])


STATES: Final[dict[PenName, State]] = {
    "FOREST_OF_SAMENESS": _forest,
    "WOODY_TRIO": _filled,
    "KING_OF_THE_JUNGLE": _king,
    "PRAIRIE_OF_LOVE": _prairie,
    "MEADOW_OF_DIFFERENCES": _meadow,
    "SOLITARY_ISLAND": _island,
    "WELL_ORDERED_WOOD": _last_two,
    "LOOKOUT": _last_two,
    "LOVERS_BRIDGE_LEFT": _bridge,
    "PYRAMID": _filled,
    "QUARANTINE": _filled,
}
_RIGHT_BANK: Final = 3
# The pens, by index, whose promise a placement in another pen can change: king and island count
# the whole zoo, and the banks of the bridge each other.
_LINKED: Final[dict[BoardName, tuple[int, ...]]] = {"SUMMER": (2, 5), "WINTER": (2,)}
