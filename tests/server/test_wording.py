"""Numbers and times as people read them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.basics.wording import counted, digits, lasting, likelihood, listed


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1.0, "0 s"), (0.0, "0 s"), (0.4, "0 s"), (1.0, "1 s"), (59.6, "1 min"), (60.0, "1 min"),
        (200.0, "3 min 20 s"), (3599.7, "1 h"), (3600.0, "1 h"), (5400.0, "1 h 30 min"),
        (7500.0, "2 h 5 min"), (200_000.0, "2 d 7 h"),
        (86_399.0, "1 d"), (90_000.0, "1 d 1 h"), (86_400.0 * 12, "12 d"),
    ],
)  # fmt: skip
def test_a_time_has_its_two_largest_units(seconds: float, text: str) -> None:
    assert lasting(seconds) == text


def test_what_is_counted_is_one_or_several() -> None:
    assert [counted(number, "match", "matches") for number in (0, 1, 2, 1234)] == [
        "0 matches", "1 match", "2 matches", "1,234 matches",
    ]  # fmt: skip


def test_no_chance_reads_as_if_it_were_certain() -> None:
    chances = (0.0, 1e-9, 0.0004, 0.0006, 0.5, 0.9994, 0.9996, 1 - 1e-9, 1.0)
    assert [likelihood(chance) for chance in chances] == [
        "< 0.1", "< 0.1", "< 0.1", "0.1", "50.0", "99.9", "> 99.9", "> 99.9", "> 99.9",
    ]  # fmt: skip


def test_names_are_listed_as_in_a_sentence() -> None:
    assert listed(["ada"]) == "ada"
    assert listed(["ada", "bob"]) == "ada and bob"
    assert listed(["ada", "bob", "cyd"], "or") == "ada, bob or cyd"


@given(st.lists(st.integers(0, 3000), min_size=2), st.integers(1, 3000), st.integers(0, 3))
def test_different_numbers_look_different(numbers: list[int], under: int, least: int) -> None:
    values = sorted(number / under for number in numbers)
    count = digits([None, *values], least)
    assert count >= least
    for one, other in pairwise(values):
        if other - one > 1e-5:
            assert f"{one:.{count}f}" != f"{other:.{count}f}"
