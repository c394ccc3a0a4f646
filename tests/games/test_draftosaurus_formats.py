"""The numbered rules of two players (D13-D16), series (D26) and the options A1, A2 and A4."""

from typing import Final

import pytest
from tests.games.scripted import ALL, go, names, open_pens, table
from tests.games.tables import match, played

from paddock_games import GAMES, IllegalChoice
from paddock_games.draftosaurus import Choice, State

TWO: Final = ("two-player", "two-player-winter", "two-player-series")


def finished(state: State) -> State:
    """The end of a match whose seats leave everything to the referee."""
    while state.to_move:
        state = go(state)
    return state


@pytest.mark.parametrize("form", TWO)
def test_d13_the_roll_alternates_every_turn_across_rounds(form: str) -> None:
    state = table(form, [ALL, ALL], first=1)
    seen = []
    while state.to_move:
        if state.table.phase == "PLACE":
            turn = state.table.turn
            seen.append((turn.game, turn.round, turn.number, turn.roller))
        state = go(state)
    games = 2 if form == "two-player-series" else 1
    assert seen == [
        (game, round_, number, (1 + 12 * game + 3 * round_ + number) % 2)
        for game in range(games)
        for round_ in range(4)
        for number in range(3)
    ]


def test_d13_the_die_binds_the_one_who_did_not_roll() -> None:
    left = {
        "two-player": {"FOREST_OF_SAMENESS", "WOODY_TRIO", "PRAIRIE_OF_LOVE", "RIVER"},
        "two-player-winter": {"WELL_ORDERED_WOOD", "LOVERS_BRIDGE_LEFT", "QUARANTINE", "RIVER"},
    }
    for form, pens in left.items():
        state = table(form, [ALL, ALL], "FOOD_COURT", first=1)
        assert open_pens(state, 0) == pens
        assert open_pens(state, 1) == {pen.name for pen in state.table.zoos[1]}


def test_d14_a_second_dinosaur_is_removed_then_the_hands_are_swapped() -> None:
    state = table("two-player", ["RRDDTT", "SSGGPP"])
    placed = state.step(
        {0: Choice("PLACE", "T_REX", "RIVER"), 1: Choice("PLACE", "SPINOSAURUS", "RIVER")}
    )
    assert placed.to_move == (0, 1)
    assert [sorted(hand) for hand in placed.hands] == [
        sorted(names("RDDTT")), sorted(names("SGGPP")),
    ]  # fmt: skip
    assert [str(choice) for choice in placed.legal(0)] == [
        "REMOVE T_REX", "REMOVE DIPLODOCUS", "REMOVE TRICERATOPS",
    ]  # fmt: skip
    with pytest.raises(IllegalChoice, match="seat 1: T_REX is not in the hand"):
        go(placed, {1: Choice("REMOVE", "T_REX")})
    swapped = placed.step(
        {0: Choice("REMOVE", "DIPLODOCUS"), 1: Choice("REMOVE", "PARASAUROLOPHUS")}
    )
    assert [sorted(hand) for hand in swapped.hands] == [
        sorted(names("SGGP")),
        sorted(names("RDTT")),
    ]
    assert [zoo.size for zoo in swapped.table.zoos] == [1, 1]


def test_d15_removals_are_made_knowing_the_placements_and_are_public() -> None:
    state = table("two-player", ["RRDDTT", "SSGGPP"])
    placed = state.step({0: Choice("PLACE", "T_REX", "WOODY_TRIO"), 1: state.default(1)})
    for seat in (0, 1):
        view = placed.view(seat)
        assert view.phase == "REMOVE"
        assert view.zoos[0].as_dict() == {"WOODY_TRIO": ["T_REX"]}
        assert view.zoos[1].as_dict() == {"RIVER": ["SPINOSAURUS"]}
        assert list(view.removed) == []
    with pytest.raises(IllegalChoice, match="seat 1: its choice is missing"):
        placed.step({0: placed.legal(0)[0]})
    after = placed.step({0: Choice("REMOVE", "T_REX"), 1: Choice("REMOVE", "STEGOSAURUS")})
    for seat in (0, 1):
        assert list(after.view(seat).removed) == ["T_REX", "STEGOSAURUS"]


def test_d15_d25_all_removals_are_public_when_quarantine_is_left() -> None:
    state = table("two-player-winter", [ALL, ALL], "EMPTY_PEN")
    state = go(state, {0: Choice("PLACE", "T_REX", "QUARANTINE")})
    while state.table.phase != "MOVE":
        state = go(state)
    assert state.to_move == (0,)
    assert len(state.view(0).removed) == len(state.view(1).removed) == 24


def test_d16_four_rounds_empty_the_bag() -> None:
    one = match("two-player", 2, number=11)
    dealt = GAMES["draftosaurus"].dealt(one.start())[0]["deals"]
    drawn = [species for deal in dealt for hand in deal for species in hand]
    assert [len(deal) for deal in dealt] == [2] * 4
    assert sorted(drawn) == sorted(names(ALL) * 8)
    steps, end = played(one)
    removed = [c.species for s in steps for c in s.choices.values() if c.kind == "REMOVE"]
    placed = [s for zoo in end.table.zoos for pen in zoo for s in pen.dinosaurs if s]
    assert (len(placed), len(removed)) == (24, 24)
    assert sorted(placed + removed) == sorted(drawn)


@pytest.mark.parametrize(("seats", "second"), [(3, 1), (4, 1), (5, 3)])
def test_d26_the_die_goes_on_into_the_second_game(seats: int, second: int) -> None:
    state = table("series", [ALL] * seats, first=1)
    while state.table.turn.game == 0:
        state = go(state)
    assert state.table.turn.roller == second  # twelve passes on from seat 1
    assert state.table.board == "WINTER"
    assert [zoo.size for zoo in state.table.zoos] == [0] * seats
    assert [len(hand) for hand in state.hands] == [6] * seats
    assert {pen for zoo in state.table.finished[0] for pen in zoo.as_dict()} == {"RIVER"}


