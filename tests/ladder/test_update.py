"""One match: the package's numbers without ties, no order with them, and extremes."""

import math
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.chain import _STILL, _STILL_PI, chain
from paddock_ladder.rating import BadRating, Parameters, Rating
from paddock_ladder.ties import tied
from paddock_ladder.update import rate
from tests.ladder.reference import (
    EXACT,
    PARAMETERS,
    apart,
    by_every_order,
    package,
    rate_by_package,
    tables,
)


@pytest.mark.parametrize("draw_probability", [0.0, 0.03, 0.1, 0.5])
@pytest.mark.parametrize("backend", [None, EXACT], ids=["as it comes", "exact"])
def test_a_long_history_without_ties_is_the_packages(
    draw_probability: float, backend: object
) -> None:
    rng = Random(7)
    parameters = Parameters(draw_probability=draw_probability)
    env = package(parameters, backend)
    strengths = [rng.gauss(25, 8) for _ in range(25)]
    ours, theirs = [parameters.first] * 25, [parameters.first] * 25
    for _ in range(400):
        who = rng.sample(range(25), rng.randint(2, 6))
        performed = [rng.gauss(strengths[bot], parameters.beta) for bot in who]
        ranks = [1 + sum(other > one for other in performed) for one in performed]
        mine = rate([ours[bot] for bot in who], ranks, parameters)
        other = rate_by_package(env, [theirs[bot] for bot in who], ranks)
        for bot, one, two in zip(who, mine, other, strict=True):
            ours[bot], theirs[bot] = one, two
    assert apart(ours, theirs) < (1e-10 if backend else 1e-5)


@given(
    st.lists(st.builds(Rating, st.floats(-40, 90), st.floats(0.2, 12)), min_size=2, max_size=6),
    st.randoms(use_true_random=False),
)
def test_any_upset_is_rated_as_by_the_package(table: list[Rating], rng: Random) -> None:
    ranks = rng.sample(range(-3, 9), len(table))
    theirs = rate_by_package(package(PARAMETERS), table, ranks)
    assert apart(rate(table, ranks, PARAMETERS), theirs) < 1e-5


@given(st.builds(Rating, st.floats(0, 50), st.floats(0.5, 9)), st.floats(-20, 20))
def test_two_that_tie_are_rated_as_by_the_package(one: Rating, gap: float) -> None:
    table = [one, Rating(one.mu + gap, 3.0)]
    theirs = rate_by_package(package(PARAMETERS), table, [1, 1])
    assert apart(rate(table, [1, 1], PARAMETERS), theirs) < 1e-5


@pytest.mark.parametrize("ranks", [(1, 1, 3), (1, 2, 2), (1, 1, 1), (1, 2, 2, 4), (1, 1, 3, 3)])
@pytest.mark.parametrize("sigma", [25 / 3, 4.0, 1.5])
def test_ties_are_closer_to_the_packages_mean_than_its_own_orders_are(
    ranks: tuple[int, ...], sigma: float
) -> None:
    rng = Random(11)
    env = package(PARAMETERS)
    for _ in range(3):
        table = [Rating(rng.gauss(25, sigma), sigma * rng.uniform(0.7, 1)) for _ in ranks]
        ours = rate(table, ranks, PARAMETERS)
        every = by_every_order(env, table, ranks)
        means = [Rating(*map(fmean, zip(*some, strict=True))) for some in every]
        furthest = max(
            apart([mean], [one]) for mean, some in zip(means, every, strict=True) for one in some
        )
        assert apart(ours, means) < max(furthest, 1e-4)
        assert apart(ours, means) < 0.005


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_seats_that_change_places_change_nothing_else(
    table: tuple[list[Rating], list[int]], rng: Random
) -> None:
    ratings, ranks = table
    rated = rate(ratings, ranks, PARAMETERS)
    order = rng.sample(range(len(ranks)), len(ranks))
    again = rate([ratings[i] for i in order], [ranks[i] for i in order], PARAMETERS)
    assert again == tuple(rated[i] for i in order)  # to the last bit
    for one in range(len(ranks)):
        for other in range(one):
            if (ratings[one], ranks[one]) == (ratings[other], ranks[other]):
                assert rated[one] == rated[other]


