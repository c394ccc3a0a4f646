"""The rules of Dino Twist by hand: every check of the rules, every event, every option."""

from typing import Any

import pytest
from tests.games.twisted import attack, code, codes, go, island, names, play, table, twist

from paddock_games import GAMES, BadRules, IllegalChoice
from paddock_games.dino_twist import Choice, State
from paddock_games.dino_twist.card import CARDS, NAMES, unpack
from paddock_games.dino_twist.event import ALL_EVENTS
from paddock_games.dino_twist.island import Island
from paddock_games.dino_twist.setting import setting

QUIET = "METEOR-SEA"  # an event that leaves all but one territory alone
FULL = {"mountains": "V2", "cliff": "V3", "jungle": "K2", "desert": "K3",
        "riverside": "H2", "hill": "H3", "beach": "A2", "sea": "A3"}  # fmt: skip


def bury(cards: str) -> Choice:
    return Choice("BURY", names(cards))


def entries(state: State, seat: int) -> list[list[str]]:
    return [[CARDS[one].name for one in entry] for entry in state.table.graveyards[seat]]


def discards(state: State) -> list[str]:
    return [NAMES[one] for one in unpack(state.table.discards)]


def targets(state: State, seat: int) -> set[str | None]:
    return {choice.territory for choice in state.legal(seat)}


def settles(state: State, seat: int, territory: str) -> list[str | None]:
    return [c.settle for c in state.legal(seat) if c.territory == territory]


# --- the checks worked by hand ----------------------------------------------------------------


def test_a_duo_and_a_single_of_equal_total_cancel() -> None:
    start = table(["H4 H2 K9", "H6 V9"], QUIET, ["ALONE"])
    after = go(start, {0: play("H4 H2"), 1: play("H6")})
    assert (entries(after, 0), entries(after, 1)) == ([["HERBI-2", "HERBI-4"]], [["HERBI-6"]])
    assert after.table.phase == "PLAY"  # nobody was left to act
    assert [score.parts["GRAVEYARD"] for score in after.table.scores()] == [2, 2]


def test_a_duo_leaves_its_weaker_card_and_loses_the_stronger() -> None:
    start = table(["V5 V2 K9", "K2 A9"], QUIET, ["ALONE"], on_twist=twist(cliff="V6"))
    acting = go(start, {0: play("V5 V2"), 1: play("K2")})
    assert acting.to_move == (1,)  # 2 acts before 7
    acting = go(acting)
    assert targets(acting, 0) == {"MOUNTAINS", "CLIFF"}
    after = go(acting, {0: attack("CLIFF", "CLIFF")})
    assert str(after.table.twist.card("CLIFF")) == "VOLI-2"
    assert str(after.table.islands[0].card("CLIFF")) == "VOLI-6"
    assert "VOLI-5" in discards(after)


def test_fury_counts_for_order() -> None:
    start = table(["K3 K4 A2", "A9 V2", "H2 A2"], "FURY-KARNI", ["ALONE"])
    acting = go(start, {0: play("K3 K4"), 1: play("A9"), 2: play("H2")})
    assert acting.table.waiting == ((2,), (1,), (0,))


def test_help_mixes_species_and_names_the_one_that_attacks() -> None:
    start = table(["K3 A5 V2", "V9 V3"], "HELP", ["ALONE"], on_twist=twist(jungle="K7"))
    assert play("K3 A5", "KARNI") in start.legal(0)
    assert play("K3 A5", "AQUA") in start.legal(0)
    acting = go(start, {0: play("K3 A5", "KARNI"), 1: play("V9")})
    assert acting.to_move == (0,)
    assert targets(acting, 0) == {"JUNGLE", "DESERT"}
    after = go(acting, {0: attack("JUNGLE", "JUNGLE")})
    assert str(after.table.twist.card("JUNGLE")) == "KARNI-3"
    assert discards(after) == ["AQUA-5"]


def test_an_equal_dino_is_not_beaten() -> None:
    start = table(["K6 V2", "V9 V3"], QUIET, on_twist=twist(jungle="K6", desert="K7"))
    acting = go(start, {0: play("K6"), 1: play("V9")})
    assert acting.to_move == (1,)  # 6 against 6 and 7 fizzled before it (B7)
    assert discards(acting) == ["KARNI-6"]


