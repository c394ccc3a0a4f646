"""Round robins and gauntlets are balanced, whole or as a sample."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.schedules import BadSchedule, Entries, Seating
from paddock_ladder.schedules.groups import groups_of, in_rounds
from tests.ladder.tournament import made, names


@pytest.mark.parametrize(("bots", "seats"), [(4, 2), (7, 2), (6, 3), (7, 4), (6, 5), (6, 6)])
def test_a_round_robin_has_every_group_in_every_rotation(bots: int, seats: int) -> None:
    entry = Entries(names(bots), (Seating("summer", seats),), blocks=2)
    pairings = made("round-robin", entry).next([]).pairings
    groups = Counter(frozenset(pairing.bots) for pairing in pairings)
    assert groups == {frozenset(group): 2 * seats for group in combinations(entry.bots, seats)}
    sat = Counter((seat, bot) for pairing in pairings for seat, bot in enumerate(pairing.bots))
    assert len(set(sat.values())) == 1


def test_matches_that_are_begun_together_have_different_bots() -> None:
    entry = Entries(names(12), (Seating("summer", 4),), blocks=2, groups=9)
    pairings = made("round-robin", entry).next([]).pairings
    assert {pairing.round for pairing in pairings} == {1, 2, 3}
    for at in range(0, len(pairings), 3):
        bots = [bot for pairing in pairings[at : at + 3] for bot in pairing.bots]
        assert sorted(bots) == sorted(entry.bots)


def test_without_rotations_seats_still_move_on() -> None:
    entry = Entries(names(5), (Seating("summer", 3),), blocks=3, rotations=False)
    pairings = made("round-robin", entry).next([]).pairings
    sat = Counter((seat, bot) for pairing in pairings for seat, bot in enumerate(pairing.bots))
    assert len(set(sat.values())) == 1
    assert len({pairing.block for pairing in pairings}) == len(pairings)


@pytest.mark.parametrize("bots", range(2, 12))
def test_all_pairs_take_the_fewest_rounds(bots: int) -> None:
    rounds = in_rounds(bots, groups_of(bots, 2, None))
    assert len(rounds) == bots - 1 + bots % 2
    assert sorted(pair for now in rounds for pair in now) == list(combinations(range(bots), 2))


@settings(max_examples=40)
@given(bots=st.integers(3, 14), data=st.data())
def test_a_sample_has_everybody_equally_often(bots: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(2, min(6, bots)))
    wanted = data.draw(st.integers(1, 40))
    groups = groups_of(bots, size, wanted)
    sat = Counter(bot for group in groups for bot in group)
    assert len(groups) == wanted
    assert max(sat.values()) - min(sat[bot] for bot in range(bots)) <= 1
    assert all(len(set(group)) == size for group in groups)


@pytest.mark.parametrize(
    ("bots", "size", "groups", "spread"), [(9, 3, 12, 0), (13, 3, 26, 2), (12, 4, 30, 2)]
)
def test_a_sample_has_pairs_about_equally_often(
    bots: int, size: int, groups: int, spread: int
) -> None:
    met = Counter(
        pair for group in groups_of(bots, size, groups) for pair in combinations(group, 2)
    )
    times = [met[pair] for pair in combinations(range(bots), 2)]
    assert max(times) - min(times) <= spread


@pytest.mark.parametrize(("bots", "size"), [(5, 3), (6, 4), (4, 4)])
def test_no_group_comes_again_before_all_have_come(bots: int, size: int) -> None:
    every = list(combinations(range(bots), size))
    twice_and_two = Counter(groups_of(bots, size, 2 * len(every) + 2))
    assert sorted(twice_and_two) == every
    assert all(times in (2, 3, 4) for times in twice_and_two.values())
    assert Counter(groups_of(bots, size, len(every))) == Counter(every)


def test_too_many_groups_are_refused() -> None:
    entry = Entries(names(60), (Seating("summer", 5),))
    with pytest.raises(
        BadSchedule, match=r"^groups: 60 bots make 5,461,512 groups of 5, and the limit is"
    ):
        made("round-robin", entry)
    assert made("round-robin", entry._replace(groups=24)).planned() == 24 * 5


def test_a_gauntlet_has_its_challenger_against_every_group() -> None:
    entry = Entries(names(6), (Seating("summer", 4),), challenger="bot03")
    pairings = made("gauntlet", entry).next([]).pairings
    field = [bot for bot in entry.bots if bot != "bot03"]
    groups = Counter(frozenset(pairing.bots) for pairing in pairings)
    assert groups == {frozenset((*group, "bot03")): 4 for group in combinations(field, 3)}
    assert Counter(p.bots.index("bot03") for p in pairings) == dict.fromkeys(range(4), 10)
