"""The table by points: strengths, their spread and the noise are found, and intervals hold."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.joint import Scored, points_table
from paddock_ladder.rating import BadRating


def scored(
    seed: object, bots: int, matches: int, *, spread: float = 3.0, noise: float = 6.0
) -> tuple[dict[str, float], list[Scored]]:
    """Matches of two to five bots of known strength, every match at a level of its own."""
    rng = Random(f"points {seed}")
    strengths = {f"bot{number:02}": rng.gauss(0, spread) for number in range(bots)}
    played = []
    for _ in range(matches):
        who = rng.sample(sorted(strengths), rng.randint(2, min(5, bots)))
        level = rng.uniform(10, 40)
        points = [level + strengths[bot] + rng.gauss(0, noise) for bot in who]
        played.append(Scored(who, points))
    return strengths, played


def test_spread_noise_and_strengths_are_found() -> None:
    strengths, played = scored(1, 40, 3000)
    table = points_table(played)
    assert math.isclose(table.spread, 3.0, rel_tol=0.3)
    assert math.isclose(table.noise, 6.0, rel_tol=0.03)
    mean = sum(strengths.values()) / len(strengths)
    for line in table.lines():
        assert abs(line.points - (strengths[line.bot] - mean)) < 4.5 * line.error
    assert math.isclose(sum(line.points for line in table.lines()), 0.0, abs_tol=1e-9)


def test_two_bots_by_hand() -> None:
    """The means of differences, drawn to the middle by what the spread says."""
    played = [Scored(("ada", "bob"), (10.0 + at, 6.0)) for at in (-3, -1, 1, 3)] * 5
    table = points_table(played)
    ada, bob = table.lines()
    pull = 2 * table.spread**2 / (2 * table.spread**2 + 2 * table.noise**2 / 20)
    assert (ada.bot, ada.rank, bob.rank) == ("ada", 1, 2)
    assert math.isclose(ada.points, 2.0 * pull, rel_tol=1e-4)
    assert math.isclose(ada.points, -bob.points, rel_tol=1e-9)


def test_intervals_hold() -> None:
    held = bots = 0
    for seed in range(12):
        strengths, played = scored(seed, 30, 300)
        for line in points_table(played).lines():
            truly = 1 + sum(other > strengths[line.bot] for other in strengths.values())
            held += line.best <= truly <= line.worst
            bots += 1
    assert 0.86 < held / bots < 0.98


def test_no_order_of_matches_or_seats_changes_a_bit() -> None:
    rng = Random(5)
    _, played = scored(5, 12, 200)
    found = points_table(played)
    shuffled = []
    for bots, points in rng.sample(played, len(played)):
        seats = rng.sample(range(len(bots)), len(bots))
        order = [bots[seat] for seat in seats]
        shuffled.append(Scored(order, [points[at] for at in seats]))
    again = points_table(iter(shuffled))
    assert again.lines() == found.lines()
    assert (again.posterior.covariance == found.posterior.covariance).all()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=5, unique=True),
            st.lists(st.integers(0, 70), min_size=5, max_size=5),
        ),
        max_size=12,
    )
)
def test_any_matches_make_a_table(matches: list[tuple[list[str], list[int]]]) -> None:
    table = points_table([Scored(bots, points[: len(bots)]) for bots, points in matches])
    assert np.isfinite(table.posterior.mu).all()
    assert [line.rank for line in table.lines()] == list(range(1, len(table.posterior.bots) + 1))
    assert all(line.best <= line.worst for line in table.lines())


def test_everybody_always_has_the_same() -> None:
    table = points_table([Scored(("ada", "bob", "cyd"), (7, 7, 7))] * 9)
    assert {round(line.points, 9) for line in table.lines()} == {0.0}


@pytest.mark.parametrize(
    "wrong",
    [
        Scored(("ada",), (1,)),
        Scored(("ada", "ada"), (1, 2)),
        Scored(("ada", "bob"), (1,)),
        Scored(("ada", "bob"), (1, math.nan)),
    ],
)
def test_what_is_no_match_is_named(wrong: Scored) -> None:
    with pytest.raises(BadRating, match="match 2: "):
        points_table([Scored(("ada", "bob"), (1, 2)), wrong])