def test_carnage_helps_to_beat_and_counts_nothing_later() -> None:
    start = table(["K5 V2", "V9 V3"], "CARNAGE", ["ALONE"], on_twist=twist(jungle="K6"))
    acting = go(start, {0: play("K5"), 1: play("V9")})
    assert acting.to_move == (0,)
    after = go(go(acting, {0: attack("JUNGLE", "JUNGLE")}))
    assert str(after.table.twist.card("JUNGLE")) == "KARNI-5"
    assert after.table.islands[0].strength == 6


def test_three_equal_plays_all_cancel() -> None:
    start = table(["A9 V2", "A9* V2", "A4 A5 V2"], "METEOR-HILL", ["ALONE"])
    after = go(start, {0: play("A9"), 1: play("A9*"), 2: play("A4 A5")})
    assert [len(entries(after, seat)) for seat in range(3)] == [1, 1, 1]
    assert after.table.round == 1


def test_a_tornado_swaps_the_pairs() -> None:
    start = table(["V2 A2", "V3 A3"], QUIET, ["TORNADO"], on_twist=twist(beach="A8"))
    acting = go(start, {0: play("V2"), 1: play("A3")})
    assert acting.to_move == (0,)
    acting = go(acting, {0: attack("CLIFF", "CLIFF")})
    assert acting.table.round == 1  # 3 against 8, and the METEOR on the baby: seat 1 fizzled
    assert [str(acting.table.twist.card(place)) for place in ("BEACH", "SEA", "MOUNTAINS")] == [
        "AQUA-1", "AQUA-8", "VOLI-2",
    ]  # fmt: skip


def test_the_points_of_a_worked_island() -> None:
    """10+7+5+4+3+2+1+1, two entries, first complete, claws tied: 33 + 4 + 10 + 7 = 54."""
    mine = {"MOUNTAINS": "VOLI-10", "CLIFF": "VOLI-7", "JUNGLE": "KARNI-5-CLAW",
            "DESERT": "KARNI-4", "RIVERSIDE": "HERBI-3", "HILL": "HERBI-2", "BEACH": "AQUA-1",
            "SEA": "AQUA-1"}  # fmt: skip
    scored = GAMES["dino_twist"].score({
        "islands": [mine, {"SEA": "AQUA-9-CLAW"}],
        "graveyards": [[["KARNI-2"], ["AQUA-2", "AQUA-3"]], []],
        "island_bonuses": [10, 0],
    })  # fmt: skip
    assert scored["scores"][0] == {
        "total": 54,
        "parts": {"ISLAND": 33, "GRAVEYARD": 4, "ISLAND_BONUS": 10, "CLAW_BONUS": 7},
        "claws": 1,
    }
    assert scored["scores"][1]["total"] == 16
    assert scored["ranks"] == [1, 2]


def test_a_volcano_as_the_tenth_event_ends_the_game_after_nine_rounds() -> None:
    events = ["ALONE"] * 8 + ["VOLCANO"]
    state = table(["V9 A9", "V9* A9*"], QUIET, events)
    rounds = {state.table.round}
    while state.to_move:
        state = go(state)
        rounds.add(state.table.round)
    assert rounds == set(range(9))
    assert len(state.table.events) == 10


def test_a_volcano_elsewhere_is_passed_over_at_once() -> None:
    start = table(["V2 A2", "V3 A3"], "VOLCANO", ["ALONE", "HELP"])
    assert start.table.round == 0
    assert start.table.event.name == "ALONE"


# --- the events -------------------------------------------------------------------------------


def test_the_box_has_the_events_of_b1() -> None:
    assert len(ALL_EVENTS) == 25


def test_a_meteor_shields_its_territory() -> None:
    acting = go(table(["A5 K2", "A6 V2"], "METEOR-SEA"), {0: play("A5"), 1: play("A6")})
    assert targets(acting, 0) == {"BEACH"}


def test_alone_and_three_change_what_may_be_played() -> None:
    hand = "K2 K3 K4 A2"
    for event, sizes in (("ALONE", {1}), (QUIET, {1, 2}), ("NEVER_TWO_WITHOUT_THREE", {1, 2, 3})):
        legal = table([hand, "V2"], event).legal(0)
        assert {len(choice.cards) for choice in legal} == sizes
        for choice in legal:
            assert len({card.species for card in choice.cards}) == 1
    with pytest.raises(IllegalChoice, match="under ALONE"):
        go(table([hand, "V2"], "ALONE"), {0: play("K2 K3")})


