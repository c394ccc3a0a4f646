"""The deal: every hand and every roll of a match, drawn before it begins."""

from random import Random
from typing import Final, NamedTuple

from paddock_games.chance import Chance
from paddock_games.draftosaurus.herd import Herd, pack, unpack
from paddock_games.draftosaurus.material import FACES, HAND, OF_EACH_IN_THE_BAG, SPECIES, ZOO
from paddock_games.draftosaurus.setting import Setting, Turn
from paddock_games.draftosaurus.table import Table


class Hidden(NamedTuple):
    """The hidden future: hands by round, in the order drawn, and the faces of the die by turn."""

    first_roller: int
    drawn: tuple[tuple[tuple[int, ...], ...], ...]  # by round of the match and seat
    faces: tuple[int, ...]  # by turn of the match

    def hands(self, round_: int) -> tuple[Herd, ...]:
        """The hands of a round, counted through the whole match."""
        return tuple(Herd(pack(hand)) for hand in self.drawn[round_])

    def turn(self, setting: Setting, index: int) -> Turn:
        """The turn of this index in the match."""
        return setting.turn(self.first_roller, index, self.faces[index])


_BAGS: Final = {
    seats: [w for w in range(len(SPECIES)) for _ in range(each)]
    for seats, each in OF_EACH_IN_THE_BAG.items()
}

_PACKED_BAGS: Final = {seats: pack(bag) for seats, bag in _BAGS.items()}


def full_bag(seats: int) -> list[int]:
    """The bag of one game (D3), in the species' order."""
    return _BAGS[seats].copy()


def _rounds(bag: list[int], seats: int) -> list[tuple[tuple[int, ...], ...]]:
    """Hands of six from the front of the bag, round by round, seat 0 first."""
    hands = [tuple(bag[i : i + HAND]) for i in range(0, len(bag), HAND)]
    return [tuple(hands[i : i + seats]) for i in range(0, len(hands), seats)]


def draw(setting: Setting, chance: Chance) -> Hidden:
    """All that chance decides in a match, in an order that everybody can repeat (D4)."""
    first_roller = chance.below(setting.seats)
    drawn: list[tuple[tuple[int, ...], ...]] = []
    faces: list[int] = []
    for _ in setting.boards:
        bag = full_bag(setting.seats)
        chance.shuffle(bag)
        drawn += _rounds(bag, setting.seats)
        faces += [chance.below(len(FACES)) for _ in range(ZOO)]
    return Hidden(first_roller, tuple(drawn), tuple(faces))


def imagine(table: Table, seat: int, hand: Herd, rng: Random) -> tuple[tuple[Herd, ...], Hidden]:
    """Hands and a future that the seat, seeing this table and its own hand, can't rule out.

    What is past is left out of the deal: nothing that is still to come depends on it.
    """
    setting, turn = table.setting, table.turn
    seen = hand.counts + table.removed.counts + pack(table.picks)
    seen += sum(zoo.counts for zoo in table.zoos)
    unseen = list(unpack(_PACKED_BAGS[setting.seats] - seen))
    rng.shuffle(unseen)
    size = len(hand)
    hands = []
    for other in setting.everybody:
        hands.append(hand if other == seat else Herd(pack(unseen[:size])))
        if other != seat:
            del unseen[:size]
    drawn = [()] * (turn.game * setting.rounds + turn.round + 1) + _rounds(unseen, setting.seats)
    for _ in setting.boards[turn.game + 1 :]:
        bag = full_bag(setting.seats)
        rng.shuffle(bag)
        drawn += _rounds(bag, setting.seats)
    faces = [rng.randrange(len(FACES)) for _ in range(setting.turns)]
    faces[table.done] = turn.face
    # The die has passed from hand to hand since the first roller held it.
    first_roller = next(
        first
        for first in setting.everybody
        if setting.turn(first, table.done, turn.face).roller == turn.roller
    )
    return tuple(hands), Hidden(first_roller, tuple(drawn), tuple(faces))
