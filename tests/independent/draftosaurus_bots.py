"""What greedy and careful make of a choice of Draftosaurus, from docs/sample-bots.md alone.

The tables are read out of the page itself, so that they can't differ from it.
"""

import copy
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .draftosaurus import (
    PENS,
    PER_SPECIES,
    SPECIES,
    Zoo,
    count,
    die_allows,
    pen_takes,
    put,
    score,
)

Choice = dict[str, Any]
Pairs = list[tuple[int, int]]
PAGE = Path(__file__).parents[2] / "docs" / "sample-bots.md"


def tables() -> dict[tuple[str, bool, str], tuple[Pairs, tuple[int, int]]]:
    """The pairs of every state of a pen and for plenty, by board, whether two play, and pen."""
    row = r"^\| (SUMMER|WINTER) \| (2|3-5) \| `(\w+)` \| ([-\d ,]+) \| ([-\d ]+) \|$"

    def pair(text: str) -> tuple[int, int]:
        first, second = map(int, text.split())
        return first, second

    return {
        (board, seats == "2", pen): ([pair(each) for each in states.split(",")], pair(plenty))
        for board, seats, pen, states, plenty in re.findall(row, PAGE.read_text("utf-8"), re.M)
    }


TABLES = tables()


class Position:
    """An ask, and what can be worked out from it."""

    def __init__(self, ask: dict[str, Any], rules: dict[str, Any]) -> None:
        view = ask["view"]
        self.rules, self.seat = rules, ask["seat"]
        self.board, self.phase, self.zoos = view["board"], view["phase"], view["zoos"]
        self.hand, self.picks = view["hand"], view["picks"]
        self.die = None if view["roller"] == self.seat and not self._held(view) else view["die"]
        self.seats = len(self.zoos)
        self.two = self.seats == 2
        self.next = (self.seat + 1) % self.seats
        self.turns: int = 11 - (view["round"] * (3 if self.two else 6) + view["turn"])
        self.left: dict[str, int] = {
            species: PER_SPECIES[self.seats]
            - sum(count(zoo)[species] for zoo in self.zoos)
            - view["removed"].count(species)
            for species in SPECIES
        }
        self.whole: int = max(1, sum(self.left.values()))
        self.plenty = {species: 6 * self.left[species] - self.whole for species in SPECIES}

    def _held(self, view: dict[str, Any]) -> bool:
        """A2: the die of the sixth turn binds everybody."""
        held = self.rules["five_player_die_hold"] and len(view["zoos"]) == 5
        return bool(held and view["turn"] == 5)

    def total(self, seat: int, zoo: Zoo) -> int:
        """A seat's points if its zoo were this."""
        zoos = [*self.zoos[:seat], zoo, *self.zoos[seat + 1 :]]
        points: int = score(self.board, zoos, self.rules)["scores"][seat]["total"]
        return points

    def placements(self, zoo: Zoo, hand: list[str], die: str | None = None) -> Iterator[Choice]:
        """Where the dinosaurs of a hand may go, in order."""
        for pen in [*PENS[self.board], "RIVER"]:
            for slot in range(6) if pen == "PYRAMID" else [0]:
                for species in SPECIES:
                    open_to_it = die is None or die_allows(self.board, zoo, pen, die)
                    takes_it = pen_takes(zoo, species, pen, slot, self.rules)
                    if species in hand and open_to_it and takes_it:
                        yield {"species": species, "pen": pen, "slot": slot}


def plus(zoo: Zoo, choice: Choice) -> Zoo:
    """The zoo after a placement."""
    new = copy.deepcopy(zoo)
    put(new, choice["species"], choice["pen"], choice["slot"])
    return new


def worth(bot: str, ask: dict[str, Any], rules: dict[str, Any]) -> Callable[[Choice], int]:
    """How a bot judges the choices of an ask."""
    at = Position(ask, rules)
    mine = at.zoos[at.seat]
    if at.phase == "MOVE":
        return lambda choice: at.total(at.seat, moved(mine, choice))
    place = greedy_place(at) if bot == "greedy" else careful_place(at)
    if at.phase == "PICK":
        first = None
        for choice in at.placements(mine, at.hand, at.die):
            if first is None or place(choice) > place(first):
                first = choice
        return lambda choice: int(first is not None and choice["species"] == first["species"])
    if at.phase == "REMOVE":
        if bot == "greedy":
            return lambda choice: to_the_next(at, choice["species"])
        costs = cost(at)
        return lambda choice: -costs(choice["species"])
    return place