def test_the_weakest_of_three_stays() -> None:
    start = table(["K2 K3 K4", "V9"], "NEVER_TWO_WITHOUT_THREE", on_twist=twist(jungle="K8"))
    acting = go(go(start, {0: play("K2 K3 K4"), 1: play("V9")}), {0: attack("JUNGLE", "JUNGLE")})
    assert str(acting.table.twist.card("JUNGLE")) == "KARNI-2"
    assert discards(acting) == ["KARNI-3", "KARNI-4"]


def test_of_equal_cards_the_one_without_a_claw_stays() -> None:
    assert CARDS[play("K5 K5*").stays].name == "KARNI-5"


def test_an_earthquake_lets_the_beaten_choose_between_two() -> None:
    start = table(["A5 K2", "V2"], "EARTHQUAKE")
    acting = go(start, {0: play("A5"), 1: play("V2")})
    acting = go(acting)
    assert settles(acting, 0, "SEA") == ["BEACH", "SEA"]
    quiet = go(go(table(["A5 K2", "V2"], "ALONE"), {0: play("A5"), 1: play("V2")}))
    assert settles(quiet, 0, "SEA") == ["SEA"]


def test_new_generations_exchanges_up_to_three_cards_face_down() -> None:
    start = table(["A5 K2 K3 K4 K5 H2 H3", "V2 V3 V4 V5 H4 H5 H6"], "NEW_GENERATIONS")
    assert start.table.phase == "DISCARD"
    assert {len(choice.cards) for choice in start.legal(0)} == {0, 1, 2, 3}
    chosen = Choice("DISCARD", names("K2 K3 K4"))
    after = go(start, {0: chosen})
    assert after.table.phase == "PLAY"
    assert after.table.face_down == (3, 0)
    assert after.hands[0] == codes("A5 K5 H2 H3 A2 A2 A3")
    assert [str(card) for card in after.view(0).discarded] == names("K2 K3 K4")
    assert after.view(1).discarded == ()
    assert chosen.open == Choice("DISCARD", face_down=3)
    assert GAMES["dino_twist"].shown(chosen) is chosen.open


# --- rounds, drawing, the end -----------------------------------------------------------------


def test_equal_totals_of_different_species_act_together_and_draw_in_seat_order() -> None:
    start = table(["A5 K2", "V5 K3", "H9 K4"], "ALONE", pile="A2 V3 H2 K9 K8 K7 K6 H8 H7 H6 A9 A8")
    acting = go(start, {0: play("A5"), 1: play("V5"), 2: play("H9")})
    assert acting.table.waiting == ((0, 1), (2,))
    assert acting.to_move == (0, 1)
    after = go(acting, {0: attack("SEA", "SEA"), 1: attack("CLIFF", "CLIFF")})
    assert after.hands[0] == codes("K2 A2 V3 H2 K9 K8 K7")
    assert after.hands[1] == codes("K3 K6 H8 H7 H6 A9 A8")
    one_by_one = table(["A5 K2", "V5 K3", "H9 K4"], "ALONE", equals_in_seat_order=True)
    acting = go(one_by_one, {0: play("A5"), 1: play("V5"), 2: play("H9")})
    assert acting.table.waiting == ((0,), (1,), (2,))


def test_an_empty_territory_is_filled_and_a_filled_one_may_be_exchanged() -> None:
    """T11, B8: discarding what was beaten takes a filled territory."""
    cases: list[tuple[str, Island, list[str | None]]] = [
        ("ALONE", island(beach="A9"), ["SEA"]),
        ("ALONE", island(sea="A9"), ["SEA", None]),
        ("EARTHQUAKE", island(sea="A9"), ["BEACH", "SEA"]),
        ("EARTHQUAKE", island(beach="A8", sea="A9"), ["BEACH", "SEA", None]),
    ]
    for event, mine, expected in cases:
        start = table(["A5 K2", "V9 K3"], event, islands={0: mine})
        acting = go(start, {0: play("A5"), 1: play("V9")})
        assert settles(acting, 0, "SEA") == expected
        if None not in expected:
            with pytest.raises(IllegalChoice, match=r"while a territory .* is empty .B8"):
                go(acting, {0: attack("SEA")})
    for mine, free in ((without("hill"), False), (island(**FULL), True)):
        start = table(["A5 K2", "V9 K3"], "ALONE", islands={0: mine}, small_seats="0")
        acting = go(start, {0: play("A5"), 1: play("V9")})
        assert (attack("SEA") in acting.legal(0)) is free
        assert attack("SEA", "CLIFF") in acting.legal(0)  # T17: filled or not


