"""Suspects: exact chances, throwers are found, the innocent are left alone."""

import math
from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_ladder.rating import BadRating, Parameters
from paddock_ladder.suspects import PairResult, at_least, pair_results, suspects
from paddock_ladder.update import rate

LEAGUE = Parameters(draw_probability=0.02)
BOTS = 12


@given(st.lists(st.floats(0, 1), max_size=8), st.integers(0, 9))
def test_the_chance_is_that_of_counting_all_ways(chances: list[float], wins: int) -> None:
    wins = min(wins, len(chances))
    wanted = 0.0
    for results in product((0, 1), repeat=len(chances)):
        if sum(results) >= wins:
            wanted += math.prod(
                chance if won else 1 - chance for chance, won in zip(chances, results, strict=True)
            )
    assert math.isclose(at_least(wins, chances), wanted, abs_tol=1e-12)


def test_tiny_chances_keep_their_digits() -> None:
    assert math.isclose(at_least(60, [0.1] * 60), 1e-60, rel_tol=1e-9)


def league(seed: int, matches: int, *, throws: bool) -> list[PairResult]:
    """Tables of four by lot; bot 1 comes last whenever bot 0 sits there, if it throws."""
    rng = Random(f"league {seed}")
    strengths = [rng.gauss(25, 4) for _ in range(BOTS)]
    ratings = {str(bot): LEAGUE.first for bot in range(BOTS)}
    tables = []
    for _ in range(matches):
        seats = rng.sample(range(BOTS), 4)
        performed = [rng.gauss(strengths[bot], LEAGUE.beta) for bot in seats]
        if throws and {0, 1} <= set(seats):
            performed[seats.index(1)] = min(performed) - 9
        ranks = [1 + sum(other > one for other in performed) for one in performed]
        bots = [str(bot) for bot in seats]
        rated = rate([ratings[bot] for bot in bots], ranks, LEAGUE)
        ratings.update(zip(bots, rated, strict=True))
        tables.append((bots, ranks))
    return [one for bots, ranks in tables for one in pair_results(bots, ranks, ratings, LEAGUE)]


def test_a_thrower_is_named_and_the_innocent_are_not() -> None:
    named: Counter[tuple[str, str]] = Counter()
    for seed in range(5):
        named.update((one.one, one.other) for one in suspects(league(seed, 600, throws=True)))
    assert named.pop(("0", "1")) >= 3
    innocent = sum(named.values())
    for seed in range(5):
        innocent += len(suspects(league(seed, 600, throws=False)))
    assert innocent <= 2


def test_what_is_named_is_told() -> None:
    seen = [PairResult("ada", "bob", 0.5, won=True)] * 30
    seen += [PairResult("bob", "ada", 0.5, won=False)] * 30
    (one,) = suspects(seen)
    assert one == ("ada", "bob", 30, 30, 15.0, 0.5**30)
    assert suspects([]) == []


def test_nonsense_is_refused() -> None:
    with pytest.raises(BadRating, match="chance: 2"):
        suspects([PairResult("ada", "bob", 2, won=True)])
    with pytest.raises(BadRating, match="false_part: 0"):
        suspects([], 0)
