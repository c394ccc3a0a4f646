"""Matches against the same owner say less, and an idle rating becomes less sure."""

import math

import pytest

from paddock_ladder.doubt import MONTH, Repeats, believed, idled
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.update import rate
from tests.ladder.reference import PARAMETERS, apart


def met(*owners: str) -> Repeats:
    """What is remembered of ada's bot, which met these owners, one in a match."""
    repeats = Repeats()
    for number, owner in enumerate(owners):
        repeats.add(("a1", f"{owner[0]}{number}"), ("ada", owner), float(number))
    return repeats


def part(repeats: Repeats, owner: str, when: float = 100.0) -> float:
    """How much of ada's next match with a bot of this owner counts for her."""
    return repeats.parts(("a1", "new"), ("ada", owner), when)[0]


def test_a_match_counts_less_the_more_of_a_bots_matches_were_with_its_owner() -> None:
    assert part(met(), "bob") == 1
    assert part(met("bob"), "bob") == 1 / 16
    assert part(met("bob", "bob"), "bob") == 1 / 81
    assert part(met("bob", "bob"), "cyd") == 1
    assert part(met("bob", "bob", "cyd"), "bob") == (1 + 1.5) ** -4
    assert part(met("bob", "cyd", "dan"), "bob") == 1  # a third is as it should be


def test_each_seat_counts_its_own_matches() -> None:
    repeats = met("bob", "bob")
    mine, theirs = repeats.parts(("a1", "b0"), ("ada", "bob"), 100.0)
    assert (mine, theirs) == (1 / 81, 1 / 16)
    assert repeats.parts(("a1", "b7"), ("ada", "bob"), 100.0) == [1 / 81, 1.0]


def test_a_table_counts_by_the_mean_over_the_other_seats() -> None:
    repeats = met("bob", "bob")
    parts = repeats.parts(("a1", "b7", "c7", "d7"), ("ada", "bob", "cyd", "dan"), 100.0)
    assert parts[0] == (1 + 2 / 3) ** -4
    assert parts[1:] == [1.0] * 3
    always = Repeats()  # the same four for ever: a third each
    for number in range(50):
        always.add("abcd", "ABCD", float(number))
    assert always.parts("abcd", "ABCD", 50.0) == [1.0] * 4


def test_meetings_are_forgotten_after_a_month_and_after_a_five_more() -> None:
    repeats = met("bob", "bob")
    assert part(repeats, "bob", MONTH) == 1 / 16
    assert part(repeats, "bob", MONTH + 1) == 1
    assert part(met("bob", "bob", "bob", "cyd", "dan", "eve"), "bob") == (1 + 0.5) ** -4
    assert part(met("bob", "bob", "bob", "cyd", "dan", "eve", "cyd"), "bob") == 1


def test_a_part_of_a_match_is_between_nothing_and_all_of_it() -> None:
    before, after = Rating(25.0, 2.0), Rating(27.0, 1.5)
    assert believed(before, after, 1) == after
    quarter = believed(before, after, 0.25)
    assert math.isclose(quarter.sigma**-2, (3 * 2.0**-2 + 1.5**-2) / 4)
    assert 25 < quarter.mu < 27
    assert apart([believed(before, after, 1e-12)], [before]) < 1e-9


def fed(matches: int, sigma: float, *, doubt: bool) -> float:
    """The most that a bot gains from matches that another owner's bot throws."""
    parameters = Parameters(draw_probability=0.02)
    winner = loser = Rating(25.0, sigma)
    repeats = Repeats()
    most = 0.0
    for number in range(matches):
        table = ("a1", "b1"), ("ada", "bob"), float(number)
        parts = repeats.parts(*table) if doubt else [1.0, 1.0]
        repeats.add(*table)
        won, lost = rate([winner, loser], [1, 2], parameters)
        winner, loser = believed(winner, won, parts[0]), believed(loser, lost, parts[1])
        most = max(most, winner.mu - 25.0)
    return most


@pytest.mark.parametrize("sigma", [1.0, 1.5, 1.76, 2.2, 2.6, 3.0])
def test_feeding_gains_little_however_unsure_the_bots_are(sigma: float) -> None:
    assert fed(100, sigma, doubt=False) > 4.5
    assert fed(100, sigma, doubt=True) < 1.5
    assert fed(300, sigma, doubt=True) < 1.5


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