def test_an_occupant_may_be_exchanged_and_is_discarded() -> None:
    mine = {0: island(sea="A9")}
    start = table(["A5 K2", "V9 K3"], "ALONE", islands=mine, on_twist=twist(sea="A4"))
    acting = go(start, {0: play("A5"), 1: play("V9")})
    after = go(acting, {0: attack("SEA", "SEA")})
    assert str(after.table.islands[0].card("SEA")) == "AQUA-4"
    assert discards(after) == ["AQUA-9"]
    kept = go(acting, {0: attack("SEA")})
    assert str(kept.table.islands[0].card("SEA")) == "AQUA-9"
    assert discards(kept) == ["AQUA-4"]


def test_babies_leave_the_game_or_are_reshuffled() -> None:
    for reshuffled, expected in ((False, []), (True, ["AQUA-1"])):
        mine = {0: island(sea="A9")}
        start = table(["A5 K2", "V9 K3"], "ALONE", islands=mine, babies_reshuffled=reshuffled)
        after = go(go(start, {0: play("A5"), 1: play("V9")}), {0: attack("SEA")})
        assert discards(after) == expected


def test_the_discard_pile_is_shuffled_when_the_draw_pile_is_empty() -> None:
    hands = ["A5 A6 K2 K3 K4 K5 H2", "V9 V8 K6 K7 K8 K9 H4"]
    mine = {0: island(beach="A1")}
    start = table(hands, QUIET, pile="H3", islands=mine, on_twist=twist(beach="A7"))
    acting = go(go(start, {0: play("A5 A6"), 1: play("V9")}))  # seat 1 drew the last card
    assert (acting.deal.pile, acting.deal.shuffled) == ((), ())
    after = go(acting, {0: attack("BEACH", "BEACH")})
    assert after.deal.shuffled == (codes("A6"),)
    assert after.hands[0] == codes("A6 K2 K3 K4 K5 H2")  # B13: there was no more to draw
    assert after.deal.cursor == start.deal.cursor  # to shuffle one card takes no chance
    both = go(acting, {0: attack("BEACH")})
    assert sorted(both.deal.shuffled[0]) == list(codes("A6 A7"))
    assert both.deal.cursor.used == 1
    assert both.table.discards == 0


def test_burying_takes_a_dino_stronger_than_one_of_its_species() -> None:
    """T13, B10: than at least one of the two; by territory, than the one on its own."""
    mine, there = {0: island(sea="A5")}, twist(sea="A5", beach="A4")
    hands = ["A2 K2 H2", "V2 V3"]
    assert bury("A2 K2") in table(hands, QUIET, islands=mine, on_twist=there).legal(0)
    equal = table(hands, QUIET, islands=mine, on_twist=twist(sea="A5", beach="A5*"))
    assert bury("A2 K2") not in equal.legal(0)
    others: dict[str, Any] = {"islands": mine, "on_twist": there, "bury_by_territory": True}
    assert bury("A2 K2") not in table(hands, QUIET, **others).legal(0)
    with pytest.raises(IllegalChoice, match="on its territory"):
        go(table(hands, QUIET, **others), {0: bury("A2 K2")})
    # T17: territories of a small island mean nothing, and species do.
    small = table(hands, QUIET, small_seats="0", **others)
    assert bury("A2 K2") in small.legal(0)
    stranger = others | {"islands": {0: island(cliff="A5")}}
    assert bury("A2 K2") in table(hands, QUIET, small_seats="0", **stranger).legal(0)
    weaker = table(hands, "ALONE", islands=mine, on_twist=twist(sea="A4"))
    assert {choice for choice in weaker.legal(0) if choice.kind == "BURY"} == {
        bury("A2 K2"), bury("A2 H2"), bury("K2 H2"),
    }  # fmt: skip
    after = go(weaker, {0: bury("A2 K2")})
    assert entries(after, 0) == [["AQUA-2", "KARNI-2"]]
    # Burials are open: the other seat sees which cards they are.
    assert names("A2 K2") == [str(card) for card in after.view(1).graveyards[0][0]]
    assert GAMES["dino_twist"].shown(bury("A2 K2")) is bury("A2 K2")
    with pytest.raises(IllegalChoice, match=r"one of its species on Twist Island .T13"):
        go(table(hands, QUIET), {0: bury("A2 K2")})


