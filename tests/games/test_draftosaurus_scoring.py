"""The numbered rules of the end of a game, each by an example: points, Quarantine, ranks."""

from typing import Any, Final

import pytest
from tests.games.scripted import ALL, go, names, table

from paddock_games import GAMES, BadPosition, IllegalChoice, Result
from paddock_games.draftosaurus import Choice, State

GAME: Final = GAMES["draftosaurus"]


def zoo(**pens: str) -> dict[str, list[str | None]]:
    """A zoo as people type it, letters standing for species and a dot for a free slot."""
    return {
        pen: [None if letter == "." else names(letter)[0] for letter in inside]
        for pen, inside in pens.items()
    }


def parts(board: str, *zoos: dict[str, list[str | None]], **more: Any) -> list[dict[str, int]]:
    """The points of every zoo by pen, those of nothing left out."""
    found = GAME.score({"board": board, "zoos": list(zoos)} | more)
    return [
        {pen: points for pen, points in score["parts"].items() if points}
        for score in found["scores"]
    ]


@pytest.mark.parametrize(
    ("board", "pen", "points"),
    [
        (
            "SUMMER",
            "FOREST_OF_SAMENESS",
            {"": 0, "D": 2, "DD": 4, "DDD": 8, "D" * 5: 18, "D" * 6: 24},
        ),
        ("SUMMER", "WOODY_TRIO", {"D": 0, "DD": 0, "DDT": 7, "DTS": 7, "DDD": 7}),
        (
            "SUMMER",
            "PRAIRIE_OF_LOVE",
            {"D": 0, "DD": 5, "DDD": 5, "DDDD": 10, "DTDTS": 10, "DTS": 0},
        ),
        ("SUMMER", "MEADOW_OF_DIFFERENCES", {"D": 1, "DT": 3, "DTS": 6, "DTSG": 10, "DTSGP": 15}),
        ("SUMMER", "RIVER", {"": 0, "D": 1, "DDTS": 4}),
        ("WINTER", "WELL_ORDERED_WOOD", {"D": 2, "DT": 4, "DTD": 8, "DTDT": 12, "DTDTDT": 24}),
        ("WINTER", "PYRAMID", {"...": 0, ".D": 2, "D.D": 4, "DTD": 6, "DTSG": 10, "DTS.G": 10}),
        ("WINTER", "PYRAMID", {"DTSGP.": 14, "DTSGPD": 21}),
        ("WINTER", "RIVER", {"DDTS": 4}),
        ("WINTER", "QUARANTINE", {"D": 0}),
        ("WINTER", "LOVERS_BRIDGE_LEFT", {"DDDD": 0}),
        ("WINTER", "LOVERS_BRIDGE_RIGHT", {"DDDD": 0}),
    ],
)
def test_section_5_points_of_a_pen(board: str, pen: str, points: dict[str, int]) -> None:
    for inside, expected in points.items():
        assert parts(board, zoo(**{pen: inside}), {})[0] == ({pen: expected} if expected else {})


@pytest.mark.parametrize(
    ("mine", "theirs", "points"), [(1, 0, 7), (2, 2, 7), (2, 3, 0), (3, 2, 7), (1, 2, 0)]
)
def test_section_5_the_king_pays_unless_somebody_has_more(
    mine: int, theirs: int, points: int
) -> None:
    """D19: in the RIVER or in a pen, every dinosaur of the zoo counts, one's own and others'."""
    for where in ("RIVER", "PRAIRIE_OF_LOVE"):
        king = zoo(KING_OF_THE_JUNGLE="D", RIVER="D" * (mine - 1))
        found = parts("SUMMER", {}, king, zoo(**{where: "D" * theirs}), {})
        assert found[1].get("KING_OF_THE_JUNGLE", 0) == points


def test_d19_the_island_pays_for_the_only_one_in_the_zoo() -> None:
    for other, points in (
        ({}, 7),
        ({"RIVER": "D"}, 0),
        ({"WOODY_TRIO": "TD"}, 0),
        ({"RIVER": "T"}, 7),
    ):
        island = zoo(SOLITARY_ISLAND="D", **other)
        found = parts("SUMMER", island, zoo(RIVER="DDD"))
        assert found[0].get("SOLITARY_ISLAND", 0) == points


def test_d5_d19_the_lookout_sees_the_zoo_on_the_right() -> None:
    """The player on the right of seat i is seat i-1; the one on the right of seat 0 sits last."""
    right = zoo(RIVER="DD", PYRAMID="D", QUARANTINE="D")
    for seats in (3, 4, 5):
        for seat in range(seats):
            zoos = [zoo() for _ in range(seats)]
            zoos[(seat + 1) % seats] = zoo(LOVERS_BRIDGE_LEFT="DDD")  # on the left
            zoos[seat] = zoo(LOOKOUT="D", RIVER="D")
            zoos[seat - 1] = right
            assert parts("WINTER", *zoos)[seat] == {"LOOKOUT": 8, "RIVER": 1}
    assert parts("WINTER", zoo(LOOKOUT="D"), zoo(RIVER="T"))[0] == {}
    assert parts("WINTER", zoo(LOOKOUT="D"), right)[0] == {"LOOKOUT": 8}


