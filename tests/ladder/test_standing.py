"""Standings: in order, with rank intervals that hold as often as they say."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_ladder.history import rate_history
from paddock_ladder.rating import PROVISIONAL, BadRating, Rating
from paddock_ladder.standing import Entry, Standing, standings
from tests.ladder.reference import PARAMETERS, ranking, ratings


def _entry(bot: str, rating: Rating, matches: int = 30) -> Entry:
    return Entry(bot, rating, matches, 20.0 * matches, 3, 0, 0.1)


def _hits(table: list[Standing], strengths: dict[str, float]) -> int:
    """Intervals that hold the true rank."""
    order = sorted(strengths, key=lambda bot: -strengths[bot])
    return sum(line.best <= 1 + order.index(line.entry.bot) <= line.worst for line in table)


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
        hits += _hits(standings([_entry(*one) for one in table.items()], level), strengths)
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
        table = standings([_entry(*one) for one in found.items()])
        lines += len(table)
        hits += _hits(table, {bot: strengths[bot] for bot in found})
    assert _holds(hits, lines, 0.9, 0.08)


@given(st.lists(ratings, max_size=12), st.randoms(use_true_random=False))
def test_the_table_is_in_order_and_does_not_depend_on_any(table: list[Rating], rng: Random) -> None:
    entries = [_entry(f"bot{number}", rating) for number, rating in enumerate(table)]
    lines = standings(entries)
    assert standings(rng.sample(entries, len(entries))) == lines
    for place, line in enumerate(lines, 1):
        assert 1 <= line.best <= line.worst <= len(lines)
        better = sum(
            other.rating.conservative > line.entry.rating.conservative for other in entries
        )
        assert line.rank == 1 + better <= place


def test_those_who_are_known_well_and_far_apart_are_where_they_are() -> None:
    lines = standings([_entry(f"bot{number}", Rating(5.0 * number, 0.1)) for number in range(9)])
    assert [(line.best, line.worst) for line in lines] == [(rank, rank) for rank in range(1, 10)]
    assert [line.entry.bot for line in lines] == [f"bot{8 - number}" for number in range(9)]


def test_nobody_knows_where_newcomers_are() -> None:
    lines = standings([_entry(f"bot{number}", Rating(), 0) for number in range(20)])
    assert {(line.rank, line.best, line.worst) for line in lines} == {(1, 1, 20)}
    assert [line.entry.bot for line in lines] == sorted(line.entry.bot for line in lines)
    assert all(line.entry.provisional for line in lines)
    assert lines[0].entry.points_a_match == 0


def test_extremes_have_intervals() -> None:
    far = [Rating(1e9, 1e-9), Rating(-1e9, 1e-9), Rating(0, 1e9), Rating(0, 1e-9), Rating(0, 1e-9)]
    lines = standings([_entry(f"bot{number}", rating) for number, rating in enumerate(far)])
    assert lines[0].entry.bot == "bot0"
    assert all(1 <= line.best <= line.worst <= 5 for line in lines)


def test_a_place_is_provisional_until_enough_was_played() -> None:
    assert _entry("new", Rating(), PROVISIONAL - 1).provisional
    assert not _entry("old", Rating(), PROVISIONAL).provisional
    assert _entry("old", Rating(), PROVISIONAL).points_a_match == 20


def test_one_bot_and_none() -> None:
    assert standings([]) == []
    (line,) = standings([_entry("only", Rating())])
    assert (line.rank, line.best, line.worst) == (1, 1, 1)


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, math.nan])
def test_a_level_that_is_none_is_refused(level: float) -> None:
    with pytest.raises(BadRating, match="level"):
        standings([], level)