def test_burying_looks_at_twist_island_after_the_event() -> None:
    """B10: the TORNADO that begins the round has swapped the pairs already."""
    mine, there = {0: island(sea="A5")}, twist(sea="A6", beach="A4")
    start = table(["A2 K2", "V2 V3"], "METEOR-HILL", ["TORNADO"], islands=mine, on_twist=there,
                  bury_by_territory=True)  # fmt: skip
    assert bury("A2 K2") not in start.legal(0)
    after = go(start, {0: play("K2"), 1: play("V2")})
    while after.table.round == 0:
        after = go(after)
    assert any(choice.kind == "BURY" for choice in after.legal(0))


def test_cancelled_and_burying_seats_draw_first_or_last() -> None:
    hands = ["V9 K2", "H6 K3", "H6* K4"]
    pile = "A2 A3 A4 A5 A6 A7 V2 V3 V4 V5 V6 V7 K5 K6 K7 K8 K9 K10"
    first = go(table(hands, QUIET, pile=pile), {0: play("V9"), 1: play("H6"), 2: play("H6*")})
    assert first.hands[1] == codes("K3 A2 A3 A4 A5 A6 A7")
    assert len(first.hands[0]) == 1
    last = table(hands, QUIET, ["ALONE"], pile=pile, others_draw_last=True)
    waits = go(last, {0: play("V9"), 1: play("H6"), 2: play("H6*")})
    assert list(map(len, waits.hands)) == [1, 1, 1]
    after = go(waits)
    assert after.hands[0] == codes("K2 A2 A3 A4 A5 A6 A7")
    assert after.hands[1] == codes("K3 V2 V3 V4 V5 V6 V7")


def without(place: str) -> Island:
    """An island with one gap."""
    return island(**{where: card for where, card in FULL.items() if where != place})


@pytest.mark.parametrize("last", [False, True])
def test_a_seat_without_a_card_is_not_asked_and_draws_with_the_cancelled(last: bool) -> None:
    """B13: it had nothing left, and now there is something to draw again."""
    start = table(["", "V9 K3"], "ALONE", ["HELP"], pile="A2 A3", others_draw_last=last)
    assert start.to_move == (1,)
    acting = go(start, {1: play("V9")})
    assert acting.hands[0] == (() if last else codes("A2 A3"))
    after = go(acting, {1: attack("CLIFF", "CLIFF")})
    assert after.hands[0] == (() if last else codes("A2 A3"))  # seat 1 took them
    assert after.to_move == ((1,) if last else (0, 1))


def test_a_round_passes_where_nobody_has_a_card() -> None:
    start = table(["", ""], "ALONE", ["HELP", "NEW_GENERATIONS"], pile="")
    assert (start.to_move, start.table.phase, start.table.round) == ((), "OVER", 2)


def test_island_bonuses_go_to_the_first_rounds_that_fill_one() -> None:
    """T15: both that fill up in one round get 10, and 5 is left for the next."""
    mine = {0: without("sea"), 1: without("cliff"), 2: without("hill")}
    start = table(["A5 K2", "V5 K3", "H2 H9 K4"], "ALONE", ["HELP", "ALONE"], islands=mine)
    acting = go(start, {0: play("A5"), 1: play("V5"), 2: play("H2")})
    acting = go(acting, {2: attack("RIVERSIDE")})
    after = go(acting, {0: attack("SEA", "SEA"), 1: attack("CLIFF", "CLIFF")})
    assert (after.table.round, after.table.bonuses) == (1, (10, 10, 0))
    acting = go(after, {2: play("H9")})
    while acting.table.round == 1:
        acting = go(acting, {2: attack("HILL", "HILL")} if 2 in acting.to_move else {})
    assert acting.table.bonuses == (10, 10, 5)
    assert [score.parts["ISLAND_BONUS"] for score in acting.table.scores()] == [10, 10, 5]


