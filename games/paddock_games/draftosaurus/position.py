"""Typed positions: the zoos of a table to be scored, or one zoo and a hand."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, cast

from paddock_games.draftosaurus.choice import key_of
from paddock_games.draftosaurus.filling import FREE
from paddock_games.draftosaurus.herd import Herd
from paddock_games.draftosaurus.material import (
    BOARDS,
    FACES,
    HAND,
    MAX_SEATS,
    MIN_SEATS,
    OF_EACH_IN_THE_BOX,
    SPECIES,
    ZOO,
    BoardName,
)
from paddock_games.draftosaurus.pen import UNBOUND, Ground, Pen, grounds
from paddock_games.draftosaurus.rules import Rules, read_rules
from paddock_games.draftosaurus.scoring import scores
from paddock_games.draftosaurus.zoo import Zoo
from paddock_games.errors import BadPosition, BadRules
from paddock_games.field import Field
from paddock_games.game import Result


def score_position(document: object) -> dict[str, Any]:
    """`{"scores", "ranks"}` of the position `{"board", "zoos", "rules"?}`, if it is possible."""
    zoos = read_zoos(document)
    by_seat = scores(zoos)
    result = Result(tuple(s.total for s in by_seat), tuple(s.t_rexes for s in by_seat))
    return {"scores": [score._asdict() for score in by_seat], "ranks": list(result.ranks())}


def legal_position(document: object) -> list[dict[str, Any]]:
    """Every `{"species", "pen", "slot"}` that is allowed in the position
    `{"board", "zoo", "hand", "die", "roller", "rules"?}`, if it is possible."""
    zoo, hand, bind = read_placing(document)
    choices = [c for pen in zoo if pen.faces & bind for c in pen.options[hand.mask]]
    return [{"species": c.species, "pen": c.pen, "slot": c.slot} for c in choices]


def read_zoos(document: object) -> tuple[Zoo, ...]:
    """The zoos of a position to be scored."""
    position = _position(document, "zoos")
    board, rules = _board(position)
    fields = position.key("zoos").items(MIN_SEATS, MAX_SEATS)
    zoos = tuple(_read_zoo(field, board, rules) for field in fields)
    _check_box("zoos", [species for zoo in zoos for pen in zoo for species in pen.dinosaurs])
    return zoos


def read_placing(document: object) -> tuple[Zoo, Herd, int]:
    """The zoo, the hand, and the bit that pens must have, of a position to be placed in."""
    position = _position(document, "zoo", "hand", "die", "roller")
    board, rules = _board(position)
    zoo = _read_zoo(position.key("zoo"), board, rules)
    hand = [field.text(SPECIES) for field in position.key("hand").items(1, HAND)]
    if zoo.size >= ZOO:
        position.key("zoo").refuse(f"is full: a zoo holds {ZOO} (D12)")
    _check_box("zoo and hand", [*(s for pen in zoo for s in pen.dinosaurs), *hand])
    die = FACES.index(position.key("die").text(FACES))
    return zoo, Herd.of(hand), UNBOUND if position.key("roller").flag() else 1 << die


def _position(document: object, *keys: str) -> Field:
    """A position with these keys; notes beside it are ignored."""
    position = Field(document, "", BadPosition)
    position.only_keys("game", "board", *keys, "rules", "id", "note", "expect")
    return position


def _board(position: Field) -> tuple[BoardName, Rules]:
    board = cast(BoardName, position.key("board").text(BOARDS))
    rules = position.optional("rules")
    try:
        return board, read_rules(rules.value if rules else None)
    except BadRules as problem:
        raise BadPosition(problem.where, problem.sentence) from None


def _check_box(where: str, dinosaurs: Iterable[str | None]) -> None:
    for species, count in Counter(dinosaurs).items():
        if species is not None and count > OF_EACH_IN_THE_BOX:
            raise BadPosition(
                where, f"{count} of {species}, but the box has {OF_EACH_IN_THE_BOX} (D1)"
            )


def _read_zoo(field: Field, board: BoardName, rules: Rules) -> Zoo:
    places = grounds(board, rules)
    field.only_keys(*(ground.plot.name for ground in places))
    zoo = Zoo(_read_pen(field.optional(ground.plot.name), ground) for ground in places)
    if zoo.size > ZOO:
        field.refuse(f"holds {zoo.size} dinosaurs, but a zoo never holds more than {ZOO} (D12)")
    return zoo


def _read_pen(field: Field | None, ground: Ground) -> Pen:
    pen = ground.pen(ground.filling.empty)
    if field is None:
        return pen
    by_slot = FREE in ground.filling.empty
    for slot, entry in enumerate(field.items(0, ground.holds)):
        if entry.value is None and by_slot:
            continue
        species = entry.text(SPECIES)
        index = SPECIES.index(species)
        becomes = pen.next[key_of(index, slot if by_slot else 0)]
        if becomes is None:
            entry.refuse(f"{species} may not stand here: {_RULES[ground.plot.name]}")
        pen = becomes
    return pen


_RULES = {
    "FOREST_OF_SAMENESS": "the forest takes one species only",
    "MEADOW_OF_DIFFERENCES": "the meadow takes each species once",
    "WELL_ORDERED_WOOD": "the wood takes two different species, strictly alternating",
    "PYRAMID": "a row opens when the one below is full (D21), and equals may not touch (D22)",
}
