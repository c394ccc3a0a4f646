"""Scores, and what ratings expect of them before a match."""

import math
from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest

from paddock_ladder.expectation import expected_scores, scores
from paddock_ladder.rating import BadRating, Parameters, Rating

PARAMETERS = Parameters(0.1)


def some_ratings(seats: int, seed: int) -> list[Rating]:
    rng = Random(seed)
    return [Rating(rng.gauss(25, 5), rng.uniform(0.5, 8)) for _ in range(seats)]


def simulated(ratings: Sequence[Rating], matches: int, seed: int) -> list[float]:
    """The mean score by seat of matches that go as the model says."""
    rng, parameters = Random(seed), PARAMETERS
    totals = [0.0] * len(ratings)
    for _ in range(matches):
        performed = [
            rng.gauss(mu, math.sqrt(sigma**2 + parameters.tau**2 + parameters.beta**2))
            for mu, sigma in ratings
        ]
        for seat, mine in enumerate(performed):
            for other in (performed[each] for each in range(len(ratings)) if each != seat):
                tied = abs(mine - other) <= parameters.margin
                totals[seat] += 0.5 if tied else float(mine > other)
    return [total / matches for total in totals]


@pytest.mark.parametrize(
    ("ranks", "wanted"),
    [
        ((1, 2), [1, 0]),
        ((1, 1), [0.5, 0.5]),
        ((3, 1, 4, 2), [1, 3, 0, 2]),
        ((1, 1, 3, 3), [2.5, 2.5, 0.5, 0.5]),
        ((2, 1, 2, 2, 5), [2, 4, 2, 2, 0]),
        ((1, 1, 1), [1, 1, 1]),
    ],
)
def test_a_score_counts_the_opponents_beaten_and_ties_as_halves(
    ranks: tuple[int, ...], wanted: list[float]
) -> None:
    assert scores(ranks) == wanted


@pytest.mark.parametrize("seats", range(2, 7))
def test_equals_expect_half_of_their_opponents(seats: int) -> None:
    expected = expected_scores([Rating()] * seats, PARAMETERS)
    assert expected == pytest.approx([(seats - 1) / 2] * seats)


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_table_expects_as_much_as_it_can_score(seats: int) -> None:
    for seed in range(20):
        expected = expected_scores(some_ratings(seats, seed), PARAMETERS)
        assert math.fsum(expected) == pytest.approx(seats * (seats - 1) / 2)
        assert all(0 <= each <= seats - 1 for each in expected)


def test_the_expected_score_is_the_mean_of_matches_by_the_model() -> None:
    ratings = [Rating(32, 1), Rating(25, 3), Rating(25, 8), Rating(18, 2)]
    played = simulated(ratings, 20_000, 1)
    assert expected_scores(ratings, PARAMETERS) == pytest.approx(played, abs=0.03)


def test_seats_that_change_places_change_nothing() -> None:
    ratings = some_ratings(4, 5)
    wanted = dict(zip(ratings, expected_scores(ratings, PARAMETERS), strict=True))
    for order in permutations(ratings):
        assert dict(zip(order, expected_scores(order, PARAMETERS), strict=True)) == wanted


def test_nothing_is_too_far_apart_and_nonsense_is_refused() -> None:
    strong, weak = Rating(1e6, 1e-3), Rating(-1e6, 1e-3)
    assert expected_scores([strong, weak], PARAMETERS) == [1.0, 0.0]
    with pytest.raises(BadRating, match="sigma"):
        expected_scores([strong, Rating(25, -1)], PARAMETERS)