@pytest.mark.parametrize(
    ("ties", "first", "then"),
    [
        ("share", (10, 10, 0, 0), (10, 10, 5, 0)),
        ("skip", (10, 10, 0, 0), (10, 10, 3, 0)),
        ("in_turn", (5, 10, 0, 0), (5, 10, 3, 0)),  # seat 1 acted before seat 0
    ],
)
def test_tied_island_bonuses_are_shared_skipped_or_taken_in_turn(
    ties: str, first: tuple[int, ...], then: tuple[int, ...]
) -> None:
    mine = {0: without("sea"), 1: without("cliff"), 2: without("hill"), 3: without("hill")}
    hands = ["A5 K2", "V4 K3", "H2 H9 K4", "K9 K8"]
    start = table(hands, "ALONE", ["ALONE", "ALONE"], islands=mine, island_bonus_ties=ties)
    state = go(start, {0: play("A5"), 1: play("V4"), 2: play("H2"), 3: play("K9")})
    wanted = {0: attack("SEA", "SEA"), 1: attack("CLIFF", "CLIFF"),
              2: attack("RIVERSIDE", "RIVERSIDE"), 3: attack("JUNGLE", "JUNGLE")}  # fmt: skip
    while state.table.round == 0:
        state = go(state, {seat: wanted[seat] for seat in state.to_move})
    assert state.table.bonuses == first
    state = go(state, {2: play("H9")})
    while state.table.round == 1:
        state = go(state, {2: attack("HILL", "HILL")} if 2 in state.to_move else {})
    assert state.table.bonuses == then


def test_bonuses_in_turn_go_by_seat_where_totals_are_equal() -> None:
    mine = {0: without("sea"), 1: without("cliff")}
    start = table(["A5 K2", "V5 K3"], "ALONE", ["HELP"], islands=mine, island_bonus_ties="in_turn")
    acting = go(start, {0: play("A5"), 1: play("V5")})
    after = go(acting, {0: attack("SEA", "SEA"), 1: attack("CLIFF", "CLIFF")})
    assert after.table.bonuses == (10, 5)


def test_a_small_island_takes_anybody_anywhere() -> None:
    some: dict[str, Any] = {"small_seats": "0"}
    for form, rules in (("dino-twist-small", {}), ("dino-twist", some)):
        start = table(["A5 K2", "V9 K3"], "ALONE", form=form, **rules)
        acting = go(start, {0: play("A5"), 1: play("V9")})
        assert len(settles(acting, 0, "SEA")) == 8  # and it may not be discarded (B8)
        after = go(acting, {0: attack("SEA", "CLIFF")})
        assert str(after.table.islands[0].card("CLIFF")) == "AQUA-1"
        assert (len(settles(after, 1, "CLIFF")) == 8) is (form == "dino-twist-small")
    with pytest.raises(BadRules, match="there is no seat 3, only 3 seats"):
        setting("dino-twist", 3, GAMES["dino_twist"].rules({"small_seats": "03"}))
    with pytest.raises(BadRules, match="every island of dino-twist-small is small; leave"):
        setting("dino-twist-small", 3, GAMES["dino_twist"].rules(some))


# --- the other options ------------------------------------------------------------------------


def test_a_quiet_first_round_has_no_event() -> None:
    start = table(["K2 K3", "V2"], "ALONE", ["HELP"], quiet_first_round=True)
    assert start.table.event.kind is None
    assert play("K2 K3") in start.legal(0)


def test_a_graveyard_can_count_by_card() -> None:
    position = {"islands": [{}, {}], "graveyards": [[["KARNI-2", "KARNI-3"]], []]}
    for rules, points in (({}, 2), ({"graveyard_per_card": True}, 4)):
        scored = GAMES["dino_twist"].score(position | {"rules": rules})
        assert scored["scores"][0]["total"] == points


def test_the_territory_can_be_named_with_the_play() -> None:
    start = table(["A5 K2", "V9 K3"], "METEOR-HILL", attack_with_play=True,
                  on_twist=twist(jungle="K3", desert="K2"))  # fmt: skip
    plays = {(str(c.cards[0]), c.territory) for c in start.legal(0)}
    assert plays == {("AQUA-5", "BEACH"), ("AQUA-5", "SEA"), ("KARNI-2", None)}
    acting = go(start, {0: play("A5", "AQUA", "SEA"), 1: play("V9", "VOLI", "CLIFF")})
    assert targets(acting, 0) == {"SEA"}


