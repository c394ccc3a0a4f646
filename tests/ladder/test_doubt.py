"""Surprises by the same owner say less, and an idle rating becomes less sure."""

import math
from functools import partial
from random import Random

import pytest

from paddock_ladder.doubt import (
    MONTH,
    REMEMBERED,
    Appearance,
    Repeats,
    Showing,
    believed,
    idled,
    surprise,
)
from paddock_ladder.rating import Parameters, Rating
from tests.ladder.reference import PARAMETERS, apart
from tests.ladder.simulated import Climb

EVEN = Parameters(draw_probability=0.02)


def met(*meetings: tuple[str, float]) -> Repeats:
    """What is remembered of a bot that met these owners with these surprises, one in a match."""
    repeats = Repeats()
    for number, (owner, above) in enumerate(meetings):
        repeats.add("mine", Appearance(float(number), [owner], partial(list, [above])))
    return repeats


def part(repeats: Repeats, *owners: str, when: float = 100.0) -> float:
    """How much of the next match counts, with others of these owners at the table."""
    return repeats.part("mine", owners, when)


def test_a_surprise_is_what_was_not_expected() -> None:
    weak, strong = Rating(20.0, 1.0), Rating(30.0, 1.0)
    assert surprise(Showing(1, weak), Showing(2, weak), EVEN) == 1
    assert surprise(Showing(2, weak), Showing(1, weak), EVEN) == -1
    assert surprise(Showing(1, weak), Showing(1, weak), EVEN) == 0
    upset = surprise(Showing(1, weak), Showing(2, strong), EVEN)
    assert 1.8 < upset < 2
    assert math.isclose(surprise(Showing(2, strong), Showing(1, weak), EVEN), -upset)
    assert 0 < surprise(Showing(1, strong), Showing(2, weak), EVEN) < 0.2


def test_surprises_by_one_owner_are_believed_less_and_less() -> None:
    win, loss = ("bob", 1.0), ("bob", -1.0)
    assert part(met(), "bob") == 1
    assert part(met(win), "bob") == part(met(loss), "bob") == 1 / 64
    assert part(met(win, win), "bob") == 3**-6
    assert part(met(win, loss), "bob") == 1  # what was lost again is no gain
    assert part(met(win, win), "cyd") == 1
    assert part(met(*[("bob", 0.25)] * 3), "bob") == 1.75**-6  # little by little


def test_meetings_with_other_owners_vouch_for_a_surprise() -> None:
    win, other = ("bob", 1.0), ("cyd", 1.0)
    assert part(met(win, other), "bob") == 1
    assert part(met(win, win, other), "bob") == 1 / 64
    assert part(met(win, other, ("dan", -1.0)), "bob") == 1
    assert part(met(("bob", 1.75), other), "bob") == 1.75**-6


def test_a_table_counts_by_the_mean_over_the_other_seats() -> None:
    repeats = met(("bob", 1.0), ("bob", 1.0))
    assert part(repeats, "bob", "cyd", "dan") == (1 + 2 / 3) ** -6
    always = Repeats()  # at a table of four each meeting brings two with others
    for number in range(10):
        owners = ("bob", "cyd", "dan")
        always.add("mine", Appearance(float(number), owners, lambda: [1.0] * 3))
    assert part(always, "bob", "cyd", "dan") == 1


def test_a_part_is_what_the_rule_says_whoever_was_met_how_often() -> None:
    """Also where so many others vouch for all that nobody has to look at the surprises."""
    rng = Random(8)
    full = 0
    for _ in range(2000):
        repeats, seats = Repeats(), rng.randint(1, 5)
        lately: list[tuple[str, float]] = []
        for number in range(rng.randint(0, REMEMBERED)):
            owners = rng.choices("abcd", k=seats)
            above = [rng.choice([-2.0, 2.0, rng.uniform(-2, 2)]) for _ in owners]
            repeats.add("mine", Appearance(float(number), owners, partial(list, above)))
            lately += zip(owners, above, strict=True)
        others = rng.choices("abcd", k=seats)
        excess = [
            max(0.0, abs(sum(above for owner, above in lately if owner == one))
                - sum(owner != one for owner, _ in lately))
            for one in others
        ]  # fmt: skip
        expected = (1 + sum(excess) / len(excess)) ** -6
        assert part(repeats, *others) == expected
        full += expected == 1
    assert 200 < full < 1800


def test_meetings_are_forgotten_after_a_month_and_after_three_more() -> None:
    repeats = met(("bob", 1.0), ("bob", 1.0))
    assert part(repeats, "bob", when=MONTH) == 1 / 64
    assert part(repeats, "bob", when=MONTH + 1) == 1
    gone = met(*[("bob", 1.0)] * 20, *[("cyd", 0.0)] * REMEMBERED)
    assert part(gone, "bob") == 1


def test_a_part_of_a_match_is_between_nothing_and_all_of_it() -> None:
    before, after = Rating(25.0, 2.0), Rating(27.0, 1.5)
    assert believed(before, after, 1) == after
    quarter = believed(before, after, 0.25)
    assert math.isclose(quarter.sigma**-2, (3 * 2.0**-2 + 1.5**-2) / 4)
    assert 25 < quarter.mu < 27
    assert apart([believed(before, after, 1e-12)], [before]) < 1e-9


def fed(matches: int, sigma: float, *, doubt: bool) -> float:
    """The most that a bot gains from matches that another owner's bot throws."""
    climb = Climb(dict.fromkeys(("ada", "bob"), Rating(25.0, sigma)), EVEN, doubt=doubt)
    most = 0.0
    for _ in range(matches):
        climb.play(("ada", "bob"), (1, 2))
        most = max(most, climb.live["ada"].mu - 25.0)
    return most


@pytest.mark.parametrize("sigma", [1.0, 1.5, 1.76, 2.2, 2.6, 3.0])
def test_feeding_gains_little_however_unsure_the_bots_are(sigma: float) -> None:
    assert fed(100, sigma, doubt=False) > 4.5
    assert fed(100, sigma, doubt=True) < 1.5


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
