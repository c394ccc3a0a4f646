"""Standings: in order, with rank intervals that hold as often as they say."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_ladder.history import rate_history
from paddock_ladder.rating import BadRating, Rating
from paddock_ladder.standing import Place, places
from tests.ladder.reference import PARAMETERS, ranking, ratings


def _hits(table: list[Place], strengths: dict[str, float]) -> int:
    """Intervals that hold the true rank."""
    order = sorted(strengths, key=lambda bot: -strengths[bot])
    return sum(line.best <= 1 + order.index(line.bot) <= line.worst for line in table)


def _holds(hits: int, lines: int, level: float, rounding: float) -> bool:
    """Whether so many hits are what the level says, give or take three binomial errors; whole
    ranks may make it more."""
    error = 3 * math.sqrt(level * (1 - level) / lines)
    return level - error <= hits / lines <= level + error + rounding


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
@pytest.mark.parametrize(
    ("bots", "spread", "sigmas", "rounding"),
    [(6, 6, (0.5, 4), 0.35), (40, 6, (0.5, 3), 0.1), (150, 3, (1, 4), 0.02), (150, 8, (1, 1), 0.1)],
)
def test_intervals_hold_when_the_ratings_are_right(
    level: float, bots: int, spread: float, sigmas: tuple[float, float], rounding: float
) -> None:
    hits = lines = 0
    for seed in range(max(6, 600 // bots)):
        rng = Random(seed)
        table = {
            f"bot{number}": Rating(rng.gauss(25, spread), rng.uniform(*sigmas))
            for number in range(bots)
        }
        strengths = {bot: rng.gauss(*rating) for bot, rating in table.items()}
        lines += bots
        hits += _hits(places(table, level), strengths)
    assert _holds(hits, lines, level, rounding)


def test_intervals_hold_for_bots_of_known_strength_that_played() -> None:
    hits = lines = 0
    for seed in range(8):
        rng = Random(seed)
        strengths = {f"bot{number}": rng.gauss(25, 25 / 3) for number in range(40)}
        played = []
        for _ in range(250):
            who = rng.sample(sorted(strengths), 4)
            played.append((who, ranking(rng, [strengths[bot] for bot in who], PARAMETERS.margin)))
        found = rate_history(played, PARAMETERS)
        table = places(found)
        lines += len(table)
        hits += _hits(table, {bot: strengths[bot] for bot in found})
    assert _holds(hits, lines, 0.9, 0.08)


@given(st.lists(ratings, max_size=12), st.randoms(use_true_random=False))
def test_the_table_is_in_order_and_does_not_depend_on_any(table: list[Rating], rng: Random) -> None:
    given = {f"bot{number}": rating for number, rating in enumerate(table)}
    lines = places(given)
    assert places(dict(rng.sample(list(given.items()), len(given)))) == lines
    for at, line in enumerate(lines, 1):
        assert 1 <= line.best <= line.worst <= len(lines)
        mine = given[line.bot].conservative
        assert line.rank == 1 + sum(other.conservative > mine for other in table) <= at


def test_those_who_are_known_well_and_far_apart_are_where_they_are() -> None:
    lines = places({f"bot{number}": Rating(5.0 * number, 0.1) for number in range(9)})
    assert [(line.best, line.worst) for line in lines] == [(rank, rank) for rank in range(1, 10)]
    assert [line.bot for line in lines] == [f"bot{8 - number}" for number in range(9)]


def test_nobody_knows_where_newcomers_are() -> None:
    lines = places({f"bot{number}": Rating() for number in range(20)})
    assert {(line.rank, line.best, line.worst) for line in lines} == {(1, 1, 20)}
    assert [line.bot for line in lines] == sorted(line.bot for line in lines)


def test_extremes_have_intervals() -> None:
    far = [Rating(1e9, 1e-9), Rating(-1e9, 1e-9), Rating(0, 1e9), Rating(0, 1e-9), Rating(0, 1e-9)]
    lines = places({f"bot{number}": rating for number, rating in enumerate(far)})
    assert lines[0].bot == "bot0"
    assert all(1 <= line.best <= line.worst <= 5 for line in lines)


def test_one_bot_and_none() -> None:
    assert places({}) == []
    (line,) = places({"only": Rating()})
    assert (line.rank, line.best, line.worst) == (1, 1, 1)


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, math.nan])
def test_a_level_that_is_none_is_refused(level: float) -> None:
    with pytest.raises(BadRating, match="level"):
        places({}, level)
