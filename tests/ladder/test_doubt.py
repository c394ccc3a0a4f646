"""Matches among the same owners say less, and an idle rating becomes less sure."""

import math

from paddock_ladder.doubt import DAY, MONTH, Repeats, believed, idled
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.update import rate
from tests.ladder.reference import PARAMETERS, apart


def test_meetings_of_owners_count_for_a_day() -> None:
    repeats = Repeats()
    repeats.add(("ada", "bob", "cyd"), 0.0)
    repeats.add(("bob", "ada"), 10.0)
    assert repeats.of(("ada", "bob"), 20.0) == 2
    assert repeats.of(("cyd", "bob"), 20.0) == 1
    assert repeats.of(("ada", "bob", "dan"), 20.0) == 2 / 3
    assert repeats.of(("ada", "bob"), DAY) == 1
    assert repeats.of(("ada", "bob"), DAY + 10.0) == 0
    assert repeats.of(("ada",), 0.0) == 0
    assert not repeats._sittings
    assert not repeats._pairs


def test_a_part_of_a_match_is_between_nothing_and_all_of_it() -> None:
    before, after = Rating(25.0, 2.0), Rating(27.0, 1.5)
    assert believed(before, after, 0) == after
    quarter = believed(before, after, 5)
    assert math.isclose(quarter.sigma**-2, (3 * 2.0**-2 + 1.5**-2) / 4)
    assert 25 < quarter.mu < 27
    never = believed(before, after, 1e12)
    assert apart([never], [before]) < 1e-9


def fed(matches: int, *, doubt: bool) -> float:
    """What a bot gains when another owner's bot throws so many matches, all in one night."""
    parameters = Parameters(draw_probability=0.02)
    winner = loser = Rating(25.0, 1.0)
    repeats = Repeats()
    for number in range(matches):
        often = repeats.of(("ada", "bob"), float(number)) if doubt else 0
        repeats.add(("ada", "bob"), float(number))
        won, lost = rate([winner, loser], [1, 2], parameters)
        winner, loser = believed(winner, won, often), believed(loser, lost, often)
    return winner.mu - 25.0


def test_feeding_gains_little() -> None:
    assert fed(100, doubt=False) > 4.5
    assert fed(100, doubt=True) < 1.0
    assert fed(10_000, doubt=True) < 1.0  # in one night, however many


def test_idle_bots_are_less_sure_by_and_by() -> None:
    rating = Rating(30.0, 1.0)
    after = idled(rating, MONTH, PARAMETERS)
    assert after.mu == 30
    assert math.isclose(after.sigma, math.hypot(1.0, PARAMETERS.sigma / 4))
    assert idled(rating, 0.0, PARAMETERS) == rating
    assert idled(rating, 1e12, PARAMETERS) == Rating(30.0, PARAMETERS.sigma)
    halves = idled(idled(rating, MONTH / 2, PARAMETERS), MONTH / 2, PARAMETERS)
    assert math.isclose(halves.sigma, after.sigma)
    assert idled(Rating(25.0, 20.0), MONTH, PARAMETERS).sigma == 20
