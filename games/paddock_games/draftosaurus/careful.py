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
from paddock_games.draftosaurus.material import (
    BRIDGE_COUPLE_POINTS,
    LOOKOUT_POINTS,
    OF_EACH_IN_THE_BAG,
    ZOO,
    BoardName,
    PenName,
)
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.scoring import points
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.view import View
from paddock_games.draftosaurus.zoo import QUARANTINE, Zoo

# How much what the next seat gains counts against the own gain. Of two players one wins what the
# other loses; of more, the next seat is only one of those to beat.
AGAINST_ONE: Final = 0.5
AGAINST_MORE: Final = 0.2

# Indices of pens in a winter zoo.
_LOOKOUT: Final = 1
_BANKS: Final = (2, 3)


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
            bag
            - sum([one >> shift & COUNT for one in counts])
            - (table.removed.counts >> shift & COUNT)
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
        self._on_the_right = counts[seat - 1]  # D5
        self.now: Final = self.points(self.zoo) + self._sum

    def after(self, place: Choice) -> float:
        """Points and promise after this placement."""
        zoo = self.zoo.plus(place)
        promise = self._sum
        for at in {place.at, *self._linked}:
            promise += self._promise(zoo, at) - self._parts[at]
        return self.points(zoo) + promise

    def points(self, zoo: Zoo) -> int:
        """The points of this zoo if the game ended now, the dinosaur in quarantine having moved."""
        self._zoos[self.seat] = zoo
        now = points(self._zoos, self.seat)
        kept = zoo[QUARANTINE].stands if zoo.board == "WINTER" else ()
        return now + self._rehomed(zoo, kept[0]) if kept else now

    def _rehomed(self, zoo: Zoo, which: int) -> int:
        """What the dinosaur in quarantine brings where it brings most (D25)."""
        shift = SHIFTS[which]
        banks = [zoo[at].counts >> shift & COUNT for at in _BANKS]
        alone = {_BANKS[0]: banks[1] > banks[0], _BANKS[1]: banks[0] > banks[1]}
        best = 1  # in the river
        for at, pen in enumerate(zoo[:QUARANTINE]):
            for place in pen.options[1 << which]:
                becomes = pen.next[place.key]
                if becomes is None:
                    continue
                gain = becomes.points + becomes.bonus - pen.points - pen.bonus
                if at in alone:
                    gain += BRIDGE_COUPLE_POINTS * alone[at]
                elif at == _LOOKOUT:
                    gain += LOOKOUT_POINTS * (self._on_the_right >> shift & COUNT)
                best = max(best, gain)
        return best

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
    left, right = pen.counts, zoo[_BANKS[1]].counts
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
# The pens, by index, whose promise a placement in another pen can change: king and island count
# the whole zoo, and the banks of the bridge each other.
_LINKED: Final[dict[BoardName, tuple[int, ...]]] = {"SUMMER": (2, 5), "WINTER": (2,)}

# What pens promise was learned, not thought up: `careful` played some ten thousand games against
# itself, a tenth of the choices at random, and what a zoo gained until the end of the game was put
# down to the states of its pens (least squares; play and learn, six times over). With a share x of
# the turns to come, a pen in its n-th state promises x * (a + b * x) points more than in its first,
# where (a, b) is the n-th pair, and x * (c + d * x) for every unit of plenty of what it wants,
# where (c, d) is the pair at the end. By board, and by whether two play.
Pair: TypeAlias = tuple[float, float]
Promise: TypeAlias = tuple[tuple[Pair, ...], Pair]

