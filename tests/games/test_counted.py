"""How many ways there are from fixed positions, as recorded, and as the independent rules count.

A wrong rule nearly always changes how many choices there are somewhere; these numbers are kept
in tests/data/counted and change only with the rules (`python -m tests.games.counting --write`).
"""

import json
from collections.abc import Sequence
from copy import deepcopy
from itertools import product
from math import prod
from typing import Any, Final, NamedTuple

import pytest
from tests.games.counting import COUNTED, count, position
from tests.games.tables import match, played
from tests.independent import draftosaurus as independent

CASES: Final = json.loads(COUNTED["draftosaurus"].read_text("utf-8"))
every_case = pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['format']}-{case['seats']}-after-{case['after']}"
)

Option = tuple[str, str | None, int]  # species, pen, slot


class Book(NamedTuple):
    """What chance decided, and the rules."""

    games: list[dict[str, Any]]  # as a record's `games`
    seats: int
    rules: dict[str, Any]

    def hands(self, turn: int) -> list[list[str]]:
        """The hands dealt at this turn of the match."""
        game, number = divmod(turn, 12)
        return deepcopy(self.games[game]["deals"][number // (3 if self.seats == 2 else 6)])


class Place(NamedTuple):
    """A moment of a match, told without the library."""

    turn: int  # of the match
    phase: str
    zoos: list[independent.Zoo]
    hands: list[list[str]]


def begin(book: Book, turn: int) -> Place:
    """The first moment of a game."""
    return Place(turn, asked_first(book), [{} for _ in range(book.seats)], book.hands(turn))


def asked_first(book: Book) -> str:
    return "PICK" if book.rules["place_after_reveal"] else "PLACE"


def options(book: Book, place: Place, seat: int) -> list[Option]:
    """What the seat may choose, by the independent rules."""
    game, number = divmod(place.turn, 12)
    board, zoo, hand = book.games[game]["board"], place.zoos[seat], place.hands[seat]
    turn = book.games[game]["turns"][number]
    if place.phase in ("PICK", "REMOVE"):
        return [(species, None, 0) for species in sorted(set(hand))]
    if place.phase == "MOVE":
        kept = [species for species in zoo.get("QUARANTINE", []) if species]
        found: list[Option] = list(
            independent.legal(board, zoo, kept, turn["die"], True, book.rules)
        )
        if book.rules["quarantine_may_stay"]:
            found += [(species, "QUARANTINE", 0) for species in kept]
        return found
    if place.phase == "OVER":
        return []
    if book.rules["place_after_reveal"]:
        hand = hand[-1:]  # where what was picked is kept until it is placed
    held = book.rules["five_player_die_hold"] and book.seats == 5 and number % 6 == 5
    free = seat == turn["roller"] and not held
    return list(independent.legal(board, zoo, hand, turn["die"], free, book.rules))


def after(book: Book, place: Place, chosen: Sequence[Option | None]) -> Place:
    """The moment after the seats chose this; None for a seat that was not asked."""
    zoos, hands = deepcopy(place.zoos), deepcopy(place.hands)
    for seat, option in enumerate(chosen):
        if option is None:
            continue
        species, pen, slot = option
        if place.phase == "MOVE":
            if pen != "QUARANTINE":
                zoos[seat]["QUARANTINE"] = []
                independent.put(zoos[seat], species, str(pen), slot)
            continue
        hands[seat].remove(species)
        if place.phase == "PICK":
            hands[seat].append(species)
        elif place.phase == "PLACE":
            independent.put(zoos[seat], species, str(pen), slot)
    if place.phase == "PICK":
        return Place(place.turn, "PLACE", zoos, hands)
    if place.phase == "PLACE" and book.seats == 2:
        return Place(place.turn, "REMOVE", zoos, hands)
    turn = place.turn + 1
    if turn % 12 == 0:
        if place.phase != "MOVE" and any(zoo.get("QUARANTINE") for zoo in zoos):
            return Place(place.turn, "MOVE", zoos, hands)
        return (
            begin(book, turn) if turn < 12 * len(book.games) else Place(turn, "OVER", zoos, hands)
        )
    hands = [hands[seat - 1] for seat in range(book.seats)] if hands[0] else book.hands(turn)
    return Place(turn, asked_first(book), zoos, hands)


def independent_start(case: dict[str, Any]) -> tuple[Book, Place]:
    """The case's position, reached by the same choices but played by the independent rules."""
    one = match(case["format"], case["seats"], case["rules"], case["number"])
    steps, _ = played(one)
    book = Book(one.game.dealt(one.start()), case["seats"], one.rules._asdict())
    place = begin(book, 0)
    for step in steps[: case["after"]]:
        chosen = [step.choices.get(seat) for seat in range(case["seats"])]
        place = after(book, place, [c and (c.species, c.pen, c.slot) for c in chosen])
    return book, place


@every_case
def test_there_are_as_many_ways_as_recorded(case: dict[str, Any]) -> None:
    assert count(position(case), len(case["counts"])) == case["counts"]


@every_case
def test_the_independent_rules_count_the_same(case: dict[str, Any]) -> None:
    """One and two steps on, by a second state machine over plain lists."""
    book, place = independent_start(case)
    known: dict[str, int] = {}

    def ways(there: Place, seat: int) -> int:
        key = repr((there.turn, there.phase, seat, there.zoos[seat], there.hands[seat]))
        if key not in known:
            known[key] = len(options(book, there, seat))
        return known[key]

    def all_ways(there: Place) -> int:
        asked = [ways(there, seat) for seat in range(book.seats)]
        if there.phase == "MOVE":
            asked = [number for number in asked if number]
        return prod(asked)

    assert all_ways(place) == case["counts"][0]["sequences"]
    nobody: list[Option | None] = [None]  # for a seat that is not asked
    joint = product(*(options(book, place, seat) or nobody for seat in range(book.seats)))
    found = sum(all_ways(after(book, place, chosen)) for chosen in joint)
    assert found == case["counts"][1]["sequences"]


def test_the_cases_cover_formats_seats_phases_and_options() -> None:
    assert {case["format"] for case in CASES} == set(independent.FORMATS)
    assert {case["seats"] for case in CASES} == {2, 3, 4, 5}
    phases = {position(case).table.phase for case in CASES}
    assert phases >= {"PLACE", "PICK"}
    assert any(case["rules"] == "polish" and case["seats"] == 5 for case in CASES)
    for case in CASES:
        sequences = [level["sequences"] for level in case["counts"]]
        assert sequences[0] > 1
        assert all(level["states"] <= level["sequences"] for level in case["counts"][:-1])
