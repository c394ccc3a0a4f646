"""Knockout: the best of each table go on, by stated rules, until one table is left."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.schedules import BadSchedule, Entries, Outcome, Seating
from tests.ladder.tournament import ended, entries, finished, made, names, order, played


def tables_by_round(history: list[Outcome]) -> dict[int, set[frozenset[str]]]:
    rounds = defaultdict(set)
    for outcome in history:
        rounds[outcome.round].add(frozenset(outcome.bots))
    return rounds


def test_two_at_a_table_is_the_knockout_everybody_knows() -> None:
    entry = Entries(names(8), (Seating("two-player", 2),))
    schedule = made("knockout", entry)
    history: list[Outcome] = []
    while not (now := schedule.next(history)).done:
        history += [played(pairing, luck=0) for pairing in now.pairings]
    b = entry.bots
    assert tables_by_round(history) == {
        1: {frozenset((b[at], b[7 - at])) for at in range(4)},
        2: {frozenset((b[0], b[3])), frozenset((b[1], b[2]))},
        3: {frozenset((b[0], b[1]))},
    }
    assert order(schedule, history)[:4] == [b[0], b[1], b[2], b[3]]


def test_half_of_a_table_goes_on() -> None:
    schedule = made("knockout", Entries(names(16), (Seating("summer", 4, 3),), blocks=2))
    rounds = tables_by_round(finished(schedule))
    assert [len(tables) for tables in rounds.values()] == [4, 2, 1]
    assert schedule.planned() == 7 * 4 * 2


def test_best_seeds_rest_where_somebody_has_to() -> None:
    schedule = made("knockout", Entries(names(5), (Seating("two-player", 2),)))
    history = finished(schedule)
    seated = [set().union(*tables) for tables in tables_by_round(history).values()]
    assert "bot00" not in seated[0]
    assert "bot00" in seated[1]  # who has rested plays before others rest again
    assert [len(bots) for bots in seated] == [4, 2, 2]


@settings(max_examples=40)
@given(data=st.data())
def test_who_is_out_is_out(data: st.DataObject) -> None:
    """Nobody comes back, every table loses somebody, and the winner was never out."""
    entry = data.draw(entries("knockout"))
    entry = entry._replace(formats=entry.formats[:1])
    schedule = made("knockout", entry)
    history = finished(schedule, data.draw(st.integers(0, 1000)))
    rounds = tables_by_round(history)
    left = set(entry.bots)
    advance = entry.advance or entry.formats[0].seats // 2
    for number, tables in rounds.items():
        seated = set().union(*tables)
        assert seated <= left
        if number == len(rounds):
            assert tables == {frozenset(left)}
            assert set(order(schedule, history)[: len(left)]) == left
        else:
            assert all(len(table) > advance for table in tables)
            so_far = [outcome for outcome in history if outcome.round <= number]
            remaining = len(left) - sum(len(table) - advance for table in tables)
            left = set(order(schedule, so_far)[:remaining])


def test_ties_are_for_the_better_share_then_for_the_better_seed() -> None:
    entry = Entries(names(4), (Seating("two-player", 2),))
    schedule = made("knockout", entry)
    first, third, second, fourth = schedule.next([]).pairings
    assert [first.bots, third.bots] == [("bot00", "bot03"), ("bot01", "bot02")]
    history = [ended(first, 5, 4), ended(second, 9, 3), ended(third, 7, 7), ended(fourth, 7, 7)]
    assert {frozenset(p.bots) for p in schedule.next(history).pairings} == {
        frozenset(("bot03", "bot01"))
    }


def test_a_final_too_small_for_the_format_is_refused() -> None:
    entry = Entries(names(4), (Seating("summer", 3, least=3),))
    with pytest.raises(BadSchedule, match=r"^advance: 4 bots at tables of 3 leave 2 for the final"):
        made("knockout", entry)
    assert made("knockout", entry._replace(bots=names(9))).planned() == 12
