"""A seat that is cut off by no fault of its bot: nobody is blamed, as after a restart."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.referee.commands import Ask, Fault, Start
from tests.games.tables import REFEREED, TOGETHER
from tests.referee.desk import CLOCK, TICK, Desk, choosers, difference, kinds, ticks

every_table = pytest.mark.parametrize(("form", "seats"), REFEREED)
where_all_are_asked = pytest.mark.parametrize(("form", "seats"), TOGETHER)
WHOLE = CLOCK.base + CLOCK.bank + CLOCK.lag_allowance


@where_all_are_asked
@settings(max_examples=10)
@given(before=ticks(WHOLE - TICK), away=ticks(CLOCK.return_wait + WHOLE - TICK))
def test_who_comes_back_within_the_wait_begins_anew(
    form: str, seats: int, before: float, away: float
) -> None:
    desk = Desk.dealt(form, seats)
    first = desk.asks[0]
    desk.wait(before)
    desk.referee.stranded(0, desk.now)
    for seat in range(1, seats):
        desk.answer(seat)
    desk.wait(away)
    assert desk.wake() == []  # it is not late
    start, again = desk.back(0)
    assert start == Start(0)
    assert again == first  # with all of its time
    desk.wait(1.0)
    desk.answer(0)
    desk.written()
    timing = desk.referee.steps[0].timings[0]
    assert (timing.fault, timing.ms) == (None, 1000.0)


@every_table
def test_who_does_not_come_back_is_disconnected_in_the_end(form: str, seats: int) -> None:
    desk = Desk.dealt(form, seats)
    (seat, *_) = desk.open_asks
    desk.referee.stranded(seat, desk.now)
    desk.wait(CLOCK.return_wait + WHOLE - TICK)
    assert Fault(seat, "DISCONNECTED", forfeits=False) not in desk.wake()
    desk.wait(TICK)
    assert Fault(seat, "DISCONNECTED", forfeits=False) in desk.wake()


def test_who_is_stranded_while_nothing_is_asked_is_awaited_at_the_next_ask() -> None:
    desk = Desk.dealt()
    desk.answer(0)
    desk.referee.stranded(0, desk.now)
    for seat in (1, 2):
        desk.answer(seat)
    assert kinds(desk.written()) == ["Reveal", "Ask", "Ask"]
    desk.answer(1)
    desk.answer(2)
    desk.wait(CLOCK.return_wait)
    assert desk.wake() == []
    assert [type(command) for command in desk.back(0)] == [Start, Ask]


@settings(max_examples=40)
@given(table=st.sampled_from(REFEREED), chooser=choosers)
def test_the_record_is_the_same_but_for_times_however_often_seats_are_stranded(
    table: tuple[str, int], chooser: Random
) -> None:
    """No order of being stranded, held and back yields a fault for a seat that answers then."""
    form, seats = table
    steady, troubled = Desk.dealt(form, seats), Desk.dealt(form, seats)
    steady.play_on()
    while troubled.record is None:
        if troubled.unwritten is not None:
            troubled.written()
            continue
        seat = troubled.open_asks[0]
        what = chooser.choice(["answer", "strand", "hold"])
        if what == "strand":
            for other in troubled.open_asks[1:]:  # whose time runs on
                troubled.answer(other)
            troubled.referee.stranded(seat, troubled.now)
            troubled.wait(chooser.randrange(int(CLOCK.return_wait)))
            troubled.wake()
            troubled.back(seat)
        elif what == "hold":
            troubled.referee.chairs[seat].hold()
        else:
            troubled.answer(seat)
    assert troubled.record is not None
    assert steady.record is not None
    assert not troubled.every(Fault)
    for kept in ("seats", "totals", "ranks"):
        assert difference(troubled.record[kept], steady.record[kept]) == ""


def test_a_seat_that_is_held_is_judged_when_it_is_released() -> None:
    desk = Desk.dealt()
    for seat in (1, 2):
        desk.answer(seat)
    desk.wait(WHOLE)
    assert desk.referee.overdue(desk.now) == [0]
    desk.referee.chairs[0].hold()
    assert (desk.referee.overdue(desk.now), desk.referee.deadline) == ([], None)
    assert desk.wake() == []
    desk.referee.chairs[0].release()
    assert desk.wake()[0] == Fault(0, "TIMEOUT", forfeits=False)


@pytest.mark.parametrize("what", ["lost", "back"])
def test_who_goes_or_comes_is_held_no_longer(what: str) -> None:
    desk = Desk.dealt()
    desk.wait(WHOLE)
    desk.referee.chairs[0].hold()
    if what == "lost":
        desk.lost(0)
    else:
        desk.back(0)
    assert 0 in desk.referee.overdue(desk.now)


def test_a_late_answer_judges_its_own_seat_alone() -> None:
    """The others are judged when their players vouched for them."""
    desk = Desk.dealt()
    desk.wait(WHOLE)
    commands = desk.answer(1)
    assert kinds(commands) == ["Fault", "Refuse"]
    assert desk.referee.overdue(desk.now) == [0, 2]
