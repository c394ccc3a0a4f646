"""The careful player's tables: learned alike from the same number, and exact in whole numbers."""

from random import Random

import pytest
from bench.promises import Columns, key_of, learn

from paddock_games import FORMATS
from paddock_games.draftosaurus.promises import LEARNED, PROMISES, SCALE, TURNS

FORM = FORMATS["two-player-winter"]


def test_the_same_number_learns_the_same_table() -> None:
    start = LEARNED["WINTER", False]
    once, again, other = (learn(FORM, start, 3, Random(seed)) for seed in (1, 1, 2))
    assert once == again != other
    assert list(once) == list(start)
    assert all(len(once[pen].states) == len(start[pen].states) for pen in start)


def test_a_table_survives_the_way_to_numbers_and_back() -> None:
    for pens in LEARNED.values():
        columns = Columns(pens)
        assert columns.learned(columns.solution(pens)) == pens


def test_two_players_have_tables_of_their_own() -> None:
    assert key_of(FORM) == ("WINTER", True)
    for board in ("SUMMER", "WINTER"):
        assert LEARNED[board, True] != LEARNED[board, False]


@pytest.mark.parametrize("key", LEARNED, ids=str)
def test_promises_are_the_learned_points_in_parts(key: tuple[str, bool]) -> None:
    for turns, pens in enumerate(PROMISES[key]):  # type: ignore[index]
        x = turns / TURNS
        for name, promise in pens.items():
            learned = LEARNED[key][name]  # type: ignore[index]
            for (a, b), parts in zip(learned.states, promise.states, strict=True):
                assert parts / SCALE == pytest.approx(x * (a + b * x) / 10, abs=1e-9)
    assert len(PROMISES[key]) == TURNS + 1  # type: ignore[index]
