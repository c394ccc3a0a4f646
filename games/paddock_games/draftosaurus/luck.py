"""The luck of each seat in a match that was played: what the die and the dealt hands gave it.

Both are differences from an expectation that was known when chance fell, so their mean is zero
whoever plays, and however well. What a face or a hand is worth is judged by the prospects of the
careful player: the most that one placement promises.

- The die: the best placement that the face allows, less the mean over the six faces. A seat that
  the die does not bind (D8) has no luck with it.
- The deal: the best gain that a dinosaur of the hand promises when a round begins, less the mean
  over all hands that could have been dealt from what had not been placed or removed yet.
"""

from collections.abc import Mapping, Sequence
from math import comb
from typing import Final, NamedTuple

from paddock_games.draftosaurus.herd import COUNT, SHIFTS, Herd
from paddock_games.draftosaurus.material import FACES, OF_EACH_IN_THE_BAG, BoardName
from paddock_games.draftosaurus.pen import UNBOUND
from paddock_games.draftosaurus.prospect import Prospect
from paddock_games.draftosaurus.state import State
from paddock_games.draftosaurus.table import Table
from paddock_games.game import Luck, Step


class _Worth(NamedTuple):
    """Points in the end for each point that a placement promises more."""

    die: float
    deal: float


# By board and whether two play: fitted to 500 matches each of the careful and the greedy player.
# What is left of a good hand after it was passed on twice is nothing on the winter board.
_WORTH: Final[Mapping[tuple[BoardName, bool], _Worth]] = {
    ("SUMMER", False): _Worth(1.0, 0.35),
    ("SUMMER", True): _Worth(1.05, 0.5),
    ("WINTER", False): _Worth(0.8, 0.0),
    ("WINTER", True): _Worth(0.65, 0.25),
}


def luck_of(steps: Sequence[Step]) -> tuple[Luck, ...]:
    """What chance gave, by seat, in points."""
    seats = len(steps[0].state.hands)
    die, deal = [0.0] * seats, [0.0] * seats
    for step in steps:
        state: State = step.state
        table = state.table
        if table.phase != table.setting.first_phase:
            continue
        worth = _WORTH[table.board, seats == 2]
        for seat, hand in enumerate(state.hands):
            prospect = Prospect(table, seat)
            die[seat] += worth.die * luck_of_the_die(table, hand, prospect)
            if table.turn.number == 0:
                deal[seat] += worth.deal * luck_of_the_deal(table, hand, prospect)
    return tuple(Luck(*parts) for parts in zip(die, deal, strict=True))


def luck_of_the_die(table: Table, hand: Herd, prospect: Prospect) -> float:
    """What the face promises this seat more than the faces do on average."""
    turn, seat = table.turn, prospect.seat
    if turn.binds[seat] == UNBOUND:
        return 0.0
    after: dict[object, int] = {}
    best = []
    for face in range(len(FACES)):
        binds = (*turn.binds[:seat], 1 << face, *turn.binds[seat + 1 :])
        shown = table._replace(phase="PLACE", turn=turn._replace(face=face, binds=binds))
        for place in (places := shown.legal(seat, hand)):
            if place not in after:
                after[place] = prospect.after(place)
        best.append(max([after[place] for place in places]))
    return (best[turn.face] - sum(best) / len(best)) / prospect.point


def luck_of_the_deal(table: Table, hand: Herd, prospect: Prospect) -> float:
    """What the best of the hand promises more than the best of hands does on average."""
    bag = OF_EACH_IN_THE_BAG[len(table.zoos)]
    gains = []  # by species: what a dinosaur promises, how many are unseen, whether one was dealt
    for species, shift in enumerate(SHIFTS):
        gone = sum([zoo.counts >> shift & COUNT for zoo in table.zoos])
        unseen = bag - gone - (table.removed.counts >> shift & COUNT)
        places = [place for pen in prospect.zoo for place in pen.options[1 << species]]
        gain = max([prospect.after(place) for place in places]) - prospect.now
        gains.append((gain, unseen, bool(hand.mask >> species & 1)))
    gains.sort()
    # The mean of the best of `size` drawn: by species in order, how many hands have none better.
    size = len(hand)
    expected, below, seen = 0, 0, 0
    for gain, unseen, _ in gains:
        seen += unseen
        up_to = comb(seen, size)
        expected += gain * (up_to - below)
        below = up_to
    best = max([gain for gain, _, dealt in gains if dealt])
    return (best - expected / below) / prospect.point
