"""The numbered rules of a turn, each by an example: dealing, passing, the die, the pens."""

from typing import Any, Final

import pytest
from tests.games.scripted import ALL, LETTERS, go, names, open_pens, table
from tests.games.tables import match, states
from tests.independent.draftosaurus import FACES, SPECIES

from paddock_games import GAMES, BadRules, Chance, IllegalChoice
from paddock_games.draftosaurus import Choice, Rules

GAME: Final = GAMES["draftosaurus"]

# Section 4 on the boards of section 5: where a non-roller may go, beside the RIVER.
OPENS: Final = {
    "SUMMER": {
        "WOODLANDS": {"FOREST_OF_SAMENESS", "WOODY_TRIO", "KING_OF_THE_JUNGLE"},
        "GRASSLANDS": {"PRAIRIE_OF_LOVE", "MEADOW_OF_DIFFERENCES", "SOLITARY_ISLAND"},
        "RESTROOMS": {"KING_OF_THE_JUNGLE", "MEADOW_OF_DIFFERENCES", "SOLITARY_ISLAND"},
        "FOOD_COURT": {"FOREST_OF_SAMENESS", "WOODY_TRIO", "PRAIRIE_OF_LOVE"},
    },
    "WINTER": {
        "WOODLANDS": {"WELL_ORDERED_WOOD", "LOOKOUT", "LOVERS_BRIDGE_LEFT"},
        "GRASSLANDS": {"LOVERS_BRIDGE_RIGHT", "PYRAMID", "QUARANTINE"},
        "RESTROOMS": {"LOOKOUT", "LOVERS_BRIDGE_RIGHT", "PYRAMID"},
        "FOOD_COURT": {"WELL_ORDERED_WOOD", "LOVERS_BRIDGE_LEFT", "QUARANTINE"},
    },
}
for pens in OPENS.values():
    pens["EMPTY_PEN"] = pens["NO_T_REX"] = pens["WOODLANDS"] | pens["GRASSLANDS"]


@pytest.mark.parametrize(("form", "seats"), [("summer", 3), ("winter", 4), ("series", 5)])
def test_d4_d6_chance_decides_first_roller_hands_and_faces(form: str, seats: int) -> None:
    one = match(form, seats, number=9)
    chance = Chance(one.seed, [seated.nonce for seated in one.seats])
    dealt = GAME.dealt(one.start())
    assert dealt[0]["first_roller"] == chance.below(seats)
    for game in dealt:
        bag = [species for species in SPECIES for _ in range({3: 6, 4: 8, 5: 10}[seats])]
        chance.shuffle(bag)
        hands = [hand for deal in game["deals"] for hand in deal]
        assert [len(hand) for hand in hands] == [6] * 2 * seats
        assert [species for hand in hands for species in hand] == bag
        assert [turn["die"] for turn in game["turns"]] == [
            FACES[chance.below(6)] for _ in range(12)
        ]


def test_d5_d7_hands_and_die_go_to_the_left() -> None:
    state = table("summer", ["RRRRRR", "DDDDDD", "TTTTTT", "SSSSSS"], first=2)
    after = go(state)
    assert [set(hand) for hand in after.hands] == [set(names(letter)) for letter in "SRDT"]
    assert [state.table.turn.roller, after.table.turn.roller] == [2, 3]
    assert go(after).table.turn.roller == 0
    assert [set(hand) for hand in go(after).hands] == [set(names(letter)) for letter in "TSRD"]


def test_d7_hands_are_what_is_left_after_placing() -> None:
    state = table("summer", [ALL, "RRDDTT", "SSGGPP"])
    river = {seat: Choice("PLACE", s, "RIVER") for seat, s in enumerate(names("PDS"))}
    after = state.step(river)
    assert [sorted(hand) for hand in after.hands] == [
        sorted(names(left)) for left in ("SGGPP", "RDTSG", "RRDTT")
    ]
    for seat, zoo in enumerate(after.table.zoos):
        assert zoo.as_dict() == {"RIVER": [river[seat].species]}


@pytest.mark.parametrize("board", OPENS)
@pytest.mark.parametrize("die", FACES)
def test_d8_d9_the_die_binds_everybody_but_the_roller(board: str, die: str) -> None:
    opens = OPENS[board]
    state = table(board.lower(), [ALL] * 3, die, first=1)
    assert open_pens(state, 0) == open_pens(state, 2) == opens[die] | {"RIVER"}
    assert open_pens(state, 1) == opens["NO_T_REX"] | {"RIVER"}
    closed = opens["NO_T_REX"] - opens[die]
    for pen in closed:
        choice = Choice("PLACE", "T_REX", pen)
        with pytest.raises(IllegalChoice, match=f"^seat 0: the die shows {die}, and {pen} "):
            go(state, {0: choice})
        assert go(state, {1: choice}).table.zoos[1].as_dict() == {
            pen: ["T_REX"] if pen != "PYRAMID" else ["T_REX"] + [None] * 5
        }


