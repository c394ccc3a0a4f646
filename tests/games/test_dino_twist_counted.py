"""How many ways there are from fixed positions of Dino Twist, as recorded (see counting.py)."""

import json
from math import prod
from typing import Any, Final

import pytest
from tests.games.counting import COUNTED, count, position
from tests.games.test_dino_twist_differential import expected

CASES: Final = json.loads(COUNTED["dino_twist"].read_text("utf-8"))
every_case = pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['format']}-{case['seats']}-after-{case['after']}"
)


@every_case
def test_there_are_as_many_ways_as_recorded(case: dict[str, Any]) -> None:
    assert count(position(case), len(case["counts"])) == case["counts"]


@every_case
def test_the_independent_rules_count_the_same(case: dict[str, Any]) -> None:
    state = position(case)
    ways = prod(len(expected(state, seat)) for seat in state.to_move)
    assert ways == case["counts"][0]["sequences"]


def test_the_cases_cover_formats_seats_and_phases() -> None:
    assert {case["format"] for case in CASES} == {"dino-twist", "dino-twist-small"}
    assert {case["seats"] for case in CASES} == {2, 3, 4, 5, 6}
    assert {position(case).table.phase for case in CASES} == {"PLAY", "ATTACK", "DISCARD"}
    for case in CASES:
        assert case["counts"][0]["sequences"] > 1
