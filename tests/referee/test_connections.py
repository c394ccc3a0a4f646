"""Promise 7: a lost connection is not a lost match."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.referee.answers import MALFORMED
from paddock_server.referee.commands import Ask, Fault, Start
from tests.games.tables import REFEREED, TOGETHER
from tests.referee.desk import (
    CLOCK,
    TICK,
    Desk,
    choosers,
    difference,
    kinds,
    opening,
    revealed,
    ticks,
)

every_table = pytest.mark.parametrize(("form", "seats"), REFEREED)
where_all_are_asked = pytest.mark.parametrize(("form", "seats"), TOGETHER)
WHOLE = CLOCK.base + CLOCK.bank + CLOCK.lag_allowance


@settings(max_examples=60)
@given(table=st.sampled_from(REFEREED), away=ticks(WHOLE - TICK), then=ticks(WHOLE), data=st.data())
def test_who_comes_back_gets_the_open_ask_again_with_the_time_it_has_left(
    table: tuple[str, int], away: float, then: float, data: st.DataObject
) -> None:
    form, seats = table
    desk = Desk.dealt(form, seats)
    seat = data.draw(st.integers(0, seats - 1))
    first, due = desk.asks[seat], desk.referee.deadline
    desk.lost(seat)
    desk.wait(away)
    assert desk.wake() == []
    start, again = desk.back(seat)
    assert start == Start(seat)
    left, bank = max(0.0, CLOCK.base - away), CLOCK.bank - max(0.0, away - CLOCK.base)
    assert again == first._replace(time_left=left, bank=max(0.0, bank))
    assert desk.referee.deadline == due  # its time ran on
    if away + then < WHOLE:
        desk.wait(then)
        assert desk.answer(seat) == []
        (timing,) = [chair.timing for chair in desk.referee.chairs if chair.timing]
        assert timing.ms == (away + then) * 1000
        assert timing.fault is None


@where_all_are_asked
def test_who_does_not_come_back_in_time_is_noted_as_disconnected(form: str, seats: int) -> None:
    desk = Desk.dealt(form, seats)
    desk.lost(0)
    for seat in range(1, seats):
        desk.answer(seat)
    assert desk.sleep_until_due()[0] == Fault(0, "DISCONNECTED", forfeits=False)
    told = desk.written()
    # It is not asked while it is away, and nobody waits for less than its time.
    assert [ask.seat for ask in told if isinstance(ask, Ask)] == list(range(1, seats))
    assert desk.open_asks == list(range(seats))
    desk.wait(TICK)
    again = desk.back(0)
    assert kinds(again) == ["Start", "Ask"]
    desk.answer_all()
    assert desk.referee.chairs[0].faults_in_a_row == 0


def test_three_times_away_forfeits_as_any_fault_does() -> None:
    desk = Desk.dealt()
    desk.lost(1)
    for number in range(3):
        desk.answer(0)
        desk.answer(2)
        fault, _ = desk.sleep_until_due()
        assert fault == Fault(1, "DISCONNECTED", forfeits=number == 2)
        desk.written()
    assert desk.back(1) == [Start(1)]  # it may watch, but it is not asked any more
    assert desk.play_on().match.forfeited == {1}
    assert {timing.fault for step in desk.referee.steps for timing in step.timings.values()} == {
        None,
        "DISCONNECTED",
    }


@pytest.mark.parametrize(("answer", "fault"), [(999, "ILLEGAL"), (MALFORMED, "MALFORMED")])
def test_who_answered_wrongly_and_left_is_blamed_for_the_answer(answer: object, fault: str) -> None:
    desk = Desk.dealt()
    desk.answer(1, answer)
    desk.lost(1)
    assert Fault(1, fault, forfeits=False) in desk.sleep_until_due()


def test_who_is_back_but_silent_timed_out() -> None:
    desk = Desk.dealt()
    desk.lost(1)
    desk.back(1)
    assert Fault(1, "TIMEOUT", forfeits=False) in desk.sleep_until_due()


@where_all_are_asked
def test_who_answered_and_left_is_asked_the_next_time(form: str, seats: int) -> None:
    desk = Desk.dealt(form, seats)
    desk.answer(0)
    desk.lost(0)
    assert desk.back(0) == [Start(0)]  # its answer was taken, there is nothing to ask
    desk.lost(0)
    told = desk.answer_all()
    assert 0 not in [ask.seat for ask in told if isinstance(ask, Ask)]
    start, again = desk.back(0)
    assert start == Start(0)
    assert isinstance(again, Ask)
    assert again.state == desk.referee.state
    assert again[4:] == (CLOCK.base, CLOCK.bank)


@every_table
@settings(max_examples=5)
@given(data=st.data())
def test_coming_and_going_changes_nothing_in_a_match(
    form: str, seats: int, data: st.DataObject
) -> None:
    """Every seat is away between most of its answers; the record is the same."""
    steady, shaky = Desk.dealt(form, seats), Desk.dealt(form, seats)
    chooser = data.draw(choosers)
    while steady.record is None:
        for seat in steady.open_asks:
            for other in range(seats):
                if chooser.random() < 0.5:
                    shaky.lost(other)
                    if chooser.random() < 0.5:
                        shaky.back(other)
            shaky.back(seat)
            answer = chooser.randrange(len(steady.asks[seat].state.legal(seat)))
            steady.answer(seat, answer)
            shaky.answer(seat, answer)
        assert revealed(steady.written()) == revealed(shaky.written())
    assert difference(steady.record, shaky.record) == ""


def test_before_the_deal_there_is_nothing_but_the_start_to_repeat() -> None:
    desk = Desk(opening("summer", 3, sends=[True] * 3))
    assert kinds(desk.open()) == ["Start"] * 3
    desk.lost(0)
    assert desk.back(0) == [Start(0)]
    for seat in range(3):
        desk.nonce(seat, bytes([seat]) * 16)
    assert desk.back(0) == [Start(0)]
    assert kinds(desk.written()) == ["Ask"] * 3


def test_after_the_end_there_is_nothing_to_repeat() -> None:
    desk = Desk.dealt()
    desk.play_on()
    desk.lost(0)
    assert desk.back(0) == []


def test_a_newer_connection_without_a_loss_gets_everything_again() -> None:
    desk = Desk.dealt()
    first = desk.asks[0]
    for _ in range(3):
        assert desk.back(0) == [Start(0), first]