def legal(board: str, zoo: dict[str, Any], hand: str, **more: Any) -> set[tuple[str, str, int]]:
    """The legal placements of a typed position, letters standing for species."""
    full = {
        pen: [None if letter == "." else names(letter)[0] for letter in inside]
        for pen, inside in zoo.items()
    }
    position = {"board": board, "zoo": full, "hand": names(hand), "die": "NO_T_REX", "roller": True}
    found = GAME.legal(position | more)
    return {(LETTERS[SPECIES.index(c["species"])], c["pen"], c["slot"]) for c in found}


def entering(board: str, pen: str, inside: str, hand: str = ALL, **more: Any) -> str:
    """The letters that may enter a pen with these inside."""
    found = legal(board, {pen: inside}, hand, **more)
    return "".join(sorted({s for s, where, _ in found if where == pen}, key=LETTERS.index))


def test_d8_a_pen_binds_the_roller_too() -> None:
    state = table("summer", ["RRRDDD"] * 3, "WOODLANDS", first=0)
    after = go(state, {0: Choice("PLACE", "T_REX", "FOREST_OF_SAMENESS")})
    again = table("summer", ["RRRDDD"] * 3, "WOODLANDS", first=2)
    again = go(again, {0: Choice("PLACE", "T_REX", "FOREST_OF_SAMENESS")})
    for later, roller in ((after, 1), (again, 0)):
        assert later.table.turn.roller == roller
        with pytest.raises(IllegalChoice, match="FOREST_OF_SAMENESS does not take DIPLODOCUS"):
            go(later, {0: Choice("PLACE", "DIPLODOCUS", "FOREST_OF_SAMENESS")})


@pytest.mark.parametrize(
    ("board", "pen", "inside", "may_enter"),
    [
        ("SUMMER", "FOREST_OF_SAMENESS", "", ALL),
        ("SUMMER", "FOREST_OF_SAMENESS", "DDDDD", "D"),
        ("SUMMER", "FOREST_OF_SAMENESS", "DDDDDD", ""),
        ("SUMMER", "WOODY_TRIO", "RR", ALL),
        ("SUMMER", "WOODY_TRIO", "RRD", ""),
        ("SUMMER", "KING_OF_THE_JUNGLE", "R", ""),
        ("SUMMER", "PRAIRIE_OF_LOVE", "RRRDDDTTTPP", ALL),
        ("SUMMER", "MEADOW_OF_DIFFERENCES", "RPG", "DTS"),
        ("SUMMER", "MEADOW_OF_DIFFERENCES", "RDTSGP", ""),
        ("SUMMER", "SOLITARY_ISLAND", "P", ""),
        ("SUMMER", "RIVER", "RDTSGPRDTSG", ALL),
        ("WINTER", "WELL_ORDERED_WOOD", "", ALL),
        ("WINTER", "WELL_ORDERED_WOOD", "T", "RDSGP"),
        ("WINTER", "WELL_ORDERED_WOOD", "TG", "T"),
        ("WINTER", "WELL_ORDERED_WOOD", "TGT", "G"),
        ("WINTER", "WELL_ORDERED_WOOD", "TGTGT", "G"),
        ("WINTER", "WELL_ORDERED_WOOD", "TGTGTG", ""),
        ("WINTER", "LOOKOUT", "R", ""),
        ("WINTER", "LOVERS_BRIDGE_LEFT", "RRDDTTSSGGP", ALL),
        ("WINTER", "LOVERS_BRIDGE_RIGHT", "RRDDTTSSGGP", ALL),
        ("WINTER", "QUARANTINE", "R", ""),
        ("WINTER", "PYRAMID", "RDTGPR", ""),
    ],
)
def test_section_5_who_may_enter(board: str, pen: str, inside: str, may_enter: str) -> None:
    assert entering(board, pen, inside) == may_enter


@pytest.mark.parametrize("die", ["EMPTY_PEN", "NO_T_REX"])
def test_d17_the_banks_are_two_pens_for_the_die(die: str) -> None:
    found = legal("WINTER", {"LOVERS_BRIDGE_LEFT": "R"}, "R", die=die, roller=False)
    pens = {pen for _, pen, _ in found}
    assert "LOVERS_BRIDGE_LEFT" not in pens
    assert "LOVERS_BRIDGE_RIGHT" in pens


