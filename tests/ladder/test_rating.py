"""Ratings and parameters as values, what cut-off beliefs come to, and match quality."""

import math
from random import Random

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from paddock_ladder.quality import quality
from paddock_ladder.rating import BadRating, Parameters, Rating
from paddock_ladder.truncation import tie, win
from tests.ladder.reference import PARAMETERS, package, ratings


def test_a_newcomer_is_the_packages() -> None:
    assert tuple(PARAMETERS.first) == (trueskill.MU, trueskill.SIGMA)
    assert pytest.approx(trueskill.BETA) == PARAMETERS.beta
    assert pytest.approx(trueskill.TAU) == PARAMETERS.tau
    assert PARAMETERS.first.conservative == 0
    margin = trueskill.calc_draw_margin(0.05, 2, package(PARAMETERS))
    assert PARAMETERS.margin == pytest.approx(margin, abs=1e-6)


@given(ratings)
def test_a_new_version_keeps_mu_and_is_less_certain(rating: Rating) -> None:
    mu, sigma = PARAMETERS.inherit(rating)
    assert mu == rating.mu
    assert sigma >= PARAMETERS.sigma / 2
    assert sigma <= PARAMETERS.sigma
    assert sigma > rating.sigma or sigma == PARAMETERS.sigma


@pytest.mark.parametrize(
    "wrong",
    [
        {"draw_probability": -0.1},
        {"draw_probability": 1.0},
        {"draw_probability": math.nan},
        {"mu": math.inf},
        {"sigma": 0.0},
        {"sigma": math.inf},
        {"beta": 0.0},
        {"tau": -1.0},
        {"tau": math.nan},
    ],
)
def test_impossible_parameters_are_refused_by_name(wrong: dict[str, float]) -> None:
    (name,) = wrong
    with pytest.raises(BadRating, match=name):
        Parameters(**{"draw_probability": 0.1, **wrong})


def _moments(low: float, high: float, t: float) -> tuple[float, float]:
    """Mean and variance of N(t, 1) between the two, by Simpson's rule, the peak taken out."""
    peak = min(max(t, low), high)
    # beyond 45 slopes, or 10 widths, there is nothing
    reach = min(10.0, 45 / max(abs(peak - t), 1e-9))
    low, high = max(low, peak - reach), min(high, peak + reach)
    steps = 4000
    points = [low + (high - low) * step / steps for step in range(steps + 1)]
    weights = [1.0, *([4.0, 2.0] * (steps // 2))[:-1], 1.0]
    height = (peak - t) ** 2 / 2
    density = [
        w * math.exp(height - (x - t) ** 2 / 2) for w, x in zip(weights, points, strict=True)
    ]
    total = math.fsum(density)
    mean = math.fsum(d * (x - peak) for d, x in zip(density, points, strict=True)) / total
    variance = (
        math.fsum(d * (x - peak - mean) ** 2 for d, x in zip(density, points, strict=True)) / total
    )
    return peak + mean, variance


@pytest.mark.parametrize("t", [-300, -60, -31, -29, -8, -1, 0, 0.5, 5])
@pytest.mark.parametrize("e", [0.0, 0.03, 1.0])
def test_a_win_cuts_the_normal_off(t: float, e: float) -> None:
    v, w = win(t, e)
    mean, variance = _moments(e, math.inf, t)
    assert t + v == pytest.approx(mean, abs=1e-8, rel=1e-8)
    assert 1 - w == pytest.approx(variance, rel=1e-5)


@pytest.mark.parametrize("t", [-300, -60, -31, -29, -8, -1, 0, 0.5, 5, 29.9, 30.1, 1000])
@pytest.mark.parametrize("e", [1e-5, 0.9e-3, 1.1e-3, 0.03, 0.5, 3.0])
def test_a_tie_cuts_it_off_on_both_sides(t: float, e: float) -> None:
    v, w = tie(t, e)
    mean, variance = _moments(-e, e, t)
    assert t + v == pytest.approx(mean, abs=2e-3 * min(e, 1 / max(1, abs(t))))
    assert 1 - w == pytest.approx(max(variance, 1e-10), rel=1e-2 if abs(t) > 30 else 1e-4)


@given(st.floats(-1e9, 1e9), st.floats(1e-9, 1e6))
def test_v_and_w_are_always_numbers_that_can_be_used(t: float, e: float) -> None:
    for v, w in (win(t, e), tie(t, e)):
        assert math.isfinite(v)
        assert 0 <= w < 1


@given(st.lists(ratings, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_quality_is_the_packages_whatever_the_order(table: list[Rating], rng: Random) -> None:
    ours = quality(table, PARAMETERS)
    theirs = package(PARAMETERS).quality([(trueskill.Rating(*one),) for one in table])
    assert ours == pytest.approx(theirs, abs=1e-9)
    assert quality(rng.sample(table, len(table)), PARAMETERS) == ours


def test_quality_of_equals_that_are_known_is_one() -> None:
    assert quality([Rating(25, 1e-9)] * 4, PARAMETERS) == pytest.approx(1)
    assert quality([Rating(0, 1), Rating(1e6, 1)], PARAMETERS) == 0
    with pytest.raises(BadRating, match="two seats or more"):
        quality([Rating()], PARAMETERS)
