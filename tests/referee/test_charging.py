"""Promise 4: time is charged fairly: the allowance, then the bank; the network and host never."""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_games import Timing
from paddock_server.referee.clock import HOST_SECONDS, Account, Clock, Moment
from paddock_server.referee.commands import Ask
from tests.games.tables import TOGETHER
from tests.referee.desk import CLOCK, Desk, revealed, ticks


class Took(NamedTuple):
    """A decision: real time, the lag of the connection, and how late the referee itself was.

    And what the bot's own host kept from it.
    """

    seconds: float
    lag: float
    late: float
    host_delay: float = 0.0


# CLOCK: base 1 s, bank 10 s, at most 0.25 s of lag.
WORKED = {
    "within the allowance": (Took(0.5, 0.0, 0.0), Timing(500, 0, None, 500), 10.0),
    "exactly the allowance": (Took(1.0, 0.0, 0.0), Timing(1000, 0, None, 1000), 10.0),
    "the overrun comes out of the bank": (Took(1.5, 0.0, 0.0), Timing(1500, 0, None, 1500), 9.5),
    "the lag is free": (Took(1.5, 0.125, 0.0), Timing(1500, 125, None, 1375), 9.625),
    "as far as it is allowed": (Took(1.5, 5.0, 0.0), Timing(1500, 250, None, 1250), 9.75),
    "lag is never more than all": (Took(0.125, 0.25, 0.0), Timing(125, 125, None, 0), 10.0),
    "lag pays before the bank": (Took(1.25, 0.25, 0.0), Timing(1250, 250, None, 1000), 10.0),
    "the referee's lateness is free": (Took(3.0, 0.0, 2.0), Timing(3000, 0, None, 1000), 10.0),
    "and only that": (Took(4.0, 0.0, 2.0), Timing(4000, 0, None, 2000), 9.0),
    "lateness and lag": (Took(4.0, 0.25, 2.0), Timing(4000, 250, None, 1750), 9.25),
    "all late": (Took(2.0, 0.25, 2.0), Timing(2000, 0, None, 0), 10.0),
    "the host's time is free": (
        Took(3.0, 0.0, 0.0, 2.0),
        Timing(3000, 0, None, 1000, host_ms=2000),
        10.0,
    ),
    "it is never more than all": (
        Took(0.5, 0.25, 0.0, 2.0),
        Timing(500, 250, None, 0, host_ms=250),
        10.0,
    ),
    "it comes on top of the whole bank": (
        Took(12.0, 0.0, 0.0, 1.5),
        Timing(12000, 0, None, 10500, host_ms=1500),
        0.5,
    ),
    "the whole bank": (Took(11.0, 0.0, 0.0), Timing(11000, 0, None, 11000), 0.0),
    "never more than the bank": (Took(11.125, 0.0, 0.0), Timing(11125, 0, None, 11125), 0.0),
}


@pytest.mark.parametrize(("took", "timing", "bank"), WORKED.values(), ids=WORKED)
def test_worked_examples(took: Took, timing: Timing, bank: float) -> None:
    desk = Desk.dealt()
    desk.wait(took.seconds, late=took.late)
    desk.answer(0, lag=took.lag, host_delay=took.host_delay)
    assert desk.banks == [bank, 10.0, 10.0]
    desk.answer(1, lag=5.0)
    desk.answer(2, lag=5.0)
    (reveal,) = revealed(desk.written())
    assert reveal.step.timings[0] == timing
    assert desk.asks[0][4:] == (1.0, bank)


@settings(max_examples=60)
@given(
    table=st.sampled_from(TOGETHER),
    clock=st.builds(Clock, base=ticks(2), bank=ticks(6), lag_allowance=ticks(1)),
    data=st.data(),
)
def test_a_whole_match_is_charged_as_the_clock_says(
    table: tuple[str, int], clock: Clock, data: st.DataObject
) -> None:
    form, seats = table
    desk = Desk.dealt(form, seats, clock=clock)
    banks = [clock.bank] * seats
    taken = st.builds(Took, ticks(1.5), ticks(2), st.just(0.0)) | st.builds(
        Took, ticks(3), ticks(2), ticks(3)
    )
    steps = data.draw(st.lists(st.lists(taken, min_size=seats, max_size=seats), max_size=6))
    for step in steps:
        begin, fair_begin = desk.now
        timings = {}
        for seat in desk.open_asks:
            took = step[seat]
            desk.wait(took.seconds, late=min(took.late, took.seconds))
            real, fair = desk.at - begin, desk.now.fair - fair_begin
            due = desk.referee.chairs[seat].ask
            assert due is not None
            if due.deadline <= desk.now.fair:
                break  # that is for the tests of deadlines
            lag = min(took.lag, clock.lag_allowance, fair)
            banks[seat] = max(0.0, banks[seat] - max(0.0, fair - clock.base - lag))
            timings[seat] = Timing(real * 1000, lag * 1000, None, (fair - lag) * 1000)
            desk.answer(seat, lag=took.lag)
            assert desk.banks == banks
        if desk.unwritten is None:
            return
        (reveal,) = revealed(desk.written())
        assert reveal.step.timings == timings
        assert desk.events[-1].banks == banks
        assert [ask[4:] for ask in desk.asks.values()] == [(clock.base, bank) for bank in banks]