def test_a_play_that_fizzles_can_go_back_to_the_hand() -> None:
    start = table(["K2 A9", "V9 K3"], "ALONE", on_twist=twist(jungle="K8", desert="K8*"),
                  fizzled_returns=True)  # fmt: skip
    acting = go(start, {0: play("K2"), 1: play("V9")})
    assert code("K2") in acting.hands[0]
    assert discards(acting) == []


@pytest.mark.parametrize("named", [False, True])
def test_a_waived_play_does_not_come_back_to_the_hand(named: bool) -> None:
    """B8: whether no territory was named with the play, or the attack is waived when it acts."""
    rules: dict[str, Any] = {
        "attack_with_play": True, "attack_may_be_waived": True, "fizzled_returns": True
    }  # fmt: skip
    there = twist(jungle="K8", desert="K8*")
    start = table(["A5 H2", "K2 V9"], "ALONE", ["HELP"], on_twist=there, **rules)
    assert {(str(c.cards[0]), c.territory) for c in start.legal(0)} >= {("AQUA-5", None)}
    state = go(start, {0: play("A5", "AQUA", "SEA" if named else None), 1: play("K2")})
    if named:
        state = go(state, {0: attack(None)})
    assert code("A5") not in state.hands[0]
    assert discards(state) == ["AQUA-5"]
    assert code("K2") in state.hands[1]  # it could beat nothing, so it fizzled (B7)


def test_an_attack_may_be_waived_and_settling_may_be_forced() -> None:
    hands, mine = ["A5 K2", "V9 K3"], {0: island(sea="A9")}
    cases: list[tuple[dict[str, Any], bool, bool]] = [
        ({}, False, True),
        ({"attack_may_be_waived": True}, True, True),
        ({"must_settle": True}, False, False),
    ]
    for rules, waives, lets_go in cases:
        start = table(hands, "ALONE", islands=mine, **rules)
        acting = go(start, {0: play("A5"), 1: play("V9")})
        assert (attack(None) in acting.legal(0)) is waives
        assert (attack("SEA") in acting.legal(0)) is lets_go
        if waives:
            assert discards(go(acting, {0: attack(None)})) == ["AQUA-5"]
        else:
            with pytest.raises(IllegalChoice, match="B8"):
                go(acting, {0: attack(None)})


def test_discarding_in_turn_draws_before_the_next_discards() -> None:
    start = table(["A5 K2", "V9 K3"], "NEW_GENERATIONS", discard_in_turn=True)
    assert start.to_move == (0,)
    second = go(start, {0: Choice("DISCARD", names("K2"))})
    assert second.to_move == (1,)
    assert len(second.hands[0]) == 7
    assert len(second.hands[1]) == 2
    assert go(second).table.phase == "PLAY"


def test_as_many_copies_carry_claws_as_the_rules_say() -> None:
    for copies in range(4):
        deck = setting("dino-twist", 2, GAMES["dino_twist"].rules({"claw_copies": copies})).deck
        assert len(deck) == 108
        assert sum(CARDS[one].claw for one in deck) == 36 * copies


def test_claws_can_go_by_strength() -> None:
    """B2: all copies of the named strengths carry one, and no others."""
    deck = setting("dino-twist", 2, GAMES["dino_twist"].rules({"claw_strengths": "2 10"})).deck
    assert len(deck) == 108
    assert {CARDS[one].strength for one in deck if CARDS[one].claw} == {2, 10}
    assert sum(CARDS[one].claw for one in deck) == 2 * 3 * 4
    with pytest.raises(BadRules, match="claw_copies or claw_strengths, not both"):
        GAMES["dino_twist"].rules({"claw_strengths": "10", "claw_copies": 2})


@pytest.mark.parametrize(
    "rules",
    [{"claw_copies": 4}, {"claw_copies": True}, {"small_seats": "20"}, {"small_seats": "7"},
     {"small_seats": 0}, {"must_settle": 1}, {"x": True}, "polish", 3,
     {"claw_strengths": "10 9"}, {"claw_strengths": "1"}, {"claw_strengths": 9},
     {"claw_strengths": " 9"}, {"island_bonus_ties": "split"}, {"island_bonus_ties": None},
     {"bury_by_species": True}, {"rules_version": 1}],
)  # fmt: skip
def test_rules_that_are_none_are_refused(rules: object) -> None:
    with pytest.raises(BadRules):
        GAMES["dino_twist"].rules(rules)