def test_d26_a_series_adds_points_and_t_rexes() -> None:
    for form, seats in (("series", 4), ("two-player-series", 2)):
        _, end = played(match(form, seats, number=6))
        summer, winter = end.scores()
        assert set(summer[0].parts) != set(winter[0].parts)
        result = end.result()
        for seat in range(seats):
            assert result.totals[seat] == summer[seat].total + winter[seat].total
            assert result.tie_breaks[seat] == summer[seat].t_rexes + winter[seat].t_rexes


def test_d26_removals_begin_anew_in_the_second_game() -> None:
    state = table("two-player-series", [ALL, ALL])
    while state.table.turn.game == 0:
        state = go(state)
    assert list(state.view(0).removed) == []
    assert len(go(go(state)).view(0).removed) == 2


def test_a2_the_fifth_roller_rolls_again_and_obeys() -> None:
    for hold in (False, True):
        state = table("summer", [ALL] * 5, "WOODLANDS", 3, {"five_player_die_hold": hold})
        free = dict.fromkeys(range(5), 0)
        rollers = []
        while state.to_move:
            unbound = [s for s in range(5) if "PRAIRIE_OF_LOVE" in open_pens(state, s)]
            rollers.append(state.table.turn.roller)
            assert unbound == [] if hold and len(rollers) % 6 == 0 else unbound == rollers[-1:]
            for seat in unbound:
                free[seat] += 1
            state = go(state)
        if hold:
            assert rollers == [3, 4, 0, 1, 2, 2] * 2
            assert list(free.values()) == [2] * 5
        else:
            assert rollers == [3, 4, 0, 1, 2] * 2 + [3, 4]
            assert list(free.values()) == [2, 2, 2, 3, 3]


@pytest.mark.parametrize("seats", [3, 4])
def test_a2_changes_nothing_for_three_or_four(seats: int) -> None:
    ends = []
    for hold in (False, True):
        state = table("series", [ALL] * seats, "GRASSLANDS", 1, {"five_player_die_hold": hold})
        rollers = []
        while state.to_move:
            free = [s for s in range(seats) if len(open_pens(state, s)) == 7]
            rollers.append((state.table.turn.roller, free))
            state = go(state)
        ends.append(rollers)
    assert ends[0] == ends[1]
    assert [roller for roller, _ in ends[0]] == [(1 + turn) % seats for turn in range(24)]


def test_a2_d26_the_held_die_passes_on_into_the_second_game() -> None:
    state = table("series", [ALL] * 5, first=1, rules="polish")
    while state.table.turn.game == 0:
        state = go(state)
    assert state.table.turn.roller == 1  # ten passes on


def test_a4_picks_are_revealed_before_anybody_places() -> None:
    hidden = table("winter", ["RRRDDD", "DDDTTT", "TTTSSS"], rules={"place_after_reveal": True})
    assert hidden.table.phase == "PICK"
    assert [str(choice) for choice in hidden.legal(1)] == ["PICK DIPLODOCUS", "PICK TRICERATOPS"]
    assert hidden.view(0).picks == ()
    picks = {
        0: Choice("PICK", "T_REX"),
        1: Choice("PICK", "TRICERATOPS"),
        2: Choice("PICK", "SPINOSAURUS"),
    }
    shown = hidden.step(picks)
    for seat in range(3):
        assert shown.view(seat).picks == ("T_REX", "TRICERATOPS", "SPINOSAURUS")
        assert {choice.species for choice in shown.legal(seat)} == {picks[seat].species}
        assert {choice.kind for choice in shown.legal(seat)} == {"PLACE"}
        assert len(shown.hands[seat]) == 5
    with pytest.raises(IllegalChoice, match="seat 1: the seat picked TRICERATOPS, not DIPLODOCUS"):
        go(shown, {1: Choice("PLACE", "DIPLODOCUS", "RIVER")})
    after = go(shown, {0: Choice("PLACE", "T_REX", "LOOKOUT")})
    assert after.table.phase == "PICK"
    assert after.view(0).picks == ()
    assert [zoo.size for zoo in after.table.zoos] == [1, 1, 1]
    assert sorted(after.hands[1]) == sorted(names("RRDDD"))


def test_a4_without_it_species_and_pen_are_one_secret_choice() -> None:
    state = table("winter", [ALL] * 3)
    assert state.table.phase == "PLACE"
    with pytest.raises(IllegalChoice, match="seat 0: PICK T_REX is not what is asked"):
        go(state, {0: Choice("PICK", "T_REX")})


def test_a4_plays_the_same_game() -> None:
    """With A4, picking and then placing leads where placing at once does."""
    for form in ("summer", "two-player-winter"):
        seats = 3 if form == "summer" else 2
        one = match(form, seats, number=4)
        steps, end = played(one)
        state = one._replace(rules=one.rules._replace(place_after_reveal=True)).start()
        for step in steps:
            if step.state.table.phase == "PLACE":
                state = state.step({s: Choice("PICK", c.species) for s, c in step.choices.items()})
            state = state.step(step.choices)
        assert state.table.zoos == end.table.zoos
        assert state.scores() == end.scores()


def test_d12_everybody_ends_with_twelve() -> None:
    for form, seats in (("summer", 5), ("winter", 3), ("two-player", 2)):
        end = finished(table(form, [ALL] * seats))
        assert [zoo.size for zoo in end.table.zoos] == [12] * seats
        assert end.result().totals == (12,) * seats  # all of them in the RIVER