@given(took=st.lists(st.builds(Took, ticks(4), ticks(1), ticks(8)), min_size=1, max_size=12))
def test_lateness_of_the_referee_changes_nothing_but_the_total(took: list[Took]) -> None:
    """The same decisions with a referee that stood still in between: same banks, same lag."""
    prompt, tardy = Desk.dealt(), Desk.dealt()
    for seconds, lag, late, _ in took:
        if prompt.record is not None or prompt.banks[0] < seconds:
            return
        for desk, extra in ((prompt, 0.0), (tardy, late)):
            desk.answer(1)
            desk.answer(2)
            desk.wait(seconds + extra, late=extra)
            desk.answer(0, lag=lag)
            desk.written()
        assert tardy.banks == prompt.banks
        ours, theirs = prompt.referee.steps[-1].timings[0], tardy.referee.steps[-1].timings[0]
        assert theirs == ours._replace(ms=ours.ms + late * 1000)


def test_a_missed_deadline_empties_the_bank_and_only_that_of_the_seat() -> None:
    desk = Desk.dealt()
    desk.answer(0)
    desk.answer(2)
    desk.sleep_until_due()
    desk.written()
    assert desk.banks == [10.0, 0.0, 10.0]
    whole = CLOCK.base + CLOCK.bank + CLOCK.lag_allowance
    assert desk.referee.steps[0].timings[1] == Timing(whole * 1000, 0, "TIMEOUT", whole * 1000)
    assert desk.asks[1][4:] == (1.0, 0.0)
    # Without a bank there is still the allowance and the network's share.
    assert desk.referee.deadline == desk.at + CLOCK.base + CLOCK.lag_allowance


def test_what_an_ask_says_is_what_is_left() -> None:
    """Sent again, an ask tells the time that remains, first of the allowance, then of the bank."""
    desk = Desk.dealt()
    for elapsed, left, bank in [
        (0.0, 1.0, 10.0),
        (0.25, 0.75, 10.0),
        (1.0, 0.0, 10.0),
        (4.0, 0.0, 7.0),
        (11.0, 0.0, 0.0),
        (11.1875, 0.0, 0.0),
    ]:
        desk.wait(1000.0 + elapsed - desk.at)
        again = desk.back(0)[-1]
        assert isinstance(again, Ask)
        assert again[4:] == (left, bank)


def test_refused_answers_cost_nothing_by_themselves() -> None:
    desk = Desk.dealt()
    for _ in range(50):
        desk.answer(0, 999)
        desk.answer(0, asked=3)
    desk.wait(0.5)
    desk.answer(0)
    assert desk.banks == [10.0] * 3
    assert desk.referee.chairs[0].faults_in_a_row == 0


def test_what_a_host_keeps_is_free_until_the_most_of_a_match() -> None:
    """A bot can make its host keep time from it on purpose, but not for ever."""
    account = Account(CLOCK, 1000.0)
    asked, answered = Moment(0.0, 0.0), Moment(31.0, 31.0)
    spent = [account.spend(asked, answered, 0.0, host_delay=30.0) for _ in range(5)]
    assert [each.host_ms for each in spent] == [30_000.0] * 4 + [0.0]
    assert [each.charge_ms for each in spent] == [1_000.0] * 4 + [31_000.0]
    assert HOST_SECONDS == 120.0


def test_no_deadline_is_moved_beyond_the_most_of_a_match() -> None:
    desk = Desk.dealt()
    chair = desk.referee.chairs[0]
    chair.account.host_left = 2.0
    assert chair.ask is not None
    before = chair.ask.deadline
    for kept in (1.5, 30.0, 31.0):
        chair.allow(kept)
    assert chair.ask.deadline == before + 2.0


def test_a_decision_never_took_less_than_no_time() -> None:
    """An answer counts as of the earliest moment possible, which may be before its ask."""
    asked, answered = Moment(10.0, 8.0), Moment(10.001, 7.997)
    assert answered.since(asked) == 0.0
    assert asked.since(answered) == pytest.approx(0.003)
    assert Account(CLOCK, 10.0).spend(asked, answered, 0.0).charge_ms == 0.0