def test_d20_a_couple_has_one_on_each_bank() -> None:
    for left, right, points in (("D", "D", 6), ("DD", "D", 6), ("DDT", "DDT", 18), ("DT", "SG", 0)):
        found = parts("WINTER", zoo(LOVERS_BRIDGE_LEFT=left, LOVERS_BRIDGE_RIGHT=right), {})
        assert found[0].get("LOVERS_BRIDGE", 0) == points


def test_d23_a_pen_pays_one_for_its_t_rexes_and_the_river_nothing() -> None:
    summer = zoo(
        PRAIRIE_OF_LOVE="RRR", KING_OF_THE_JUNGLE="R", MEADOW_OF_DIFFERENCES="DR", RIVER="R"
    )
    assert parts("SUMMER", summer, {})[0]["T_REX_BONUS"] == 3
    assert "T_REX_BONUS" not in parts("SUMMER", zoo(RIVER="RRR"), {})[0]
    every = {
        "FOREST_OF_SAMENESS": "R", "WOODY_TRIO": "R", "KING_OF_THE_JUNGLE": "R",
        "PRAIRIE_OF_LOVE": "R", "MEADOW_OF_DIFFERENCES": "R", "SOLITARY_ISLAND": "R",
    }  # fmt: skip
    assert parts("SUMMER", zoo(**every), {})[0]["T_REX_BONUS"] == 6
    for pen in every:
        assert parts("SUMMER", zoo(**{pen: "R"}), {})[0]["T_REX_BONUS"] == 1


def test_d17_d23_each_bank_pays_for_itself() -> None:
    banks = zoo(LOVERS_BRIDGE_LEFT="RR", LOVERS_BRIDGE_RIGHT="R")
    assert parts("WINTER", banks, {})[0] == {"LOVERS_BRIDGE": 6, "T_REX_BONUS": 2}
    rest = zoo(WELL_ORDERED_WOOD="DR", LOOKOUT="R", PYRAMID="R", LOVERS_BRIDGE_LEFT="R")
    assert parts("WINTER", rest, {})[0]["T_REX_BONUS"] == 4


def test_a1_d23_a_quarantined_t_rex_pays_only_where_it_may_stay() -> None:
    kept = zoo(QUARANTINE="R")
    assert parts("WINTER", kept, {}) == [{}, {}]
    assert parts("WINTER", kept, {}, rules={"quarantine_may_stay": True}) == [
        {"T_REX_BONUS": 1},
        {},
    ]
    assert parts("WINTER", kept, {}, rules="polish") == [{"T_REX_BONUS": 1}, {}]


def moving(rules: object = None) -> State:
    """A winter match of three at its end, seats 0 and 2 with a dinosaur in QUARANTINE."""
    state = table("winter", [ALL] * 3, "EMPTY_PEN", rules=rules)
    put = Choice("PLACE", "T_REX", "QUARANTINE")
    state = go(state, {0: put, 2: Choice("PLACE", "DIPLODOCUS", "QUARANTINE")})
    state = go(state, {0: Choice("PLACE", "STEGOSAURUS", "WELL_ORDERED_WOOD")})
    state = go(state, {0: Choice("PLACE", "TRICERATOPS", "PYRAMID", 1)})
    while state.table.phase == "PLACE":
        state = go(state)
    return state


def test_d25_quarantine_is_left_for_a_pen_that_takes_it_whatever_the_die() -> None:
    state = moving()
    assert state.to_move == (0, 2)
    assert state.legal(1) == ()
    assert [str(choice) for choice in state.legal(0)] == [
        "MOVE T_REX in WELL_ORDERED_WOOD",
        "MOVE T_REX in LOOKOUT",
        "MOVE T_REX in LOVERS_BRIDGE_LEFT",
        "MOVE T_REX in LOVERS_BRIDGE_RIGHT",
        "MOVE T_REX in PYRAMID slot 0",
        "MOVE T_REX in PYRAMID slot 2",
        "MOVE T_REX in RIVER",
    ]
    for choice, why in (
        (Choice("MOVE", "T_REX", "QUARANTINE"), "has to leave"),
        (Choice("MOVE", "T_REX", "PYRAMID", 1), "PYRAMID does not take T_REX in slot 1"),
        (Choice("MOVE", "T_REX", "PYRAMID", 3), "PYRAMID does not take T_REX in slot 3"),
        (Choice("MOVE", "DIPLODOCUS", "RIVER"), "is a T_REX, not a DIPLODOCUS"),
        (Choice("MOVE", "T_REX", "WOODY_TRIO"), "not on the WINTER board"),
        (Choice("PLACE", "T_REX", "RIVER"), "it is time to MOVE"),
    ):
        with pytest.raises(IllegalChoice, match=f"^seat 0: .*{why}"):
            go(state, {0: choice})


