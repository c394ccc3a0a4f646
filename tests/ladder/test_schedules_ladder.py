"""The ladder pairs by quality, starves nobody, and keeps an owner's bots apart."""

from collections.abc import Sequence
from math import exp
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.rating import Rating
from paddock_ladder.schedules import BadSchedule, Seating
from paddock_ladder.schedules.ladder import Candidate, Lineup, pair

SUMMER = Seating("summer", 4, least=3)
DUEL = Seating("two-player", 2)


def quality(_format: str, ratings: Sequence[Rating]) -> float:
    """Close ratings make good matches; all that a ladder needs to know."""
    mus = [rating.mu for rating in ratings]
    return exp(-(((max(mus) - min(mus)) / 8) ** 2))


@st.composite
def pools(draw: st.DrawFn) -> list[Candidate]:
    number = draw(st.integers(1, 14))
    owners = draw(st.integers(1, 6))
    pool = []
    for at in range(number):
        rating = Rating(draw(st.floats(0, 50)), draw(st.floats(0.5, 9)))
        formats = draw(st.sampled_from([["summer"], ["two-player"], ["summer", "two-player"]]))
        pool.append(
            Candidate(
                f"bot{at}",
                f"owner{draw(st.integers(1, owners))}",
                dict.fromkeys(formats, rating),
                draw(st.integers(0, 5)),
                draw(st.integers(0, 50)),
            )
        )
    return pool


def seatable(one: Candidate, pool: Sequence[Candidate], owners_may_meet: bool) -> bool:
    """Whether there is company enough for this bot in one of its formats."""
    for seating in (SUMMER, DUEL):
        others = [
            other
            for other in pool
            if other.bot != one.bot and {seating.format} <= set(one.ratings) & set(other.ratings)
        ]
        free = [other for other in others if owners_may_meet or other.owner != one.owner]
        company = len(free if owners_may_meet else {other.owner for other in free})
        if company >= seating.least - 1:
            return True
    return False


@settings(max_examples=60)
@given(pool=pools(), tables=st.integers(1, 3), seed=st.integers(0, 99), meet=st.booleans())
def test_everybody_plays_within_as_many_calls_as_there_are_bots(
    pool: list[Candidate], tables: int, seed: int, meet: bool
) -> None:
    pool = [one._replace(waited=0) for one in pool]
    last = dict.fromkeys([one.bot for one in pool if seatable(one, pool, meet)], 0)
    for call in range(1, 3 * len(pool) + 1):
        made = pair(pool, (SUMMER, DUEL), quality, tables, seed + call, owners_may_meet=meet)
        seated = {bot for table in made for bot in table.bots}
        assert bool(seated) == bool(last)
        assert seated <= last.keys()
        pool = [
            one._replace(
                waited=0 if one.bot in seated else one.waited + 1,
                played=one.played + (one.bot in seated),
            )
            for one in pool
        ]
        for bot in last:
            if bot in seated:
                last[bot] = call
            assert call - last[bot] < len(pool), f"{bot} starves"


@settings(max_examples=60)
@given(pool=pools(), tables=st.integers(0, 5), seed=st.integers(0, 99), meet=st.booleans())
def test_tables_are_as_promised(pool: list[Candidate], tables: int, seed: int, meet: bool) -> None:
    made = pair(pool, (SUMMER, DUEL), quality, tables, seed, owners_may_meet=meet)
    by_name = {one.bot: one for one in pool}
    seated = [bot for table in made for bot in table.bots]
    assert len(made) <= tables
    assert len(set(seated)) == len(seated)
    for table in made:
        low, high = (3, 4) if table.format == "summer" else (2, 2)
        assert low <= len(table.bots) <= high
        assert all(table.format in by_name[bot].ratings for bot in table.bots)
        if not meet:
            assert len({by_name[bot].owner for bot in table.bots}) == len(table.bots)
    shuffled = list(pool)
    Random(seed).shuffle(shuffled)
    assert made == pair(shuffled, (SUMMER, DUEL), quality, tables, seed, owners_may_meet=meet)


@settings(max_examples=60)
@given(pool=pools(), seed=st.integers(0, 99), meet=st.booleans())
def test_who_waits_longest_is_seated(pool: list[Candidate], seed: int, meet: bool) -> None:
    able = [one for one in pool if seatable(one, pool, meet)]
    made = pair(pool, (SUMMER, DUEL), quality, 1, seed, owners_may_meet=meet)
    assert bool(made) == bool(able)
    if able:
        waits = {one.bot: one.waited for one in pool}
        assert max(waits[bot] for bot in made[0].bots) == max(one.waited for one in able)


def candidates(*mus: float, sigma: float = 2.0) -> list[Candidate]:
    return [
        Candidate(f"bot{at}", f"owner{at}", {"two-player": Rating(mu, sigma)}, 0)
        for at, mu in enumerate(mus)
    ]


@pytest.mark.parametrize("seed", range(10))
def test_equals_meet(seed: int) -> None:
    made = pair(candidates(0, 40, 1, 41), (DUEL,), quality, 2, seed)
    assert {frozenset(table.bots) for table in made} == {
        frozenset(("bot0", "bot2")),
        frozenset(("bot1", "bot3")),
    }


def test_equals_do_not_always_meet_the_same() -> None:
    pool = candidates(*[25] * 6)
    met = {frozenset(pair(pool, (DUEL,), quality, 1, seed)[0].bots) for seed in range(60)}
    assert len(met) > 10


def test_who_is_little_known_goes_first() -> None:
    pool = candidates(20, 20, 20, 20)
    pool[2] = pool[2]._replace(ratings={"two-player": Rating(20, 8.0)})
    assert all("bot2" in pair(pool, (DUEL,), quality, 1, seed)[0].bots for seed in range(20))


def test_a_thin_pool_makes_a_smaller_table_and_takes_whom_there_is() -> None:
    apart = [
        one._replace(ratings={"summer": one.ratings["two-player"]}) for one in candidates(0, 25, 50)
    ]
    (table,) = pair(apart, (SUMMER,), quality, 5, 1)
    assert sorted(table.bots) == ["bot0", "bot1", "bot2"]
    assert pair(apart[:2], (SUMMER,), quality, 5, 1) == ()


def test_one_owner_alone_plays_only_if_allowed() -> None:
    pool = [one._replace(owner="ada") for one in candidates(1, 2)]
    assert pair(pool, (DUEL,), quality, 1, 1) == ()
    (table,) = pair(pool, (DUEL,), quality, 1, 1, owners_may_meet=True)
    assert isinstance(table, Lineup)


def test_a_bot_twice_in_the_pool_is_refused() -> None:
    with pytest.raises(BadSchedule, match=r"^pool: "):
        pair(candidates(1, 2) + candidates(3), (DUEL,), quality, 1, 1)