def moved(zoo: Zoo, choice: Choice) -> Zoo:
    if choice["pen"] == "QUARANTINE":
        return zoo
    new = plus(zoo, choice)
    del new["QUARANTINE"]
    return new


def greedy_place(at: Position) -> Callable[[Choice], int]:
    return lambda choice: at.total(at.seat, plus(at.zoos[at.seat], choice))


def to_the_next(at: Position, species: str) -> int:
    zoo = at.zoos[at.next]
    return max(at.total(at.next, plus(zoo, place)) for place in at.placements(zoo, [species]))


def careful_place(at: Position) -> Callable[[Choice], int]:
    def after(choice: Choice) -> int:
        return zoo_worth(at, at.seat, plus(at.zoos[at.seat], choice), at.turns)

    if at.picks:
        return after
    costs = cost(at)
    return lambda choice: 10 * after(choice) - costs(choice["species"])


def cost(at: Position) -> Callable[[str], int]:
    """The cost of passing on the hand without one dinosaur of a species."""
    removing = at.phase == "REMOVE"
    skipped = 1 if at.two and not removing else 0
    if len(at.hand) <= 1 + skipped:
        return lambda species: 0
    turns = at.turns - 1 if removing else at.turns
    zoo = at.zoos[at.next]
    now = zoo_worth(at, at.next, zoo, turns)
    gains = {
        species: max(
            zoo_worth(at, at.next, plus(zoo, place), turns)
            for place in at.placements(zoo, [species])
        )
        - now
        for species in set(at.hand)
    }

    def of(species: str) -> int:
        rest = list(at.hand)
        rest.remove(species)
        listed = sorted((gains[each] for each in rest), reverse=True)
        return (5 if at.two else 2) * listed[skipped] if len(listed) > skipped else 0

    return of


def zoo_worth(at: Position, seat: int, zoo: Zoo, turns: int) -> int:
    """Points, the dinosaur in Quarantine, and promises, in parts."""
    points = at.total(seat, zoo)
    if zoo.get("QUARANTINE"):
        waiting = [species for species in zoo["QUARANTINE"] if species]
        points = max(
            at.total(seat, plus(zoo, place))
            for place in at.placements(zoo, waiting)
            if place["pen"] != "QUARANTINE"
        )
    promised: int = 0
    for pen in PENS[at.board]:
        if (at.board, at.two, pen) in TABLES:
            pairs, (c, d) = TABLES[at.board, at.two, pen]
            state, wanted = state_of(at, seat, zoo, pen)
            a, b = pairs[state]
            plenty = sum(at.plenty[species] for species in wanted)
            if pen == "MEADOW_OF_DIFFERENCES":
                plenty = -plenty
            promised += at.whole * turns * (11 * a + turns * b)
            promised += plenty * turns * (11 * c + turns * d)
    return 1210 * at.whole * points + promised


def state_of(at: Position, seat: int, zoo: Zoo, pen: str) -> tuple[int, list[str]]:
    """The state of a pen, and the species whose plenty counts."""
    inside = [species for species in zoo.get(pen, []) if species]
    if pen == "FOREST_OF_SAMENESS":
        return len(inside), inside[:1] if len(inside) < 6 else []
    if pen in ("WOODY_TRIO", "PYRAMID"):
        return len(inside), []
    if pen == "KING_OF_THE_JUNGLE":
        if not inside:
            return 0, []
        most = max(count(at.zoos[s])[inside[0]] for s in range(at.seats) if s != seat)
        return 3 + max(-2, min(3, count(zoo)[inside[0]] - most)), inside
    if pen == "PRAIRIE_OF_LOVE":
        odd = [species for species in SPECIES if inside.count(species) % 2]
        return min(4, len(odd)), odd
    if pen == "SOLITARY_ISLAND":
        if not inside:
            return 0, []
        return (1, inside) if count(zoo)[inside[0]] == 1 else (2, [])
    if pen in ("WELL_ORDERED_WOOD", "LOOKOUT"):
        return len(inside), inside[-2:]
    if pen == "LOVERS_BRIDGE_LEFT":
        right = zoo.get("LOVERS_BRIDGE_RIGHT", [])
        apart = [species for species in SPECIES if inside.count(species) != right.count(species)]
        return min(5, len(apart)), apart
    return len(inside), inside