def test_section_4_a_t_rex_may_enter_where_none_is() -> None:
    zoo = {"WOODY_TRIO": "DR", "PRAIRIE_OF_LOVE": "D", "RIVER": "R"}
    found = legal("SUMMER", zoo, "R", die="NO_T_REX", roller=False)
    assert {pen for _, pen, _ in found} == OPENS["SUMMER"]["NO_T_REX"] - {"WOODY_TRIO"} | {"RIVER"}
    found = legal("SUMMER", zoo, "R", die="EMPTY_PEN", roller=False)
    assert {pen for _, pen, _ in found} == OPENS["SUMMER"]["NO_T_REX"] - {
        "WOODY_TRIO", "PRAIRIE_OF_LOVE",
    } | {"RIVER"}  # fmt: skip


@pytest.mark.parametrize("die", FACES)
def test_d18_the_river_is_open_whatever_is_in_it(die: str) -> None:
    for board in OPENS:
        found = legal(board, {"RIVER": "RRRDDDPPPP"}, ALL, die=die, roller=False)
        assert {s for s, pen, _ in found if pen == "RIVER"} == set(ALL)


@pytest.mark.parametrize(
    ("slots", "species", "open_slots"),
    [
        ("......", "R", {0, 1, 2}),
        ("R.....", "R", {2}),  # 0-1 touch
        (".R....", "R", set()),  # 0-1 and 1-2
        ("..R...", "R", {0}),
        ("R.R...", "R", set()),
        ("RDR...", "D", set()),  # 1-3 and 1-4
        ("RDR...", "R", set()),  # 0-3 and 2-4
        ("RDT...", "R", {4}),  # 0-4 do not touch
        ("RDT...", "T", {3}),  # nor do 2-3
        ("RDT...", "G", {3, 4}),
        ("RDT.R.", "R", set()),  # 3-4
        ("RDTG..", "G", set()),
        ("RDTGP.", "G", set()),  # 3-5
        ("RDTGP.", "P", set()),  # 4-5
        ("RDTGP.", "D", {5}),  # the top touches the middle row only
        ("RDTGP.", "R", {5}),
    ],
)
def test_d21_d22_the_pyramid(slots: str, species: str, open_slots: set[int]) -> None:
    found = legal("WINTER", {"PYRAMID": slots}, species)
    assert {slot for _, pen, slot in found if pen == "PYRAMID"} == open_slots


def test_a3_the_prairie_may_have_a_limit() -> None:
    for capacity, inside, may_enter in ((6, "RRRRR", ALL), (6, "RRRRRR", ""), (1, "R", "")):
        rules = {"prairie_capacity": capacity}
        assert entering("SUMMER", "PRAIRIE_OF_LOVE", inside, rules=rules) == may_enter
    assert entering("SUMMER", "PRAIRIE_OF_LOVE", "RRRRRR", rules="polish") == ""
    assert entering("SUMMER", "PRAIRIE_OF_LOVE", "RRRRRR", rules="international") == ALL


def test_presets_and_options_are_read() -> None:
    assert GAME.rules(None) == GAME.rules("international") == GAME.rules({}) == Rules()
    assert Rules() == Rules(False, False, None, False)
    assert GAME.rules("polish") == Rules(
        quarantine_may_stay=True, five_player_die_hold=True, prairie_capacity=6
    )
    assert GAME.rules({"place_after_reveal": True}) == Rules(place_after_reveal=True)
    wrong: list[Any] = [
        "french", {"x": 1}, {"prairie_capacity": 0}, {"prairie_capacity": 13},
        {"prairie_capacity": True}, {"prairie_capacity": 6.0}, {"place_after_reveal": None},
        {"quarantine_may_stay": 1}, [], 3, True,
    ]  # fmt: skip
    for given in wrong:
        with pytest.raises(BadRules, match=r"^rules"):
            GAME.rules(given)


def test_d11_the_die_passes_across_the_rounds() -> None:
    for seats, after_round_one in ((3, 1), (4, 3), (5, 2)):
        state = table("summer", [ALL] * seats, first=1)
        for _ in range(6):
            state = go(state)
        assert (state.table.turn.round, state.table.turn.number) == (1, 0)
        assert state.table.turn.roller == after_round_one
        assert [len(hand) for hand in state.hands] == [6] * seats


def test_states_of_a_match_follow_the_phases() -> None:
    """D7, D14, D25, A4: what is asked, in which order."""
    turns = {
        ("winter", 3, False): ["PLACE"], ("winter", 3, True): ["PICK", "PLACE"],
        ("two-player", 2, False): ["PLACE", "REMOVE"],
        ("two-player", 2, True): ["PICK", "PLACE", "REMOVE"],
    }  # fmt: skip
    for (form, seats, reveal), phases in turns.items():
        every = states(match(form, seats, {"place_after_reveal": reveal}))
        asked = [state.table.phase for state in every if state.table.phase != "MOVE"]
        assert asked == phases * 12 + ["OVER"]
