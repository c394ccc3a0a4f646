"""Head to head: means with margins that hold, and one rating from several."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_ladder.duel import Meeting, duel
from paddock_ladder.overall import overall
from paddock_ladder.rating import BadRating, Rating
from paddock_ladder.student import t_chance, t_quantile
from tests.ladder.reference import PARAMETERS, ratings


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062047362), (2, 4.3026527297), (3, 3.1824463053), (10, 2.2281388520),
     (30, 2.0422724563), (1000, 1.9623390808), (1e7, 1.9599642)],
)  # fmt: skip
def test_students_quantiles_are_those_of_the_tables(freedom: float, quantile: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(quantile, rel=1e-7)
    assert t_quantile(0.025, freedom) == pytest.approx(-quantile, rel=1e-7)


@given(st.floats(-50, 50), st.integers(1, 500))
def test_chance_and_quantile_are_each_others_inverse(t: float, freedom: int) -> None:
    chance = t_chance(t, freedom)
    assert t_chance(-t, freedom) == pytest.approx(1 - chance, abs=1e-12)
    if 1e-6 < chance < 1 - 1e-6:
        assert t_quantile(chance, freedom) == pytest.approx(t, abs=1e-5)
    assert t_chance(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-8)  # Cauchy's


def test_a_duel_is_counted_from_the_first_bots_side() -> None:
    found = duel([Meeting(30, 20), Meeting(25, 25), Meeting(10, 14), Meeting(22, 20)])
    assert found[:6] == (4, 4, 2, 1, 1, 2.0)
    assert found.error == pytest.approx(math.sqrt((64 + 4 + 36 + 0) / 3) / 2)
    assert found.margin == pytest.approx(3.1824463 * found.error)
    turned = duel([Meeting(20, 30), Meeting(25, 25), Meeting(14, 10), Meeting(20, 22)])
    assert turned.superiority == pytest.approx(1 - found.superiority)
    assert 0.5 < found.superiority < 0.9


def test_a_block_is_one_measurement() -> None:
    meetings = [
        Meeting(31, 20, "a"),
        Meeting(20, 29, "a"),
        Meeting(40, 20, "b"),
        Meeting(20, 36, "b"),
    ]
    found = duel(meetings)
    assert (found.matches, found.blocks, found.wins, found.losses) == (4, 2, 2, 2)
    assert found.mean == 1.5
    assert found.error == pytest.approx(0.5)  # blocks of 1 and 2; the deals' luck is gone
    assert duel(one._replace(block=None) for one in meetings).error > 5


@pytest.mark.parametrize("blocks", [2, 3, 8])
def test_margins_hold_as_often_as_they_say(blocks: int) -> None:
    rng = Random(blocks)
    trials, hits, ahead = 1500, 0, 0.0
    for _ in range(trials):
        deals = [rng.gauss(0, 20) for _ in range(blocks)]
        meetings = [
            Meeting(rng.gauss(1 + sign * luck, 4), 0, str(deal))
            for deal, luck in enumerate(deals)
            for sign in (1, -1)
        ]
        found = duel(meetings)
        hits += abs(found.mean - 1) <= found.margin
        ahead += found.superiority
    assert abs(hits / trials - 0.95) < 3 * math.sqrt(0.95 * 0.05 / trials)
    assert ahead / trials > 0.5


def test_too_little_says_nothing() -> None:
    assert duel([])[:6] == (0, 0, 0, 0, 0, 0.0)
    for few in ([], [Meeting(9, 1)], [Meeting(9, 1, "a"), Meeting(8, 1, "a")]):
        found = duel(few)
        assert math.isinf(found.error)
        assert math.isinf(found.margin)
        assert found.superiority == 0.5
    assert duel([Meeting(2, 1)] * 2).superiority == 1
    assert duel([Meeting(1, 1)] * 2).superiority == 0.5
    with pytest.raises(BadRating, match="meeting 2"):
        duel([Meeting(1, 2), Meeting(math.nan, 1)])
    with pytest.raises(BadRating, match="level"):
        duel([], 1.5)


@given(ratings, st.integers(1, 6))
def test_more_formats_neither_help_nor_harm(rating: Rating, formats: int) -> None:
    found = overall({f"format{number}": rating for number in range(formats)}, PARAMETERS)
    assert found.mu == pytest.approx(rating.mu, abs=1e-9)
    assert found.sigma == pytest.approx(rating.sigma)


def test_a_format_that_was_never_played_has_no_weight() -> None:
    known = Rating(40, 1.2)
    assert overall({"summer": known, "winter": PARAMETERS.first}, PARAMETERS) == known
    tried = overall({"summer": known, "winter": Rating(24, 8)}, PARAMETERS)
    assert tried.conservative == pytest.approx(known.conservative, abs=0.5)


def test_formats_count_by_what_is_known_there() -> None:
    found = overall({"summer": Rating(30, 1), "winter": Rating(20, 1)}, PARAMETERS)
    assert tuple(found) == pytest.approx((25, 1))
    found = overall({"summer": Rating(30, 1), "winter": Rating(20, 3)}, PARAMETERS)
    assert 28.5 < found.mu < 30
    with pytest.raises(BadRating, match="ratings: the list is empty"):
        overall({}, PARAMETERS)
