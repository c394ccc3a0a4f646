"""What holds in every game of Draftosaurus (section 7 of the rules), at every step of it."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.tables import TABLES, match, matches, options, played, states
from tests.independent.draftosaurus import FACES, PER_SPECIES, SPECIES

from paddock_games import FORMATS
from paddock_games.draftosaurus import Choice, State
from paddock_games.draftosaurus.deal import Hidden
from paddock_games.draftosaurus.scoring import points, scores

every_table = pytest.mark.parametrize(
    ("form", "seats"), [table for table in TABLES if FORMATS[table[0]].game == "draftosaurus"]
)


def inside(zoo: Any) -> Counter[str]:
    """Who is in the zoo, pen by pen, counted from what stands there."""
    return Counter(species for pen in zoo for species in pen.dinosaurs if species)


def whole_bag(seats: int) -> Counter[str]:
    """D3: what the bag holds before anybody draws."""
    return Counter(dict.fromkeys(SPECIES, PER_SPECIES[seats]))


@every_table
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_no_dinosaur_is_lost_or_won(form: str, seats: int, data: st.DataObject) -> None:
    """Section 7, 1: at any time, what lies open, in hands and in the bag is the whole bag."""
    for state in states(data.draw(matches(form, seats)))[:-1]:
        table, deal = state.table, state.deal
        setting = table.setting
        found: Counter[str] = Counter(table.removed)
        found.update(SPECIES[which] for which in table.picks)
        for zoo, hand in zip(table.zoos, state.hands, strict=True):
            found += inside(zoo) + Counter(hand)
        dealt = table.turn.game * setting.rounds + table.turn.round + 1
        for hands in deal.drawn[dealt : (table.turn.game + 1) * setting.rounds]:
            found.update(SPECIES[which] for hand in hands for which in hand)
        assert found == whole_bag(seats)
        if seats > 2:
            assert not table.removed


@every_table
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_species_placed_and_removed_are_those_of_the_bag(
    form: str, seats: int, data: st.DataObject
) -> None:
    """Section 7, 1 and D12, D16: told by the choices alone, for each game of the match."""
    steps, end = played(data.draw(matches(form, seats)))
    for game, zoos in enumerate(end.table.finished):
        placed: Counter[str] = Counter()
        removed: Counter[str] = Counter()
        for step in steps:
            if step.state.table.turn.game == game:
                for choice in step.choices.values():
                    placed[choice.species] += choice.kind == "PLACE"
                    removed[choice.species] += choice.kind == "REMOVE"
        assert placed == sum((inside(zoo) for zoo in zoos), Counter())
        assert [sum(inside(zoo).values()) for zoo in zoos] == [12] * seats
        assert placed + removed == whole_bag(seats)
        assert removed.total() == (24 if seats == 2 else 0)


@every_table
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_zoos_grow_by_one_and_hands_shrink(form: str, seats: int, data: st.DataObject) -> None:
    """Section 7, 2: a zoo holds t after turn t; hands are 6,5,4,3,2,1, two players' 6,4,2."""
    for state in states(data.draw(matches(form, seats)))[:-1]:
        table = state.table
        placed, picked = table.done % 12, len(table.picks) // seats
        left = 6 - (table.done % 3) * 2 if seats == 2 else 6 - table.done % 6
        if table.phase == "REMOVE":
            placed, left = placed + 1, left - 1
        elif table.phase == "MOVE":
            placed, left = 12, 0
        assert [zoo.size for zoo in table.zoos] == [placed] * seats
        assert [len(hand) for hand in state.hands] == [left - picked] * seats


@every_table
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_placed_dinosaur_stays(form: str, seats: int, data: st.DataObject) -> None:
    """D10: a step adds one dinosaur to one place of a zoo; only Quarantine is ever left (D25)."""
    every = states(data.draw(matches(form, seats)))
    for before, after in pairwise(every):
        if after.table.turn.game != before.table.turn.game:
            continue
        added = before.table.phase == "PLACE"
        for old, new in zip(before.table.zoos, after.table.zoos, strict=True):
            assert inside(new).total() - inside(old).total() == added
            changed = [(was, now) for was, now in zip(old, new, strict=True) if was != now]
            for was, now in changed:
                if was.name == "QUARANTINE" and before.table.phase == "MOVE":
                    assert now.size == 0
                elif was.name == "PYRAMID":
                    moved = [(a, b) for a, b in zip(was.dinosaurs, now.dinosaurs, strict=True)]
                    assert [a for a, b in moved if a != b] == [None]
                elif was.name == "WELL_ORDERED_WOOD":
                    assert now.dinosaurs[:-1] == was.dinosaurs
                else:
                    assert (Counter(now.dinosaurs) - Counter(was.dinosaurs)).total() == 1
                    assert not Counter(was.dinosaurs) - Counter(now.dinosaurs)
            if before.table.phase == "PLACE":
                assert len(changed) == 1
            elif before.table.phase == "MOVE":
                assert len(changed) in (0, 2)
            else:
                assert not changed