def test_d25_everybody_moves_at_once_and_only_their_own() -> None:
    state = moving()
    end = go(state, {0: Choice("MOVE", "T_REX", "PYRAMID", 2)})
    assert end.to_move == ()
    assert end.table.zoos[1] == state.table.zoos[1]
    before, after = state.table.zoos[0].as_dict(), end.table.zoos[0].as_dict()
    assert before.pop("QUARANTINE") == ["T_REX"]
    assert after.pop("PYRAMID") == [None, "TRICERATOPS", "T_REX", None, None, None]
    before.pop("PYRAMID")
    assert after == before
    assert "QUARANTINE" not in end.table.zoos[2].as_dict()
    assert end.table.zoos[2].pen("RIVER").size == state.table.zoos[2].pen("RIVER").size + 1
    assert [zoo.size for zoo in end.table.zoos] == [12] * 3


def test_d25_nobody_is_asked_when_nobody_is_there() -> None:
    state = table("winter", [ALL] * 3)
    for _ in range(12):
        assert state.table.phase == "PLACE"
        state = go(state)
    assert state.to_move == ()


def test_a1_the_dinosaur_may_stay_where_the_option_says_so() -> None:
    state = moving({"quarantine_may_stay": True})
    stay = Choice("MOVE", "T_REX", "QUARANTINE")
    assert state.legal(0)[:-1] == moving().legal(0)
    assert state.legal(0)[-1] is stay
    end = go(state, {0: stay})
    assert end.table.zoos[0] == state.table.zoos[0]
    assert end.scores()[0][0].parts["T_REX_BONUS"] == 1
    left = go(state, {0: Choice("MOVE", "T_REX", "LOOKOUT")})
    assert left.scores()[0][0].parts["T_REX_BONUS"] == 1
    assert go(state).scores()[0][0].parts["T_REX_BONUS"] == 0  # the RIVER pays none


def test_d24_ties_go_to_fewer_t_rexes_then_are_shared() -> None:
    assert Result((9, 9, 5), (1, 1, 0)).ranks() == (1, 1, 3)
    assert Result((9, 9, 9), (2, 1, 2)).ranks() == (2, 1, 2)
    assert Result((5, 9, 5, 9, 5), (0, 3, 0, 2, 1)).ranks() == (3, 2, 3, 1, 5)
    assert Result((4, 4), (2, 2)).ranks() == (1, 1)
    assert Result((-1, 0, 3), (0, 0, 9)).ranks() == (3, 2, 1)


def test_d24_the_tie_break_counts_the_river() -> None:
    zoos = [zoo(RIVER="RRDD"), zoo(RIVER="RDDD"), zoo(RIVER="RTTT")]
    found = GAME.score({"board": "SUMMER", "zoos": zoos})
    assert [score["total"] for score in found["scores"]] == [4, 4, 4]
    assert [score["t_rexes"] for score in found["scores"]] == [2, 1, 1]
    assert found["ranks"] == [3, 1, 1]


def test_ranks_a_seat_that_forfeited_is_below_all_that_did_not() -> None:
    result = Result((9, 7, 5, 5), (0, 0, 1, 1))
    assert result.ranks({0}) == (4, 1, 2, 2)
    assert result.ranks([0, 1]) == (3, 4, 1, 1)
    assert result.ranks({2}) == (1, 2, 4, 3)
    assert result.ranks(range(4)) == result.ranks() == (1, 2, 3, 3)


@pytest.mark.parametrize(
    ("board", "zoos"),
    [
        ("SUMMER", [zoo(FOREST_OF_SAMENESS="DT"), {}]),
        ("SUMMER", [zoo(MEADOW_OF_DIFFERENCES="DD"), {}]),
        ("SUMMER", [zoo(WOODY_TRIO="DDDD"), {}]),
        ("SUMMER", [zoo(RIVER="DDDDDDTTTTTTS"), {}]),  # D12
        ("SUMMER", [zoo(RIVER="D" * 6), zoo(RIVER="D" * 5)]),  # D1
        ("SUMMER", [zoo(LOOKOUT="D"), {}]),
        ("SUMMER", [{}]),  # D2
        ("SUMMER", [{}] * 6),
        ("WINTER", [zoo(WELL_ORDERED_WOOD="DTT"), {}]),
        ("WINTER", [zoo(WELL_ORDERED_WOOD="DTS"), {}]),
        ("WINTER", [zoo(PYRAMID="DD"), {}]),  # D22
        ("WINTER", [zoo(PYRAMID="DT.S"), {}]),  # D21
        ("WINTER", [zoo(LOOKOUT="DT"), {}]),
    ],
)
def test_positions_that_no_game_can_reach_are_refused(board: str, zoos: list[Any]) -> None:
    with pytest.raises(BadPosition, match=r"^zoos"):
        GAME.score({"board": board, "zoos": zoos})
