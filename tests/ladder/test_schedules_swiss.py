"""Swiss: neighbours meet, repeats and byes are as few as can be, the standing is as stated."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.schedules import Entries, Pairing, Seating, declare
from paddock_ladder.schedules.arrangement import Arrangement
from paddock_ladder.schedules.staged import Stage
from paddock_ladder.schedules.swiss import Swiss
from paddock_ladder.schedules.tables import Record, point_shares, rank_scores, records, table_sizes
from tests.ladder.tournament import ended, finished, made, names


def ways(free: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to seat everybody."""
    if not sizes:
        yield []
        return
    first, *rest = free
    for size in set(sizes):
        for mates in combinations(rest, size - 1):
            table = (first, *mates)
            others = list(sizes)
            others.remove(size)
            for way in ways([one for one in free if one not in table], others):
                yield [table, *way]


@settings(max_examples=60, derandomize=True)  # the search promises much, not all
@given(data=st.data())
def test_repeats_are_as_few_as_an_exhaustive_search_finds(data: st.DataObject) -> None:
    bots = data.draw(st.integers(4, 8))
    sizes = table_sizes(bots, data.draw(st.integers(2, 4)), 2)
    playing = sum(sizes)
    met = [[0] * playing for _ in range(playing)]
    for one, other in combinations(range(playing), 2):
        met[one][other] = met[other][one] = data.draw(st.sampled_from([0, 0, 1, 1, 2]))
    arrangement = Arrangement(sizes, met)
    arrangement.improve()
    assert sorted(map(len, arrangement.tables)) == sorted(sizes)
    assert sorted(place for table in arrangement.tables for place in table) == [*range(playing)]
    least = min(
        sum(met[one][other] for table in way for one, other in combinations(table, 2))
        for way in ways(range(playing), sizes)
    )
    assert arrangement.clashes() == least


@pytest.mark.parametrize(("bots", "seats", "rounds"), [(8, 2, 4), (13, 2, 6), (32, 4, 5)])
@pytest.mark.parametrize("seed", range(5))
def test_nobody_meets_twice_while_there_are_others(
    bots: int, seats: int, rounds: int, seed: int
) -> None:
    entry = Entries(names(bots), (Seating("summer", seats),), rounds=rounds, rotations=False)
    history = finished(made("swiss", entry), seed)
    met = Counter(pair for o in history for pair in combinations(sorted(o.bots), 2))
    assert set(met.values()) == {1}


def test_neighbours_in_the_standing_meet() -> None:
    """With nobody met before, the tables are the standing cut in pieces."""
    arrangement = Arrangement((4, 4, 3), [[0] * 11 for _ in range(11)])
    arrangement.improve()
    assert arrangement.tables == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10]]


def test_who_met_is_parted_at_the_smallest_distance() -> None:
    met = [[0] * 6 for _ in range(6)]
    met[0][1] = met[1][0] = 1
    arrangement = Arrangement((2, 2, 2), met)
    arrangement.improve()
    assert [sorted(table) for table in sorted(arrangement.tables, key=min)] in (
        [[0, 2], [1, 3], [4, 5]],
        [[0, 3], [1, 2], [4, 5]],
    )


@pytest.mark.parametrize(
    ("bots", "seats", "least", "sizes"),
    [
        (12, 4, 2, (4, 4, 4)),
        (11, 4, 3, (4, 4, 3)),
        (9, 4, 3, (3, 3, 3)),
        (11, 4, 4, (4, 4)),
        (5, 4, 2, (4,)),
        (7, 2, 2, (2, 2, 2)),
        (5, 3, 2, (3, 2)),
        (5, 3, 3, (3,)),
        (6, 6, 2, (6,)),
    ],
)
def test_tables_are_full_or_one_short_or_there_are_byes(
    bots: int, seats: int, least: int, sizes: tuple[int, ...]
) -> None:
    assert table_sizes(bots, seats, least) == sizes


