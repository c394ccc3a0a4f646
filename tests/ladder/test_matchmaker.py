"""A ladder mixes its tables, whoever comes, goes, is slow or conspires; and nobody waits long."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.rating import SIGMA, Parameters, Rating
from paddock_ladder.schedules import Seating
from paddock_ladder.schedules.ladder import Lineup
from paddock_ladder.schedules.matchmaker import AT_A_TIME, Matchmaker, RatedFormat
from paddock_ladder.schedules.meetings import AGAIN, BOTS, LEAST, Meetings, freshness
from paddock_ladder.schedules.pace import LAST, Pace
from paddock_ladder.schedules.patience import Patience, Prospect, Waiting
from tests.ladder.arena import Arena, Ended, bots, rated_matches
from tests.ladder.reference import PARAMETERS

SUMMER = Seating("summer", 4, least=3)
DUEL = Seating("two-player", 2)


def opponents(matches: Iterable[Ended]) -> dict[str, set[str]]:
    """Whom each bot met."""
    met: dict[str, set[str]] = defaultdict(set)
    for table, _, _ in matches:
        for one, other in combinations(table.bots, 2):
            met[one].add(other)
            met[other].add(one)
    return met


@pytest.mark.parametrize("at_once", [1, 2, 8])
def test_a_hundred_bots_keep_meeting_others(at_once: int) -> None:
    matches = list(Arena(bots(100, at_once=at_once), (SUMMER,), at_once).matches(1000))
    assert len({frozenset(table.bots) for table, _, _ in matches}) >= 500
    met = opponents(matches)
    assert len(met) == 100
    assert min(map(len, met.values())) >= 25


def uneven(number: int, spread: float, count: int, seed: int, at_once: int = 2) -> list[Ended]:
    """The matches of bots whose strengths lie this far apart; ratings move as matches end."""
    arena = Arena(bots(number, at_once=at_once), (SUMMER,), seed)
    return list(rated_matches(arena, spread, count, seed))


def test_a_hundred_bots_keep_meeting_others_when_their_strengths_differ() -> None:
    """Ratings move as matches end, and pairing by strength does not bring back the same tables."""
    matches = uneven(100, SIGMA, 1000, seed=9)
    assert len({frozenset(table.bots) for table, _, _ in matches}) >= 500
    assert min(map(len, opponents(matches).values())) >= 25


@pytest.mark.parametrize("at_once", [1, 2])
@pytest.mark.parametrize("spread", [0.0, 4.2, 8.3])
def test_twelve_bots_of_unequal_strength_sit_at_many_different_tables(
    spread: float, at_once: int
) -> None:
    """A small field mixes, however far apart its bots lie: of 495 tables at least a hundred."""
    for seed in range(3):
        matches = uneven(12, spread, 150, seed, at_once)
        assert len({frozenset(table.bots) for table, _, _ in matches}) >= 100
        assert min(map(len, opponents(matches).values())) >= 9  # of eleven


def minute(rng: Random) -> float:
    """The seconds of a slow match."""
    return rng.uniform(40, 80)


@pytest.mark.parametrize(("at_once", "idle"), [(1, 0.2), (2, 0.1)])
def test_twelve_bots_mix_when_their_matches_are_slow(at_once: int, idle: float) -> None:
    """Two matches seldom end within two seconds: those who met often wait for the next."""
    for seed in range(2):
        arena = Arena(bots(12, at_once=at_once), (SUMMER,), seed, minute)
        matches = list(rated_matches(arena, 4.2, 150, seed))
        assert len({frozenset(table.bots) for table, _, _ in matches}) >= 100
        assert min(map(len, opponents(matches).values())) >= 9
        assert arena.idle() < idle


@pytest.mark.parametrize(("number", "seating"), [(8, SUMMER), (4, DUEL)])
def test_two_tables_of_slow_matches_mix(number: int, seating: Seating) -> None:
    arena = Arena(bots(number, (seating.format,), at_once=1), (seating,), 1, minute)
    matches = list(arena.matches(60))
    assert min(map(len, opponents(matches).values())) == number - 1
    again = sum(
        set(one.table.bots) == set(other.table.bots)
        for other in matches
        for one in matches
        if one.begun == other.ended
    )
    assert again < 20
    assert arena.idle() < 0.25


def test_nobody_waits_long_while_fresh_opponents_are_free() -> None:
    """Four strong bots met often, four weak ones too; when both are free, they are mixed."""
    matchmaker = Matchmaker([RatedFormat(SUMMER, PARAMETERS)])
    present = bots(40, at_once=1)
    for one in present:
        matchmaker.rated(one.bot, "summer", Rating(25.0, 1.0))
    slow = matchmaker.tables(present, 10, 0.0, 1)
    strong, weak = slow[:2]
    for table, mu in ((strong, 45.0), (weak, 5.0)):
        for bot in table.bots:
            matchmaker.rated(bot, "summer", Rating(mu, 1.0))
        for _ in range(3):
            matchmaker.remember(table.bots)
    matchmaker.ended(strong, 60.0)
    for moment in (60.0, 62.0, 64.0):  # they wait for another match to end
        assert matchmaker.tables(present, 10, moment, 2) == ()
    matchmaker.ended(weak, 65.0)
    begun = matchmaker.tables(present, 10, 65.0, 4)
    assert {bot for table in begun for bot in table.bots} == {*strong.bots, *weak.bots}
    assert {frozenset(strong.bots), frozenset(weak.bots)}.isdisjoint(
        frozenset(table.bots) for table in begun
    )


@pytest.mark.parametrize("at_once", [1, 2])
def test_eight_bots_do_not_stay_at_two_tables(at_once: int) -> None:
    """Half of them are the bots of one table: they wait for others rather than meet again."""
    matches = uneven(8, 4.2, 60, seed=1, at_once=at_once)
    assert min(map(len, opponents(matches).values())) == 7
    assert len({frozenset(table.bots) for table, _, _ in matches}) >= 15


def test_without_waiting_stale_tables_begin_and_a_small_ladder_freezes() -> None:
    """What `bench.mixing --no-waiting` compares with."""
    tables = {}
    for stale_wait in (True, False):
        arena = Arena(
            bots(8, at_once=1), (SUMMER,), 1, lambda rng: rng.uniform(40, 80), stale_wait=stale_wait
        )
        met = {frozenset(one.table.bots) for one in rated_matches(arena, 4.2, 60, 1)}
        tables[stale_wait] = len(met)
    assert tables[True] > 2 * tables[False]


def test_four_bots_in_pairs_all_meet() -> None:
    matches = list(Arena(bots(4, ("two-player",), at_once=1), (DUEL,), 1).matches(30))
    assert min(map(len, opponents(matches).values())) == 3


def test_in_a_large_field_strength_decides_who_meets() -> None:
    """A hundred bots mix, and still meet their like."""
    rng = Random(5)
    arena = Arena(bots(100), (SUMMER,), 5)
    strengths = {one.bot: rng.gauss(25, SIGMA) for one in arena.present}
    for bot, strength in strengths.items():
        arena.matchmaker.rated(bot, "summer", Rating(strength, 1.0))
    distances = [
        abs(strengths[one] - strengths[other])
        for table, _, _ in arena.matches(500)
        for one, other in combinations(table.bots, 2)
    ]
    by_lot = fmean(abs(one - other) for one, other in combinations(strengths.values(), 2))
    assert fmean(distances) < 0.65 * by_lot


def test_a_hundred_bots_in_pairs_meet_many() -> None:
    matches = list(Arena(bots(100, ("two-player",)), (DUEL,), 1).matches(2000))
    assert min(map(len, opponents(matches).values())) >= 20


def test_two_ladders_begin_differently() -> None:
    first = [next(Arena(bots(12), (SUMMER,), seed).matches(1)).table.bots for seed in range(10)]
    assert len({frozenset(some) for some in first}) > 5


def test_bots_come_and_go_and_everybody_plays() -> None:
    arena = Arena(bots(30, at_once=1), (SUMMER,), 3)
    everybody = arena.present
    matches = []
    for number, one in enumerate(arena.matches(600)):
        matches.append(one)
        if number % 20 == 0:  # ten others are away each time
            away = {everybody[(number // 2 + step) % 30].bot for step in range(10)}
            arena.present = [bot for bot in everybody if bot.bot not in away]
    played = Counter(bot for table, _, _ in matches for bot in table.bots)
    assert min(played.values()) > max(played.values()) / 3
    assert min(map(len, opponents(matches).values())) >= 20


def test_nobody_waits_for_a_slow_match_while_others_are_free() -> None:
    """One match in ten never ends; everybody else plays on, and is seated within seconds."""
    arena = Arena(
        bots(16, at_once=1),
        (SUMMER,),
        4,
        lambda rng: 10_000.0 if rng.random() < 0.01 else rng.uniform(0.1, 0.3),
    )
    free_since: dict[str, float] = {}
    for table, begun, ended in arena.matches(200):
        for bot in table.bots:
            assert begun - free_since.get(bot, begun) <= 4.0
            free_since[bot] = ended


def test_at_once_may_differ() -> None:
    present = [one._replace(at_once=1 + at % 3) for at, one in enumerate(bots(20))]
    arena = Arena(present, (SUMMER,), 5)
    intervals: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for table, begun, ended in arena.matches(300):
        for bot in table.bots:
            intervals[bot].append((begun, ended))
    for one in present:
        for begun, _ in intervals[one.bot]:
            beside = [1 for other, end in intervals[one.bot] if other <= begun < end]
            assert len(beside) <= one.at_once


def test_two_who_conspire_are_not_kept_together() -> None:
    """They play nobody but come and go at the same time, just when the other does."""
    arena = Arena(bots(40, at_once=1), (SUMMER,), 6)
    everybody = arena.present
    together = apart = 0
    for table, _, _ in arena.matches(3000):
        pair = {"bot0000", "bot0001"} & set(table.bots)
        together += len(pair) == 2
        apart += len(pair) == 1
        busy = arena.matchmaker._open["bot0000"] + arena.matchmaker._open["bot0001"]
        # Whoever of the two is free waits, unseen, until the other is free as well.
        arena.present = everybody if busy in (0, 2) else everybody[2:]
    assert together * 2 < 0.2 * (together * 2 + apart)  # by chance it were 0.08


def test_a_thousand_bots_are_paired_in_calls_of_some_milliseconds_each() -> None:
    matchmaker = Matchmaker([RatedFormat(SUMMER, PARAMETERS)])
    seated: list[str] = []
    calls = 0
    while tables := matchmaker.tables(bots(1000, at_once=1), 1_000_000, 0.0, calls):
        calls += 1
        assert len(tables) <= AT_A_TIME
        seated += [bot for table in tables for bot in table.bots]
    assert sorted(seated) == [one.bot for one in bots(1000)]
    assert calls == -(-250 // AT_A_TIME)


@settings(max_examples=40, deadline=None)
@given(
    number=st.integers(2, 40),
    at_once=st.integers(1, 3),
    owners=st.integers(1, 40),
    seed=st.integers(0, 10**9),
    formats=st.sampled_from([(SUMMER,), (DUEL,), (SUMMER, DUEL)]),
)
def test_whoever_has_company_plays_and_nobody_waits_long(
    number: int, at_once: int, owners: int, seed: int, formats: tuple[Seating, ...]
) -> None:
    names = [seating.format for seating in formats]
    present = bots(number, names, at_once, min(owners, number))
    least = min(seating.least for seating in formats)
    if len({one.owner for one in present}) < least:
        assert not Matchmaker([RatedFormat(one, PARAMETERS) for one in formats]).tables(
            present, 9, 0.0, seed
        )
        return
    owner = {one.bot: one.owner for one in present}
    last = dict.fromkeys(owner, 0)
    for at, (table, _, _) in enumerate(Arena(present, formats, seed).matches(6 * number), 1):
        assert len({owner[bot] for bot in table.bots}) == len(table.bots)
        last.update(dict.fromkeys(table.bots, at))
    assert min(last.values()) > 0


def test_a_match_that_is_taken_back_leaves_its_bots_free() -> None:
    matchmaker = Matchmaker([RatedFormat(DUEL, PARAMETERS)])
    present = bots(2, ("two-player",), at_once=1)
    (table,) = matchmaker.tables(present, 9, 0.0, 1)
    assert matchmaker.tables(present, 9, 100.0, 1) == ()
    matchmaker.ended(table)
    assert len(matchmaker.tables(present, 9, 100.0, 1)) == 1


def test_ratings_decide_whom_a_bot_meets() -> None:
    matchmaker = Matchmaker([RatedFormat(DUEL, PARAMETERS)])
    present = bots(4, ("two-player",), at_once=1)
    for one, mu in zip(present, (0.0, 40.0, 1.0, 41.0), strict=True):
        matchmaker.rated(one.bot, "two-player", Rating(mu, 2.0))
    tables = matchmaker.tables(present, 9, 0.0, 1)
    assert {frozenset(table.bots) for table in tables} == {
        frozenset(("bot0000", "bot0002")),
        frozenset(("bot0001", "bot0003")),
    }


def test_each_format_goes_by_its_own_constants() -> None:
    """Where luck is large, strength matters little; a format beside it takes no notice of that."""
    rng = Random(3)
    ratings = {one.bot: Rating(rng.gauss(25, 4), 1.0) for one in bots(40)}
    lucky = RatedFormat(SUMMER, Parameters(draw_probability=0.02, beta=400.0))
    strict = RatedFormat(DUEL, Parameters(draw_probability=0.02, beta=2.0))

    def tables(*formats: RatedFormat) -> set[frozenset[str]]:
        matchmaker = Matchmaker(formats)
        matchmaker.rated_again(DUEL.format, ratings)
        present = bots(40, (DUEL.format,), at_once=1)
        return {frozenset(table.bots) for table in matchmaker.tables(present, 99, 0.0, 1)}

    alone = tables(strict)
    assert tables(lucky, strict) == tables(strict, lucky) == alone
    assert tables(RatedFormat(DUEL, lucky.parameters)) != alone


def test_ratings_that_changed_at_once_decide_from_then_on() -> None:
    """All ratings of a format are new, those of others stay, and who has none left is new."""
    matchmaker = Matchmaker([RatedFormat(DUEL, PARAMETERS)])
    present = bots(4, (DUEL.format,), at_once=1)
    names = [one.bot for one in present]
    for bot, mu in zip(names, (0.0, 50.0, 1.0, 50.0), strict=True):
        matchmaker.rated(bot, DUEL.format, Rating(mu, 1.0))
    matchmaker.rated_again("summer", {})
    matchmaker.rated_again(DUEL.format, {names[0]: Rating(50, 1.0), names[1]: Rating(50, 1.0)})
    tables = matchmaker.tables(present, 9, 0.0, 1)
    assert {frozenset(table.bots) for table in tables} == {
        frozenset(names[:2]), frozenset(names[2:]),
    }  # fmt: skip


def test_who_met_lately_meets_others() -> None:
    past = [("bot0000", "bot0001"), ("bot0002", "bot0003"), ("bot0004", "bot0005")]
    again = 0
    for seed in range(100):
        matchmaker = Matchmaker([RatedFormat(DUEL, PARAMETERS)])
        for table in past:
            matchmaker.remember(table)
        tables = matchmaker.tables(bots(6, ("two-player",), at_once=1), 9, 0.0, seed)
        again += len({frozenset(table.bots) for table in tables} & set(map(frozenset, past)))
    assert again < 0.5 * 300 / 5  # without a memory it were one in five


# --- when ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("waiting", "over"),
    [
        (Waiting(4, 100, 24, 0.0), False),
        (Waiting(24, 100, 19, 0.0), True),
        (Waiting(5, 12, 2, 0.0), False),
        (Waiting(6, 12, 2, 0.0), True),
        (Waiting(4, 8, 3, 0.0), False),  # the bots of one table would only meet again
        (Waiting(5, 8, 3, 0.0), True),
        (Waiting(3, 6, 1, 0.0), False),  # a table of four is worth waiting for
        (Waiting(3, 3, 1, 0.0), True),  # but not for bots that are not there
        (Waiting(2, 100, 24, 1.9), False),
        (Waiting(2, 100, 24, 2.0), True),
        (Waiting(1, 100, 0, 0.0), True),
    ],
)
def test_a_ladder_pairs_when_there_is_a_choice_or_time_is_up(waiting: Waiting, over: bool) -> None:
    assert Patience(seats=4).over(waiting) is over


@pytest.mark.parametrize(
    ("table", "waits"),
    [
        (Prospect(stale=2.0, waited=2.0, next_end=10.0, typical=60.0), True),
        (Prospect(stale=2.0, waited=50.0, next_end=9.0, typical=60.0), True),
        (Prospect(stale=2.0, waited=50.0, next_end=11.0, typical=60.0), False),  # in vain
        (Prospect(stale=0.2, waited=2.0, next_end=10.0, typical=60.0), True),
        (Prospect(stale=0.2, waited=2.0, next_end=14.0, typical=60.0), False),  # not that stale
        (Prospect(stale=0.0, waited=2.0, next_end=0.0, typical=60.0), False),
        (Prospect(stale=-1.0, waited=0.0, next_end=0.0, typical=60.0), False),
        (Prospect(stale=2.0, waited=2.0, next_end=math.inf, typical=60.0), False),
        (Prospect(stale=2.0, waited=2.0, next_end=0.1, typical=1.0), False),  # matches are quick
        (Prospect(stale=9.0, waited=299.0, next_end=0.0, typical=3600.0), True),
        (Prospect(stale=9.0, waited=300.0, next_end=0.0, typical=3600.0), False),
    ],
)
def test_a_stale_table_waits_for_a_match_that_ends_soon(table: Prospect, waits: bool) -> None:
    assert Patience(seats=4).waits(table) is waits


# --- pace ---------------------------------------------------------------------------------------


def test_the_pace_of_a_ladder_is_that_of_its_last_matches() -> None:
    pace = Pace()
    ours, theirs = Lineup("summer", ("ada", "bob")), Lineup("winter", ("cyd", "dan"))
    assert pace.typical("summer") == 0.0
    assert pace.next_end(5.0) == math.inf
    for seconds in (1.0, *[10.0] * LAST, 99.0):
        pace.begun(ours, 100.0)
        pace.ended(ours, 100.0 + seconds)
    assert pace.typical("summer") == 10.0
    assert pace.typical("winter") == 0.0
    assert not pace.under_way
    pace.begun(theirs, 200.0)
    assert pace.next_end(200.0) == math.inf  # no match of winter has ended
    pace.begun(ours, 200.0)
    pace.begun(ours, 204.0)
    assert pace.under_way.total() == 3
    assert pace.next_end(205.0) == 5.0
    assert pace.next_end(212.0) == 0.0  # it is late: it may end at any time
    assert pace.next_end(224.0) == math.inf  # both take too long for anybody to wait
    pace.ended(ours, None)  # it is taken back
    assert pace.next_end(205.0) == 9.0
    assert pace.typical("summer") == 10.0


def test_a_match_that_began_before_anybody_looked_says_nothing_of_the_pace() -> None:
    pace = Pace()
    table = Lineup("summer", ("ada", "bob"))
    pace.begun(table, None)
    assert pace.under_way.total() == 1
    assert pace.next_end(5.0) == math.inf
    pace.ended(table, 5.0)
    assert pace.typical("summer") == 0.0
    assert not pace.under_way


# --- meetings -----------------------------------------------------------------------------------


def test_meetings_count_less_with_every_own_match() -> None:
    meetings = Meetings([("ada", "bob"), ("ada", "bob"), *[("ada", "cyd")] * 10])
    met = meetings.lately("ada")
    assert met["bob"] == pytest.approx(0.5 + 0.5**1.1)
    assert met["cyd"] == pytest.approx(sum(0.5 ** (at / 10) for at in range(10)))
    assert meetings.lately("bob")["ada"] == pytest.approx(1 + 0.5**0.1)  # it played no more since
    assert meetings.lately("eve") == {}


def test_every_meeting_makes_a_candidate_less_fresh() -> None:
    met = {"bob": 1.0, "cyd": 0.5}
    assert freshness({}, ["bob", "cyd"]) == freshness(met, ["dan"]) == 1
    assert freshness(met, ["bob"]) == pytest.approx(AGAIN)
    assert freshness(met, ["bob", "cyd", "dan"]) == pytest.approx(AGAIN**1.5)


def test_meetings_take_a_bounded_room() -> None:
    meetings = Meetings()
    for number in range(500):
        meetings.add(("ada", f"other{number}"))
    met = meetings.lately("ada")
    assert list(met) == [f"other{number}" for number in range(500 - len(met), 500)]
    assert len(met) < 60
    assert min(met.values()) >= LEAST
    for number in range(BOTS):
        meetings.add((f"one{number}", f"two{number}"))
    assert meetings.lately("ada") == {}
    assert len(meetings._bots) == BOTS
