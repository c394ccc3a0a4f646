"""The golden positions: tables with their points and ranks, zoos with their legal placements.

Positions and answers were worked out by hand from the rulebooks; their own examples are among
them. Each is read as people type it, and asked again in other words that mean the same.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from paddock_games import GAMES, BadPosition
from paddock_games.draftosaurus.position import read_zoos

GAME: Final = GAMES["draftosaurus"]
GOLDEN: Final = json.loads(
    (Path(__file__).parents[1] / "data" / "golden" / "draftosaurus.json").read_text("utf-8")
)
every_score = pytest.mark.parametrize("case", GOLDEN["score"], ids=lambda case: case["id"])
every_legal = pytest.mark.parametrize("case", GOLDEN["legal"], ids=lambda case: case["id"])


def placements(position: dict[str, Any]) -> set[tuple[str, str, int]]:
    """The legal placements, having checked that none is given twice."""
    found = [(one["species"], one["pen"], one["slot"]) for one in GAME.legal(position)]
    assert len(set(found)) == len(found)
    return set(found)


@every_score
def test_score(case: dict[str, Any]) -> None:
    assert GAME.score(case) == case["expect"]


@every_legal
def test_legal(case: dict[str, Any]) -> None:
    expected = {(one["species"], one["pen"], one["slot"]) for one in case["expect"]}
    assert len(expected) == len(case["expect"])
    assert placements(case) == expected


@every_score
def test_seats_one_chair_on_score_the_same(case: dict[str, Any]) -> None:
    """Section 7, 5: renaming seats cyclically renames scores and ranks."""
    zoos, expect = case["zoos"], case["expect"]
    for by in range(1, len(zoos)):
        turned = GAME.score(case | {"zoos": zoos[by:] + zoos[:by]})
        for key, values in expect.items():
            assert turned[key] == values[by:] + values[:by]


@every_score
def test_a_zoo_is_read_as_it_is_written(case: dict[str, Any]) -> None:
    for zoo, typed in zip(read_zoos(case), case["zoos"], strict=True):
        found = zoo.as_dict()
        assert found.keys() == {pen for pen, inside in typed.items() if any(inside)}
        for pen, inside in found.items():
            in_order = pen in ("PYRAMID", "WELL_ORDERED_WOOD")
            assert (
                inside == typed[pen] if in_order else sorted(map(str, inside)) == sorted(typed[pen])
            )


@every_legal
def test_the_order_and_number_of_equal_dinosaurs_do_not_matter(case: dict[str, Any]) -> None:
    hand = case["hand"]
    assert placements(case | {"hand": hand[::-1]}) == placements(case)
    if len(set(hand)) < len(hand):
        assert placements(case | {"hand": sorted(set(hand))}) == placements(case)
    for species in set(hand):
        alone = {one for one in placements(case) if one[0] == species}
        assert placements(case | {"hand": [species]}) == alone


@every_legal
def test_the_roller_may_do_all_that_the_others_may(case: dict[str, Any]) -> None:
    """D8: and the die makes no difference to the roller."""
    free = placements(case | {"roller": True})
    assert placements(case | {"roller": False}) <= free
    for die in ("WOODLANDS", "GRASSLANDS", "RESTROOMS", "FOOD_COURT", "EMPTY_PEN", "NO_T_REX"):
        assert placements(case | {"roller": True, "die": die}) == free


@every_score
def test_the_default_rules_need_not_be_written(case: dict[str, Any]) -> None:
    assert "rules" not in case
    for rules in ("international", {}, None, {"place_after_reveal": True}):
        assert GAME.score(case | {"rules": rules}) == case["expect"]


@every_score
def test_what_is_misspelt_is_refused(case: dict[str, Any]) -> None:
    for key in ("board", "zoos"):
        with pytest.raises(BadPosition):
            GAME.score({k: value for k, value in case.items() if k != key})
    for wrong in ({"boards": "SUMMER"}, {"board": "SPRING"}, {"rules": {"x": True}}):
        with pytest.raises(BadPosition):
            GAME.score(case | wrong)


def test_every_case_has_its_own_name() -> None:
    names = [case["id"] for kind in GOLDEN.values() for case in kind]
    assert len(set(names)) == len(names) == 32