def test_byes_go_round_from_below() -> None:
    entry = Entries(names(7), (Seating("two-player", 2),), rounds=7)
    history = finished(made("swiss", entry))
    byes = [
        set(entry.bots).difference(*(o.bots for o in history if o.round == number))
        for number in range(1, 8)
    ]
    assert byes[0] == {"bot06"}  # nothing is known yet, so the last of the seeding
    assert sorted(bot for resting in byes for bot in resting) == sorted(entry.bots)


def test_the_first_round_keeps_the_best_seeds_apart() -> None:
    entry = Entries(names(11), (Seating("summer", 4),), rounds=1, rotations=False)
    tables = [set(p.bots) for p in made("swiss", entry).next([]).pairings]
    assert tables == [
        {"bot00", "bot03", "bot06", "bot09"},
        {"bot01", "bot04", "bot07", "bot10"},
        {"bot02", "bot05", "bot08"},
    ]


def test_no_next_round_before_the_last_match_of_this_one() -> None:
    entry = Entries(names(8), (Seating("summer", 4),), rounds=3)
    schedule = made("swiss", entry)
    history = finished(schedule)
    rounds = Counter(outcome.round for outcome in history)
    assert rounds == {1: 8, 2: 8, 3: 8}
    for cut in range(len(history)):
        assert {p.round for p in schedule.next(history[:cut]).pairings} == {cut // 8 + 1}


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6))
def test_scores_of_a_table_average_one_half(totals: list[int]) -> None:
    ranks = tuple(1 + sum(other > total for other in totals) for total in totals)
    scores = rank_scores(ranks)
    assert sum(scores) == Fraction(len(totals), 2)
    assert all(0 <= score <= 1 for score in scores)
    assert sum(point_shares(totals)) == len(totals)
    for (one, a), (other, b) in combinations(zip(totals, scores, strict=True), 2):
        assert (one > other) == (a > b)


def test_scores_by_rank() -> None:
    assert [*rank_scores((1, 2, 3))] == [1, Fraction(1, 2), 0]
    assert [*rank_scores((1, 1, 3, 4))] == [Fraction(5, 6), Fraction(5, 6), Fraction(1, 3), 0]


def test_a_declared_match_counts_for_the_score_alone() -> None:
    played, away = ended(duel("1", "a", "b"), 10, 30), declare(duel("2", "a", "b"), ["b"])
    half = Fraction(1, 2)
    assert records([played, away]) == {"a": (half, half), "b": (half, Fraction(3, 2))}
    assert records([away]) == {
        "a": Record(Fraction(1), Fraction()),
        "b": Record(Fraction(), Fraction()),
    }


def duel(key: str, one: str, other: str) -> Pairing:
    return Pairing(key, "two-player", (one, other), key, 1)


def test_the_standing_is_by_score_opponents_share_and_seed() -> None:
    """Five bots, two rounds, worked by hand; e rests in the first round, d in the second."""
    entry = Entries(tuple("abcde"), (Seating("two-player", 2),), rounds=2, rotations=False)
    past = (
        Stage(
            (("a", "b"), ("c", "d")),
            (ended(duel("1", "a", "b"), 20, 10), ended(duel("2", "c", "d"), 30, 30)),
        ),
        Stage(
            (("a", "c"), ("b", "e")),
            (ended(duel("3", "a", "c"), 10, 20), ended(duel("4", "b", "e"), 10, 10)),
        ),
    )
    half = Fraction(1, 2)
    swiss = Swiss(entry, entry.formats[0])
    assert swiss.standings(past) == {
        "a": (1, 1, (Fraction(4, 3) + Fraction(2, 3)) / 2, 0),
        "b": (half, 1, (Fraction(2, 3) + 1) / 2, -1),
        "c": (1 + half, 1, (1 + Fraction(4, 3)) / 2, -2),
        "d": (1, Fraction(3, 2), 1, -3),
        "e": (1, half, 1, -4),
    }
    places = swiss.places_after(past, ())
    assert [(line.bot, line.place, line.shared) for line in places] == [
        ("c", 1, False), ("d", 2, False), ("a", 3, False), ("e", 4, False), ("b", 5, False),
    ]  # fmt: skip
    assert places[1].numbers == (1, Fraction(3, 2), 1)