@pytest.mark.parametrize("seats", [2, 3, 5, 6, 9])
def test_equals_who_all_tie_stay_equal_and_where_they_are(seats: int) -> None:
    rated = rate([Rating()] * seats, [1] * seats, PARAMETERS)
    assert len(set(rated)) == 1
    assert rated[0].mu == pytest.approx(25, abs=1e-12)
    assert rated[0].sigma < 25 / 3


def test_a_hairs_breadth_makes_no_difference_to_those_who_tie() -> None:
    same = rate([Rating(20, 3)] * 4, [1, 1, 1, 4], PARAMETERS)
    near = rate([Rating(20 + step * 1e-9, 3) for step in range(4)], [1, 1, 1, 4], PARAMETERS)
    assert apart(same, near) < 1e-5


@given(st.lists(st.builds(Rating, st.floats(0, 50), st.floats(0.5, 9)), min_size=2, max_size=5))
def test_groups_of_one_are_the_chain(table: list[Rating]) -> None:
    means, spreads = [one.mu for one in table], [one.sigma**2 for one in table]
    through_groups = tied(means, spreads, range(len(table)), PARAMETERS)
    assert through_groups == chain(means, spreads, PARAMETERS.margin)


@given(tables(most=5))
def test_only_the_order_of_ranks_counts(table: tuple[list[Rating], list[int]]) -> None:
    ratings, ranks = table
    spread_out = [rank * 7 - 20 for rank in ranks]
    assert rate(ratings, ranks, PARAMETERS) == rate(ratings, spread_out, PARAMETERS)


@given(
    st.lists(
        st.tuples(
            st.builds(
                Rating,
                st.sampled_from([-1e9, -2e4, -1e3, 0.0, 25.0, 1e3, 2e4, 1e9]),
                st.sampled_from([1e-9, 1e-4, 0.1, 1.0, 25 / 3, 1e3, 1e6, 1e9]),
            ),
            st.integers(1, 4),
        ),
        min_size=2,
        max_size=6,
    ),
    st.sampled_from([0.0, 1e-9, 0.05, 0.9, 0.999999]),
    st.sampled_from([0.0, 25 / 300]),
)
@settings(max_examples=400)
def test_no_extreme_fails(
    seats: list[tuple[Rating, int]], draw_probability: float, tau: float
) -> None:
    parameters = Parameters(draw_probability=draw_probability, tau=tau)
    before = [rating for rating, _ in seats]
    ranks = [rank for _, rank in seats]
    for old, new in zip(before, rate(before, ranks, parameters), strict=True):
        assert math.isfinite(new.mu)
        assert 0 < new.sigma <= math.hypot(old.sigma, tau) * (1 + 1e-9)


@given(st.floats(-1e3, 1e3), st.booleans())
def test_a_thousand_sigmas_of_surprise(gap: float, tie: bool) -> None:
    weak, strong = rate([Rating(0, 1), Rating(gap, 1)], [1, 1 if tie else 2], PARAMETERS)
    if gap > 1:
        assert weak.mu > 0
        assert strong.mu < gap
        assert weak.mu < strong.mu or gap < 100  # half of it is put down to luck


def test_a_seat_that_forfeits_falls() -> None:
    rated = rate([Rating(30, 3), Rating(20, 3), Rating(20, 3)], [3, 1, 2], PARAMETERS)
    assert rated[0].mu < 30


@pytest.mark.parametrize(
    ("table", "ranks", "sentence"),
    [
        ([Rating()], [1], "two seats or more"),
        ([], [], "two seats or more"),
        ([Rating()] * 2, [1], "a rank for each"),
        ([Rating(), Rating(math.nan)], [1, 2], "mu nan"),
        ([Rating(), Rating(math.inf)], [1, 2], "mu inf"),
        ([Rating(), Rating(25, 0)], [1, 2], "sigma 0"),
        ([Rating(), Rating(25, -1)], [1, 2], "sigma -1"),
        ([Rating(), Rating(25, math.nan)], [1, 2], "sigma nan"),
    ],
)
def test_what_can_not_be_is_refused(table: list[Rating], ranks: list[int], sentence: str) -> None:
    with pytest.raises(BadRating, match=sentence):
        rate(table, ranks, PARAMETERS)


def test_a_sweep_ends_by_the_root_of_pi() -> None:
    """The bound is on pi itself, so that no root is taken."""
    assert math.sqrt(_STILL_PI) <= _STILL < math.sqrt(math.nextafter(_STILL_PI, 1))