PROMISES: Final[Mapping[tuple[BoardName, bool], Mapping[PenName, Promise]]] = {
    ("SUMMER", False): {
        "FOREST_OF_SAMENESS": (
            ((0, 0), (-2.9, 3.4), (-1.5, 3.7), (-2.2, 4.9), (-4.8, 2.1), (-5.9, 1.8), (-5.7, 1.8)),
            (0.5, 1.3),
        ),
        "WOODY_TRIO": (((0, 0), (6.9, -4.4), (19.5, -16.8), (-1.5, 3.9)), (0, 0)),
        "KING_OF_THE_JUNGLE": (
            (
                (0, 0),
                (-10.9, 6.4),
                (-7.8, 8.0),
                (-18.1, 12.6),
                (-11.2, 6.5),
                (-8.9, 5.5),
                (-9.1, 7.1),
            ),
            (-1.8, 1.1),
        ),
        "PRAIRIE_OF_LOVE": (
            ((0, 0), (3.4, -1.0), (2.2, 1.9), (-2.7, -0.8), (-3.5, -1.3)),
            (2.3, -2.0),
        ),
        "MEADOW_OF_DIFFERENCES": (
            ((0, 0), (2.3, 0), (4.6, -0.9), (5.4, -1.1), (3.9, -0.1), (0.2, 0.5), (-4.0, -1.7)),
            (3.7, -5.5),
        ),
        "SOLITARY_ISLAND": (((0, 0), (-13.0, 7.2), (-4.3, 3.9)), (-9.2, 2.7)),
    },
    ("SUMMER", True): {
        "FOREST_OF_SAMENESS": (
            ((0, 0), (-3.1, 3.6), (-2.3, 5.2), (-3.0, 4.9), (-5.7, 3.2), (-6.5, 2.7), (-6.5, 2.7)),
            (1.0, 0.1),
        ),
        "WOODY_TRIO": (((0, 0), (5.3, -2.8), (14.9, -9.9), (0.7, 0.1)), (0, 0)),
        "KING_OF_THE_JUNGLE": (
            ((0, 0), (-8.2, 2.3), (-1.5, 3.7), (-13.9, 7.7), (-7.5, 1.6), (-6.0, 1.2), (-5.2, 0.8)),
            (-2.1, 1.9),
        ),
        "PRAIRIE_OF_LOVE": (
            ((0, 0), (3.4, -1.3), (1.8, 1.3), (-3.7, -0.8), (-4.2, -1.0)),
            (2.5, -1.6),
        ),
        "MEADOW_OF_DIFFERENCES": (
            ((0, 0), (2.8, -1.1), (4.8, -1.9), (5.5, -2.7), (3.2, -1.2), (-2.2, 0.1), (-6.8, -2.9)),
            (4.2, -6.0),
        ),
        "SOLITARY_ISLAND": (((0, 0), (-13.3, 7.6), (-4.9, 5.3)), (-8.4, 2.5)),
    },
    ("WINTER", False): {
        "WELL_ORDERED_WOOD": (
            ((0, 0), (-0.3, 0.9), (0.6, 1.3), (0.6, 3.4), (1.5, 3.9), (-2.3, 3.2), (-4.5, 2.8)),
            (1.0, 0.8),
        ),
        "LOOKOUT": (((0, 0), (-4.6, 5.9)), (5.0, -0.9)),
        "LOVERS_BRIDGE_LEFT": (
            ((0, 0), (5.6, -3.0), (8.7, -3.1), (5.5, 3.0), (-0.9, 0.8), (-1.7, 0.4)),
            (3.4, -2.3),
        ),
        "PYRAMID": (
            (
                (0, 0),
                (0.2, 1.0),
                (2.9, 0.2),
                (10.0, -5.6),
                (11.6, -8.8),
                (15.5, -17.6),
                (-2.0, -6.6),
            ),
            (0, 0),
        ),
        "QUARANTINE": (((0, 0), (0, 0)), (0, 0)),
    },
    ("WINTER", True): {
        "WELL_ORDERED_WOOD": (
            ((0, 0), (-0.3, 0.9), (0.6, 1.3), (0.6, 3.4), (1.5, 3.9), (-2.3, 3.2), (-4.5, 2.8)),
            (1.0, 0.8),
        ),
        "LOOKOUT": (((0, 0), (-4.6, 5.9)), (5.0, -0.9)),
        "LOVERS_BRIDGE_LEFT": (
            ((0, 0), (5.6, -3.0), (8.7, -3.1), (5.5, 3.0), (-0.9, 0.8), (-1.7, 0.4)),
            (3.4, -2.3),
        ),
        "PYRAMID": (
            (
                (0, 0),
                (0.2, 1.0),
                (2.9, 0.2),
                (10.0, -5.6),
                (11.6, -8.8),
                (15.5, -17.6),
                (-2.0, -6.6),
            ),
            (0, 0),
        ),
        "QUARANTINE": (((0, 0), (0, 0)), (0, 0)),
    },
}
