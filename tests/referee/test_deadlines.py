"""Promise 3: the referee's own timer decides, never the arrival of an answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.referee.answers import MALFORMED
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Fault
from tests.games.tables import REFEREED, TOGETHER
from tests.referee.desk import CLOCK, TICK, Desk, kinds, revealed, ticks

every_table = pytest.mark.parametrize(("form", "seats"), REFEREED)
where_all_are_asked = pytest.mark.parametrize(("form", "seats"), TOGETHER)
clocks = st.builds(
    Clock, base=ticks(3), bank=ticks(20), lag_allowance=ticks(1), max_faults=st.integers(1, 5)
)


@settings(max_examples=60)
@given(table=st.sampled_from(REFEREED), clock=clocks, early=ticks(24), late=ticks(5))
def test_nothing_happens_before_the_deadline_and_everything_at_it(
    table: tuple[str, int], clock: Clock, early: float, late: float
) -> None:
    form, seats = table
    desk = Desk.dealt(form, seats, clock=clock)
    state = desk.referee.state
    assert state is not None
    whole = clock.base + clock.bank + clock.lag_allowance
    assert desk.referee.deadline == desk.now.fair + whole
    if early < whole:
        desk.wait(early)
        assert desk.wake() == []
        desk.wait(whole - early - TICK)
        assert desk.wake() == []
        desk.wait(TICK)
    else:
        desk.wait(whole + late)
    forfeits = clock.max_faults == 1
    *faults, write = desk.wake()
    assert faults == [Fault(seat, "TIMEOUT", forfeits) for seat in state.to_move]
    assert kinds([write]) == ["Write"]
    (reveal,) = revealed(desk.written())
    assert reveal.step.choices == {seat: state.default(seat) for seat in state.to_move}
    assert {timing.fault for timing in reveal.step.timings.values()} == {"TIMEOUT"}


@every_table
def test_an_answer_a_tick_before_the_deadline_counts(form: str, seats: int) -> None:
    desk = Desk.dealt(form, seats)
    desk.wait(CLOCK.base + CLOCK.bank + CLOCK.lag_allowance - TICK)
    assert desk.wake() == []
    (reveal,) = revealed(desk.answer_all())
    assert [timing.fault for timing in reveal.step.timings.values()] == [None] * seats
    assert desk.every(Fault) == []


@given(after=ticks(20))
def test_an_answer_at_the_deadline_or_later_does_not_count(after: float) -> None:
    """The timer and the answer may become due in the same turn of the loop, in either order."""
    desk = Desk.dealt()
    late = desk.asks[0].ask_id
    desk.wait(CLOCK.base + CLOCK.bank + CLOCK.lag_allowance + after)
    said = desk.answer(0, 1)
    assert (0, late, "choice/stale") in [command[:3] for command in said]
    desk.wake()
    (reveal,) = revealed(desk.written())
    assert [timing.fault for timing in reveal.step.timings.values()] == ["TIMEOUT"] * 3
    assert reveal.step.choices[0] == reveal.step.state.default(0)


@where_all_are_asked
@settings(max_examples=10)
@given(data=st.data())
def test_every_seat_has_its_own_deadline(form: str, seats: int, data: st.DataObject) -> None:
    """Who used more of the bank is over earlier; the others' time is not touched by that."""
    desk = Desk.dealt(form, seats)
    spent = {seat: data.draw(ticks(CLOCK.bank)) for seat in range(seats)}
    start = desk.at
    for seat in sorted(spent, key=lambda seat: spent[seat]):
        desk.wait(start + CLOCK.base + spent[seat] - desk.at)
        desk.answer(seat)
    desk.written()
    asked = desk.at
    due = {s: asked + CLOCK.base + CLOCK.bank - spent[s] + CLOCK.lag_allowance for s in spent}
    while desk.open_asks:
        assert desk.referee.deadline == min(due[seat] for seat in desk.open_asks)
        over = [fault.seat for fault in desk.sleep_until_due() if isinstance(fault, Fault)]
        assert over == [seat for seat in range(seats) if due[seat] == desk.at]
        assert desk.open_asks == [seat for seat in range(seats) if due[seat] > desk.at]


@given(late=ticks(8))
def test_the_deadline_is_counted_in_fair_time(late: float) -> None:
    desk = Desk.dealt()
    due = desk.referee.deadline
    assert due is not None
    desk.wait(due - desk.at, late=late)
    if late:
        assert desk.wake() == []
        desk.wait(late - TICK)
        assert desk.wake() == []
        desk.wait(TICK)
    assert kinds(desk.wake()) == ["Fault"] * 3 + ["Write"]


@given(
    events=st.lists(st.sampled_from(["lost", "back", "illegal", "malformed", "stale"]), max_size=20)
)
def test_nothing_that_a_bot_does_moves_its_deadline(events: list[str]) -> None:
    desk = Desk.dealt("winter", 4)
    due = desk.referee.deadline
    assert due is not None
    for event in events:
        desk.wait((due - desk.at) / 2)
        if event == "lost":
            desk.lost(1)
        elif event == "back":
            desk.back(1)
        elif event == "stale":
            desk.answer(1, asked=5)
        else:
            desk.answer(1, 999 if event == "illegal" else MALFORMED)
        assert desk.referee.deadline == due
        assert desk.wake() == []
    desk.wait(due - desk.at)
    assert kinds(desk.wake()) == ["Fault"] * 4 + ["Write"]


@every_table
def test_who_never_answers_never_holds_up_a_match(form: str, seats: int) -> None:
    """Seat 0 is dead from the start: the others wait for it three times, and no more."""
    desk = Desk.dealt(form, seats)
    waits = 0
    while desk.record is None:
        for seat in desk.open_asks:
            if seat:
                desk.answer(seat)
        if desk.unwritten is None:
            desk.sleep_until_due()
            waits += 1
        desk.written()
    assert waits == CLOCK.max_faults
    # The bank is gone after the first time.
    least = CLOCK.max_faults * (CLOCK.base + CLOCK.lag_allowance) + CLOCK.bank
    assert desk.at == 1000.0 + least
    assert desk.checked.match.forfeited == {0}


@every_table
def test_a_table_of_the_dead_comes_to_its_end(form: str, seats: int) -> None:
    desk = Desk.dealt(form, seats)
    while desk.record is None:
        if desk.unwritten is None:
            desk.sleep_until_due()
        desk.written()
    match, steps, _ = desk.checked
    assert match.forfeited == frozenset(range(seats))
    for step in steps:
        assert step.choices == {seat: step.state.default(seat) for seat in step.state.to_move}
        assert {timing.fault for timing in step.timings.values()} == {"TIMEOUT"}
    assert len(desk.every(Fault)) == CLOCK.max_faults * seats
