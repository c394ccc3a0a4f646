"""Places agree with the numbers that stand beside them, in every schedule and at any moment."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.schedules import SCHEDULES, Entries, Outcome, Seating
from paddock_ladder.schedules.changes import departed
from paddock_ladder.schedules.placing import (
    CRITERIA,
    PLACES,
    SCORE,
    SHARE,
    Criterion,
    Numbers,
    Placed,
    by_score,
    placed,
)
from tests.ladder.event import Event
from tests.ladder.tournament import ended, entries, finished, made, names

every_schedule = pytest.mark.parametrize("name", SCHEDULES)


def better(criteria: tuple[Criterion, ...], one: Numbers, other: Numbers) -> bool:
    """Whether a reader of the columns, from left to right, would put one before the other."""
    for criterion, mine, theirs in zip(criteria, one, other, strict=True):
        if mine == theirs:
            continue
        if mine is None or theirs is None:
            return theirs is None
        return (mine < theirs) == criterion.least_first
    return False


def check(criteria: tuple[Criterion, ...], lines: Sequence[Placed], first: int = 1) -> None:
    """The places are what a reader would give, and equal numbers share one."""
    assert [line.place for line in lines[:1]] in ([], [first])
    for at, (one, other) in enumerate(pairwise(lines), start=first):
        assert not better(criteria, other.numbers, one.numbers)
        same = not better(criteria, one.numbers, other.numbers)
        assert other.place == (one.place if same else at + 1)
        assert not same or (one.shared and other.shared)
    places = [line.place for line in lines]
    assert [line.shared for line in lines] == [places.count(place) > 1 for place in places]


@every_schedule
@settings(max_examples=40)
@given(data=st.data())
def test_places_go_by_the_numbers_that_are_shown(name: str, data: st.DataObject) -> None:
    entry = data.draw(entries(name))
    schedule = made(name, entry)
    history = finished(schedule, data.draw(st.integers(0, 2**32)))
    history = history[: data.draw(st.integers(0, len(history)))]
    lines = schedule.places(history)
    assert set(schedule.criteria) <= set(CRITERIA)
    check(schedule.criteria, lines)
    tables = {
        form: contest.places([outcome for outcome in history if outcome.format == form])
        for form, contest in schedule.by_format.items()
    }
    for form, table in tables.items():
        check(schedule.by_format[form].criteria, table)
    if len(tables) > 1:
        assert schedule.criteria == (PLACES,)
        for line in lines:
            mine = [
                each.place for table in tables.values() for each in table if each.bot == line.bot
            ]
            assert line.numbers == (sum(mine),)
    else:
        assert lines == tables["summer"]


@every_schedule
@settings(max_examples=40)
@given(data=st.data())
def test_they_do_so_when_bots_come_late_and_leave(name: str, data: st.DataObject) -> None:
    """Whoever is disqualified stands behind all others, and among its like by the numbers."""
    event = Event(name, data.draw(entries(name, most=7)), data.draw(st.integers(0, 2**32)))
    for _ in event.play():
        schedule = event.schedule
        lines = schedule.places(list(event.history.values()))
        out = departed(event.entry.changes, disqualified=True)
        there = [line for line in lines if line.bot not in out]
        assert list(lines[: len(there)]) == there
        check(schedule.criteria, there)
        check(schedule.criteria, lines[len(there) :], len(there) + 1)


@every_schedule
def test_before_the_first_match_all_share_the_first_place(name: str) -> None:
    entry = Entries(names(4), (Seating("two-player", 2),))
    if name == "swiss":
        entry = entry._replace(rounds=2)
    if name == "gauntlet":
        entry = entry._replace(challenger="bot00")
    lines = made(name, entry).places([])
    assert [(line.bot, line.place, line.shared) for line in lines] == [
        (bot, 1, True) for bot in entry.bots
    ]


def test_equals_share_a_place_in_the_order_of_seeding() -> None:
    numbers: dict[str, Numbers] = {
        "a": (Fraction(1, 2), Fraction(1)),
        "b": (None, None),
        "c": (Fraction(1), Fraction(1, 3)),
        "d": (Fraction(1, 2), Fraction(1)),
        "e": (Fraction(1, 2), Fraction(2)),
    }
    lines = placed((SCORE, SHARE), numbers)
    assert [(line.bot, line.place, line.shared) for line in lines] == [
        ("c", 1, False), ("e", 2, False), ("a", 3, True), ("d", 3, True), ("b", 5, False),
    ]  # fmt: skip


def test_several_formats_go_by_the_sum_of_places() -> None:
    """Who is good at one format and bad at the other is not ahead of who is fair at both."""
    entry = Entries(
        tuple("abc"), (Seating("two-player", 2), Seating("two-player-winter", 2)), rotations=False
    )
    schedule = made("round-robin", entry)
    points = {
        "two-player": {"a": 90, "b": 40, "c": 30},
        "two-player-winter": {"a": 1, "b": 3, "c": 2},
    }
    history: list[Outcome] = [
        ended(pairing, *(points[pairing.format][bot] for bot in pairing.bots))
        for pairing in schedule.next([]).pairings
    ]
    lines = schedule.places(history)
    assert [(line.bot, line.place, line.numbers) for line in lines] == [
        ("b", 1, (3,)), ("a", 2, (4,)), ("c", 3, (5,)),
    ]  # fmt: skip


def test_an_exact_tie_in_a_final_is_shared() -> None:
    entry = Entries(names(4), (Seating("two-player", 2),))
    schedule = made("knockout", entry)
    history: list[Outcome] = []
    for points in ((9, 1), (5, 5)):
        for pairing in schedule.next(history).pairings:
            seeded = sorted(pairing.bots)
            history.append(ended(pairing, *(points[seeded.index(bot)] for bot in pairing.bots)))
    lines = schedule.places(history)
    assert [(line.bot, line.place, line.shared) for line in lines] == [
        ("bot00", 1, True), ("bot01", 1, True), ("bot02", 3, True), ("bot03", 3, True),
    ]  # fmt: skip
    assert [line.numbers[0] for line in lines] == [2, 2, 1, 1]


def test_whoever_has_not_played_stands_last() -> None:
    entry = Entries(names(3), (Seating("two-player", 2),), rotations=False)
    first, *_ = made("round-robin", entry).next([]).pairings
    lines = by_score(entry.bots, [ended(first, 0, 9)])
    assert lines[-1].numbers == (None, None)
    assert lines[-1].bot not in first.bots
