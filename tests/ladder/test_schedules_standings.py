"""Standings, cross tables and comparisons are what a hand finds."""

from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.blocks import Estimate
from paddock_ladder.schedules import BadSchedule, Pairing, Seating, declare
from paddock_ladder.schedules.comparison import Comparison
from paddock_ladder.schedules.standings import cross_table, standings
from tests.ladder.tournament import ended, entries, finished, made


def match(key: str, block: str, bots: str) -> Pairing:
    return Pairing(key, "summer", tuple(bots), block, 1)


HISTORY = [
    ended(match("1", "x", "ab"), 10, 4),
    ended(match("2", "x", "ba"), 6, 8),
    ended(match("3", "y", "ab"), 5, 5),
    ended(match("4", "y", "ba"), 9, 3),
    declare(match("5", "z", "ac"), ["c"]),
]


def test_a_standing_by_hand() -> None:
    a, b, c = standings("abc", HISTORY)
    assert (a.bot, b.bot, c.bot) == ("a", "b", "c")
    assert (a.played, a.declared, c.played, c.declared) == (4, 1, 0, 1)
    assert a.score.mean == pytest.approx((1 + 1 + 0.5 + 0 + 1) / 5)
    assert b.score.mean == pytest.approx(1.5 / 4)
    assert a.points == pytest.approx((6.5, sqrt(((9 - 6.5) ** 2 + (4 - 6.5) ** 2) / 2), 2, 4))
    # Sums 18 and 8 of two matches each, so block means of 9 and 4.
    assert a.points.error == pytest.approx(2.5)
    assert c.points == Estimate(0.0, None, 0, 0)
    # By block: scores of 2 in 2 matches, 0.5 in 2, 1 in 1.
    off = (2 - 1.4) ** 2 + (0.5 - 1.4) ** 2 + (1 - 0.7) ** 2
    assert a.score.error == pytest.approx(sqrt(off * 3 / 2) / 5)
    assert a.share.mean == pytest.approx((20 / 14 + 16 / 14 + 1 + 6 / 12) / 4)


def test_a_cross_table_by_hand() -> None:
    table = cross_table("abc", HISTORY)
    assert table.keys() == {("a", "b"), ("b", "a")}
    assert table["a", "b"].mean == pytest.approx((6 + 2 + 0 - 6) / 4)
    assert table["a", "b"].error == pytest.approx(3.5)
    assert table["b", "a"] == table["a", "b"]._replace(mean=-table["a", "b"].mean)


@settings(max_examples=20)
@given(data=st.data())
def test_a_standing_accounts_for_every_seat(data: st.DataObject) -> None:
    entry = data.draw(entries("swiss"))
    history = finished(made("swiss", entry), data.draw(st.integers(0, 99)))
    lines = standings(entry.bots, history)
    assert standings(entry.bots, history[::-1]) == lines
    assert sum(line.played + line.declared for line in lines) == sum(len(o.bots) for o in history)
    assert [line.bot for line in lines] == list(entry.bots)
    seats = sum(line.score.matches for line in lines)
    assert sum(line.score.mean * line.score.matches for line in lines) == pytest.approx(seats / 2)


def test_a_bot_that_is_not_named_is_refused() -> None:
    with pytest.raises(BadSchedule, match=r"^bots: b played 1; "):
        standings("ac", HISTORY)
    with pytest.raises(BadSchedule, match=r"^bots: b played 1; "):
        cross_table("ac", HISTORY)


def test_a_comparison_plays_both_on_the_same_deals_and_seats() -> None:
    comparison = Comparison("new", "old", ("x", "y", "z"), Seating("summer", 3, 3))
    keys = set()
    fields = set()
    for number in range(3):
        block = comparison.block(number)
        assert len({pairing.block for pairing in block}) == 1
        keys |= {pairing.key for pairing in block}
        news = {pairing.bots for pairing in block if "new" in pairing.bots}
        olds = {pairing.bots for pairing in block if "old" in pairing.bots}
        assert len(news) == len(olds) == 3
        assert {tuple("old" if bot == "new" else bot for bot in bots) for bots in news} == olds
        fields.add(frozenset(block[0].bots))
    assert len(keys) == 3 * 6
    assert len(fields) == 3  # a field larger than the table takes turns


def test_a_duel_needs_no_field() -> None:
    block = Comparison("new", "old", (), Seating("two-player", 2)).block(4)
    assert [pairing.bots for pairing in block] == [("new", "old"), ("old", "new")]


def test_differences_wait_for_the_blocks_before() -> None:
    comparison = Comparison("new", "old", ("x",), Seating("two-player", 2))
    points = {"new": 7, "old": 4, "x": 1}
    history = [
        ended(p, *(points[bot] + number for bot in p.bots))
        for number in (2, 0, 1)
        for p in comparison.block(number)
    ]
    assert comparison.differences(history) == [3, 3, 3]
    assert comparison.differences(history[:8]) == [3]
    assert comparison.differences(history[:4]) == []
    away = declare(comparison.block(0)[1], ["new"])
    voided = [away if outcome.key == away.key else outcome for outcome in history]
    assert comparison.differences(voided) == [3, 3]


@pytest.mark.parametrize(
    ("field", "seats", "least"),
    [((), 3, 3), (("x",), 3, 3), (("x", "x"), 3, 3), (("new",), 2, 2), ((), 2, 3)],
)
def test_impossible_comparisons_are_refused(field: tuple[str, ...], seats: int, least: int) -> None:
    with pytest.raises(BadSchedule, match=r"^field: "):
        Comparison("new", "old", field, Seating("summer", seats, least))
