"""A bot that does better against one owner than against all others: the standing remembers long."""

import math
from random import Random
from statistics import fmean

import pytest
from bench.feeding import mixed

from paddock_ladder.doubt import Guest, Showing
from paddock_ladder.leaning import RARE, REMEMBERED, Leanings
from paddock_ladder.rating import Parameters, Rating

EVEN = Parameters(draw_probability=0.02)
SAME = Rating(25.0, 1.0)


def meet(leanings: Leanings, ranks: tuple[int, int], other: str = "bob") -> list[float]:
    """How much a match between two equals counts for ada, and for the other."""
    table = [
        Guest("ada", "ada", Showing(ranks[0], SAME)),
        Guest(other, other, Showing(ranks[1], SAME)),
    ]
    return leanings.parts(table, EVEN)


def test_a_few_wins_are_luck_and_many_are_not() -> None:
    leanings = Leanings()
    parts = [meet(leanings, (1, 2))[0] for _ in range(12)]
    assert parts[:4] == [1, 1, 1, 1]
    assert parts[3:] == sorted(parts[3:], reverse=True)
    assert parts[-1] < 0.02


def test_a_match_counts_by_the_chance_that_luck_alone_leans_as_far() -> None:
    """Twelve wins among equals are 12 more than expected, with a variance of 12."""
    leanings = Leanings()
    for _ in range(12):
        meet(leanings, (1, 2))
    wanted = math.erfc(math.sqrt(12 / 2)) / RARE
    assert meet(leanings, (1, 2)) == pytest.approx([wanted, wanted])


def test_what_the_loser_loses_counts_as_little() -> None:
    leanings = Leanings()
    for _ in range(20):
        ada, bob = meet(leanings, (1, 2))
        assert ada == pytest.approx(bob)


def test_honest_matches_in_between_do_not_hide_it() -> None:
    leanings = Leanings()
    rng = Random(1)
    for _ in range(30):
        fed = meet(leanings, (1, 2))[0]
        for other in ("cyd", "dan"):
            honest = meet(leanings, rng.choice([(1, 2), (2, 1)]), other)[0]
    assert fed < 0.01
    assert honest == 1


def test_what_was_expected_is_no_leaning() -> None:
    """A bot that beats a weak one 19 times in 20 does what its rating says."""
    leanings = Leanings()
    strong = Rating(35.0, 1.0)
    for number in range(100):
        first, second = (2, 1) if number % 20 == 10 else (1, 2)
        ada, bob = Showing(first, strong), Showing(second, SAME)
        parts = leanings.parts([Guest("ada", "ada", ada), Guest("bob", "bob", bob)], EVEN)
    assert parts == [1, 1]


def test_what_is_long_ago_is_forgotten() -> None:
    leanings = Leanings()
    for _ in range(30):
        meet(leanings, (1, 2))
    for number in range(REMEMBERED):
        meet(leanings, (1 + number % 2, 2 - number % 2), f"bot{number % 7}")
    assert meet(leanings, (1, 2))[0] == 1


def test_at_a_table_of_four_a_seat_counts_by_the_mean_over_the_others() -> None:
    leanings = Leanings()
    for _ in range(12):
        meet(leanings, (1, 2))
    fed = math.erfc(math.sqrt(12 / 2)) / RARE
    table = [
        Guest(bot, bot, Showing(rank, SAME)) for rank, bot in enumerate(("ada", "bob", "cyd"), 1)
    ]
    ada, bob, cyd = leanings.parts(table, EVEN)
    assert (ada, bob) == pytest.approx((fed**0.5, fed**0.5))
    assert cyd == 1


def test_no_surprise_is_too_large_and_none_too_small() -> None:
    leanings = Leanings()
    far = Rating(2500.0, 1.0)
    table = [Guest("ada", "ada", Showing(1, SAME)), Guest("bob", "bob", Showing(2, far))]
    sure = [Guest("ada", "ada", Showing(2, SAME)), Guest("bob", "bob", Showing(1, far))]
    for _ in range(3):
        for each in (sure, table, sure):
            assert all(0 <= part <= 1 for part in leanings.parts(each, EVEN))


@pytest.mark.parametrize(("honest", "most"), [(1, 1.5), (3, 1.0)])
def test_throwing_in_between_honest_matches_gains_little_on_the_standing(
    honest: int, most: float
) -> None:
    believed, doubted = (
        fmean(mixed(honest, seed, doubt=doubt).standing for seed in range(6))
        for doubt in (False, True)
    )
    assert believed > 1.2
    assert doubted < most
    assert doubted < believed / 2


def test_an_honest_pair_that_meets_every_other_match_is_believed() -> None:
    parts = []
    for seed in range(20):
        rng = Random(f"honest {seed}")
        leanings = Leanings()
        for _ in range(100):
            parts += meet(leanings, rng.choice([(1, 2), (2, 1)]))
            meet(leanings, rng.choice([(1, 2), (2, 1)]), rng.choice(("cyd", "dan")))
    assert fmean(parts) > 0.93
