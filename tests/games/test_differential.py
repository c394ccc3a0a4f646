"""The library and the independent second reading of the rules agree, wherever they are compared."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.tables import TABLES, match, matches, options, played_out, resigned, states
from tests.independent import draftosaurus as independent

from paddock_games import FORMATS, GAMES, Match, play, read_record, verify, write_record

GAME: Final = GAMES["draftosaurus"]
DRAFTOSAURUS: Final = [table for table in TABLES if FORMATS[table[0]].game == "draftosaurus"]
Zoo = independent.Zoo

CHUNKS: Final = 5
GAMES_A_CHUNK: Final = 2_000  # times five is ten thousand for every format
THINKERS: Final = [brain for name, brain in GAME.brains.items() if name != "random"]

boards = st.sampled_from(list(independent.PENS))
species = st.sampled_from(independent.SPECIES)
rule_options = st.sampled_from([rules._asdict() for rules in options("summer")])


@st.composite
def zoos(
    draw: st.DrawFn, board: str, bag: list[str], rules: Mapping[str, object], most: int = 12
) -> Zoo:
    """A zoo that a player can have built, with dinosaurs taken from the bag."""
    zoo: Zoo = {}
    for _ in range(draw(st.integers(0, min(most, len(bag))))):
        hand = [bag.pop(draw(st.integers(0, len(bag) - 1)))]
        places = sorted(independent.legal(board, zoo, hand, "NO_T_REX", True, dict(rules)))
        independent.put(zoo, *draw(st.sampled_from(places)))
    return zoo


def full_bag() -> list[str]:
    """D1: the whole box."""
    return independent.SPECIES * 10


@settings(max_examples=300, deadline=None)
@given(data=st.data(), board=boards, rules=rule_options)
def test_scores_of_any_table_agree(data: st.DataObject, board: str, rules: dict[str, Any]) -> None:
    bag = full_bag()
    table = [data.draw(zoos(board, bag, rules)) for _ in range(data.draw(st.integers(2, 5)))]
    found = GAME.score({"board": board, "zoos": table, "rules": rules})
    assert found == independent.score(board, table, rules)


@settings(max_examples=400, deadline=None)
@given(
    data=st.data(),
    board=boards,
    rules=rule_options,
    die=st.sampled_from(independent.FACES),
    roller=st.booleans(),
    hand=st.lists(species, min_size=1, max_size=6),
)
def test_legal_placements_of_any_zoo_agree(
    data: st.DataObject, board: str, rules: dict[str, Any], die: str, roller: bool, hand: list[str]
) -> None:
    bag = full_bag()
    for one in hand:
        bag.remove(one)
    zoo = data.draw(zoos(board, bag, rules, most=11))
    position = {"board": board, "zoo": zoo, "hand": hand, "die": die, "roller": roller}
    found = GAME.legal({**position, "rules": rules})
    agreed = independent.legal(board, zoo, hand, die, roller, rules)
    assert {(one["species"], one["pen"], one["slot"]) for one in found} == agreed
    assert len(found) == len(agreed)


def expected(state: Any, seat: int) -> set[tuple[str, str | None, int]]:
    """What the seat may choose at this state, by the independent rules."""
    table = state.table
    rules, hand = table.setting.rules._asdict(), list(state.hands[seat])
    zoo = {pen: list(inside) for pen, inside in table.zoos[seat].as_dict().items()}
    if table.phase in ("PICK", "REMOVE"):
        return {(one, None, 0) for one in hand}
    if table.phase == "MOVE":
        kept = zoo.get("QUARANTINE", [])
        moves: set[tuple[str, str | None, int]] = set(
            independent.legal(table.board, zoo, kept, table.die, True, rules)
        )
        if rules["quarantine_may_stay"]:
            moves |= {(one, "QUARANTINE", 0) for one in kept}
        return moves
    if table.picks:
        hand = [independent.SPECIES[table.picks[seat]]]
    held = rules["five_player_die_hold"] and len(table.zoos) == 5 and table.turn.number == 5  # A2
    free = seat == table.turn.roller and not held
    return set(independent.legal(table.board, zoo, hand, table.die, free, rules))


@pytest.mark.parametrize(("form", "seats"), DRAFTOSAURUS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_legal_choices_and_points_agree_at_every_state(
    form: str, seats: int, data: st.DataObject
) -> None:
    one = data.draw(matches(form, seats))
    for state in states(one):
        table = state.table
        for seat in state.to_move:
            legal = [(choice.species, choice.pen, choice.slot) for choice in state.legal(seat)]
            assert set(legal) == expected(state, seat)
        typed = [zoo.as_dict() for zoo in table.zoos]
        agreed = independent.score(table.board, typed, one.rules._asdict())
        assert [score._asdict() for score in state.view(0).scores] == agreed["scores"]


def simulated(form: str, number: int) -> dict[str, Any]:
    """The record of one match: any seats, mostly random brains, mostly the default rules."""
    chooser = Random(f"{form} {number}")
    least, most = FORMATS[form].seats
    seats = chooser.randint(least, most)
    rules = options(form)[0] if chooser.random() < 0.6 else chooser.choice(options(form))
    one: Match = match(form, seats, rules, chooser.getrandbits(64))
    one = one._replace(seats=[s._replace(forfeit=chooser.random() < 0.1) for s in one.seats])
    brains = [
        chooser.choice(THINKERS) if chooser.random() < 0.03 else GAME.brains["random"]
        for _ in range(seats)
    ]
    brains = [played_out if s.forfeit else b for s, b in zip(one.seats, brains, strict=True)]
    steps, end = play(one.start(), brains, [chooser] * seats)
    return write_record(one, resigned(one, steps), end)


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("form", sorted({form for form, _ in DRAFTOSAURUS}))
def test_ten_thousand_games_of_every_format_pass_the_independent_check(
    form: str, chunk: int
) -> None:
    seeds, seats = set(), set()
    for number in range(chunk * GAMES_A_CHUNK, (chunk + 1) * GAMES_A_CHUNK):
        record = simulated(form, number)
        if number % 10 == 0:
            line = json.dumps(record)
            record = json.loads(line)
            if number % 50 == 0:
                verify(read_record(line))
        independent.check(record)
        seeds.add(record["fairness"]["seed"])
        seats.add(len(record["seats"]))
    assert len(seeds) == GAMES_A_CHUNK  # every game was another one
    assert sorted(seats) == [seats for name, seats in DRAFTOSAURUS if name == form]