@every_table
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_river_is_always_open(form: str, seats: int, data: st.DataObject) -> None:
    """Section 7, 3 and D9: whoever places or moves may send any of theirs to the RIVER."""
    for state in states(data.draw(matches(form, seats))):
        table = state.table
        for seat in state.to_move:
            legal = state.legal(seat)
            if table.phase in ("PICK", "REMOVE"):
                assert {choice.species for choice in legal} == set(state.hands[seat])
                continue
            mine = set(state.hands[seat])
            if table.phase == "MOVE":
                mine = set(table.zoos[seat].pen("QUARANTINE").dinosaurs)
            elif table.picks:
                mine = {SPECIES[table.picks[seat]]}
            assert (
                {c.species for c in legal if c.pen == "RIVER"} == mine == {c.species for c in legal}
            )
            assert state.default(seat).pen == "RIVER"


@every_table
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_everybody_rolls_as_often_as_the_rules_say(
    form: str, seats: int, data: st.DataObject
) -> None:
    """Section 7, 4 and A2: 6/6, 4 each, 3 each, 3,3,2,2,2; with the hold 2 free ones each."""
    one = data.draw(matches(form, seats))
    every = [s for s in states(one) if s.table.phase == s.table.setting.first_phase]
    first = every[0].table.turn.roller
    held = seats == 5 and one.rules.five_player_die_hold
    rolls = [state.table.turn.roller for state in every]
    if held:
        assert rolls == [(first + number) % 5 for number in (0, 1, 2, 3, 4, 4)] * (len(every) // 6)
    else:
        assert rolls == [(first + number) % seats for number in range(len(every))]
    for game in range(len(every) // 12):
        mine = rolls[12 * game : 12 * game + 12]
        expected = {2: [6, 6], 3: [4, 4, 4], 4: [3] * 4, 5: [2, 2, 2, 3, 3]}[seats]
        if held:
            expected = [2, 2, 2, 2, 4]
        assert sorted(Counter(mine).values()) == expected
    record = one.game.dealt(every[0])
    assert [turn["roller"] for game in record for turn in game["turns"]] == rolls
    assert [turn["die"] for game in record for turn in game["turns"]] == [
        state.table.die for state in every
    ]
    assert {state.table.die for state in every} <= set(FACES)


@every_table
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_renaming_seats_renames_scores(form: str, seats: int, data: st.DataObject) -> None:
    """Section 7, 5: the same match with everybody one chair on is the same match."""
    steps, end = played(data.draw(matches(form, seats)))
    start = steps[0].state
    by = data.draw(st.integers(1, seats - 1))

    def moved(values: Any) -> tuple[Any, ...]:
        return (*values[-by:], *values[:-by])

    deal = start.deal
    turned = State.first(
        start.table.setting,
        Hidden((deal.first_roller + by) % seats, tuple(map(moved, deal.drawn)), deal.faces),
    )
    for step in steps:
        choices: dict[int, Choice] = {(seat + by) % seats: c for seat, c in step.choices.items()}
        assert turned.hands == moved(step.state.hands)
        assert turned.table.zoos == moved(step.state.table.zoos)
        assert turned.result().totals == moved(step.state.result().totals)
        turned = turned.step(choices)
    for game, other in zip(end.scores(), turned.scores(), strict=True):
        assert other == moved(game)
    assert turned.result().ranks() == moved(end.result().ranks())


@every_table
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_points_are_the_sum_of_their_parts(form: str, seats: int, data: st.DataObject) -> None:
    """Section 5: every pen has its part, the bridge one, Quarantine none."""
    for state in states(data.draw(matches(form, seats))):
        zoos = state.table.zoos
        pens = {pen.name for pen in zoos[0]} | {"T_REX_BONUS"}
        if state.table.board == "WINTER":
            pens -= {"LOVERS_BRIDGE_LEFT", "LOVERS_BRIDGE_RIGHT", "QUARANTINE"}
            pens.add("LOVERS_BRIDGE")
        for seat, score in enumerate(scores(zoos)):
            assert set(score.parts) == pens
            assert score.total == sum(score.parts.values()) == points(zoos, seat)
            assert score.t_rexes == inside(zoos[seat])["T_REX"] == zoos[seat].count("T_REX")
            assert state.view(seat).scores[seat] == score


def test_every_combination_of_options_is_tried() -> None:
    """Three switches and a capacity: what the tests above draw from."""
    for form in FORMATS.values():
        if form.game == "draftosaurus":
            assert len(set(options(form.name))) == 2 * 2 * 3 * 2


def test_a_mistake_of_the_rules_themselves_keeps_its_traceback() -> None:
    """A step that fails although every choice is legal is no illegal choice."""
    start: Any = match("summer", 4).start()
    broken = start._replace(deal=start.deal._replace(faces=()))  # the next turn looks for its own
    choices = {seat: broken.default(seat) for seat in broken.to_move}
    with pytest.raises(IndexError, match="out of range"):
        broken.step(choices)
