"""The prospect of a zoo: its points now, and what the states of its pens promise.

All of it is counted in whole numbers, so that every language compares alike: with `whole` dinosaurs
still to come, a point is `SCALE * whole` parts.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.herd import COUNT, SHIFTS
from paddock_games.draftosaurus.material import (
    BRIDGE_COUPLE_POINTS,
    LOOKOUT_POINTS,
    OF_EACH_IN_THE_BAG,
    ZOO,
    BoardName,
    PenName,
)
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.promises import PROMISES, SCALE, TURNS, Tables
from paddock_games.draftosaurus.scoring import points
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.zoo import QUARANTINE, Zoo

# Indices of pens in a winter zoo.
_LOOKOUT: Final = 1
_BANKS: Final = (2, 3)


class Prospect:
    """The prospect of a seat's zoo, as it stands and after every placement, in parts of which
    `point` are one point."""

    def __init__(self, table: Table, seat: int, tables: Tables = PROMISES) -> None:
        counts = [zoo.counts for zoo in table.zoos]
        bag = OF_EACH_IN_THE_BAG[len(counts)]
        left = [
            bag
            - sum([one >> shift & COUNT for one in counts])
            - (table.removed.counts >> shift & COUNT)
            for shift in SHIFTS
        ]
        self.whole: Final = max(1, sum(left))
        self.point: Final = SCALE * self.whole
        self.seat = seat
        self.zoo: Final = table.zoos[seat]
        # By species: how much more there is to come of it than of the average species, as a share
        # of the average, times `whole`.
        self.plenty: Final = [len(left) * some - self.whole for some in left]
        self.others: Final = counts[:seat] + counts[seat + 1 :]
        self._zoos = list(table.zoos)
        self._pens = tables[self.zoo.board, len(counts) == 2][TURNS - table.done % ZOO]
        self._linked = _LINKED[self.zoo.board]
        self._parts = [self._promise(self.zoo, index) for index in range(len(self.zoo))]
        self._sum = sum(self._parts)
        self._on_the_right = counts[seat - 1]  # D5
        self.now: Final = self.point * self.points(self.zoo) + self._sum

    def after(self, place: Choice) -> int:
        """Points and promise after this placement."""
        zoo = self.zoo.plus(place)
        promise = self._sum
        for index in {place.at, *self._linked}:
            promise += self._promise(zoo, index) - self._parts[index]
        return self.point * self.points(zoo) + promise

    def points(self, zoo: Zoo) -> int:
        """The points of this zoo if the game ended now, the dinosaur in quarantine having moved."""
        self._zoos[self.seat] = zoo
        now = points(self._zoos, self.seat)
        waiting = zoo[QUARANTINE].stands if zoo.board == "WINTER" else ()
        return now + self._rehomed(zoo, waiting[0]) if waiting else now

    def _rehomed(self, zoo: Zoo, species: int) -> int:
        """What the dinosaur in quarantine brings where it brings most (D25)."""
        shift = SHIFTS[species]
        banks = [zoo[index].counts >> shift & COUNT for index in _BANKS]
        alone = {_BANKS[0]: banks[1] > banks[0], _BANKS[1]: banks[0] > banks[1]}
        best = 1  # in the river
        for index, pen in enumerate(zoo[:QUARANTINE]):
            for place in pen.options[1 << species]:
                becomes = pen.next[place.key]
                if becomes is None:
                    continue
                gain = becomes.points + becomes.bonus - pen.points - pen.bonus
                if index in alone:
                    gain += BRIDGE_COUPLE_POINTS * alone[index]
                elif index == _LOOKOUT:
                    gain += LOOKOUT_POINTS * (self._on_the_right >> shift & COUNT)
                best = max(best, gain)
        return best

    def _promise(self, zoo: Zoo, index: int) -> int:
        pen = zoo[index]
        state_of = STATES.get(pen.name)
        if state_of is None:
            return 0
        promise = self._pens[pen.name]
        state, plenty = state_of(pen, zoo, self)
        return promise.states[state] * self.whole + promise.plenty * plenty


class State(NamedTuple):
    """The state that a pen is in, and the plenty of what it wants."""

    number: int
    plenty: int


StateOf: TypeAlias = Callable[[Pen, Zoo, Prospect], State]


def _filled(pen: Pen, zoo: Zoo, prospect: Prospect) -> State:
    return State(pen.size, 0)


def _forest(pen: Pen, zoo: Zoo, prospect: Prospect) -> State:
    size = len(pen.stands)
    return State(size, prospect.plenty[pen.stands[0]] if 0 < size < 6 else 0)


def _king(pen: Pen, zoo: Zoo, prospect: Prospect) -> State:
    """Nobody; or by how many it is ahead of the others, from -2 to 3."""
    if not pen.stands:
        return State(0, 0)
    shift = SHIFTS[pen.stands[0]]
    most = max([theirs >> shift & COUNT for theirs in prospect.others])
    ahead = (zoo.counts >> shift & COUNT) - most
    return State(3 + max(-2, min(3, ahead)), prospect.plenty[pen.stands[0]])


def _prairie(pen: Pen, zoo: Zoo, prospect: Prospect) -> State:
    """How many wait for a partner."""
    single = [species for species, shift in enumerate(SHIFTS) if pen.counts >> shift & 1]
    return State(min(4, len(single)), sum([prospect.plenty[species] for species in single]))


def _meadow(pen: Pen, zoo: Zoo, prospect: Prospect) -> State:
    # The plenty of all species together is 0: what is inside has what the others lack.
    return State(len(pen.stands), -sum([prospect.plenty[species] for species in pen.stands]))


def _island(pen: Pen, zoo: Zoo, prospect: Prospect) -> State:
    """Nobody, alone of its species, or not."""
    if not pen.stands:
        return State(0, 0)
    if zoo.counts >> SHIFTS[pen.stands[0]] & COUNT > 1:
        return State(2, 0)
    return State(1, prospect.plenty[pen.stands[0]])


def _last_two(pen: Pen, zoo: Zoo, prospect: Prospect) -> State:
    return State(len(pen.stands), sum([prospect.plenty[species] for species in pen.stands[-2:]]))


def _bridge(pen: Pen, zoo: Zoo, prospect: Prospect) -> State:
    """How many species wait for a partner on the other bank; the left bank answers for both."""
    left, right = pen.counts, zoo[_BANKS[1]].counts
    alone = [
        species
        for species, shift in enumerate(SHIFTS)
        if left >> shift & COUNT != right >> shift & COUNT
    ]
    return State(min(5, len(alone)), sum([prospect.plenty[species] for species in alone]))


STATES: Final[Mapping[PenName, StateOf]] = {
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
}
# The pens, by index, whose promise a placement in another pen can change: king and island count
# the whole zoo, and the banks of the bridge each other.
_LINKED: Final[Mapping[BoardName, tuple[int, ...]]] = {"SUMMER": (2, 5), "WINTER": (2,)}
