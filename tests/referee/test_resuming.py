"""Promise 8: the server's death is not a lost match, and nobody is blamed for the gap."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_games import verify
from paddock_games.record import read_record
from paddock_server.referee.commands import Ask, Fault, Start
from paddock_server.referee.opening import Opening
from tests.games.tables import REFEREED, TOGETHER, options
from tests.referee.desk import CLOCK, TICK, Desk, difference, kinds, opening, seats_of, ticks
from tests.referee.script import Script, Server, own_nonce

every_table = pytest.mark.parametrize(("form", "seats"), REFEREED)
where_all_are_asked = pytest.mark.parametrize(("form", "seats"), TOGETHER)
WHOLE = CLOCK.base + CLOCK.bank + CLOCK.lag_allowance


@every_table
@settings(max_examples=12)
@given(data=st.data())
def test_however_often_the_server_dies_the_record_is_the_same(
    form: str, seats: int, data: st.DataObject
) -> None:
    begun = opening(
        form,
        seats,
        rules=data.draw(st.sampled_from(options(form))),
        seed=data.draw(st.integers(0, 2**32 - 1)),
        sends=data.draw(st.lists(st.integers(0, 2), min_size=seats, max_size=seats)),
    )
    script = Script(data.draw(st.integers(0, 999)), data.draw(st.sampled_from([0, 0.1, 0.4])))
    steady = Server(begun, script)
    record = steady.play()
    verify(read_record(json.dumps(record)))
    deaths = data.draw(st.sets(st.integers(0, len(steady.desk.events))))
    mortal = Server(begun, script, deaths)
    assert difference(mortal.play(), record) == ""
    assert len(mortal.ids) == 1 + len(deaths)
    for ids in mortal.ids:
        assert ids.items() <= steady.ids[0].items()  # an ask keeps its name


@every_table
def test_any_number_of_durable_events_brings_back_what_they_decided(form: str, seats: int) -> None:
    server = Server(opening(form, seats), Script(5, 0.2))
    record = server.play()
    events, referee = server.desk.events, server.desk.referee
    for count in range(1, len(events) + 1):
        desk = Desk(server.opening)
        desk.resume(events[:count])
        assert desk.referee.steps == referee.steps[: count - 1]
        now = referee.steps[count - 1].state if count <= len(referee.steps) else referee.end
        assert desk.referee.state == now
        if count > 1:
            assert desk.banks == events[count - 1].banks
    # The last: all was durable but the record.
    assert kinds(desk.said) == ["Finish"]
    assert difference(desk.record, record) == ""


@where_all_are_asked
@settings(max_examples=10)
@given(away=ticks(CLOCK.return_wait), gap=ticks(100_000), data=st.data())
def test_awaited_seats_get_fresh_time_when_they_are_back(
    form: str, seats: int, away: float, gap: float, data: st.DataObject
) -> None:
    desk = Desk.dealt(form, seats)
    for seat in range(seats):
        desk.wait(1.5)
        desk.answer(seat)
    desk.written()
    banks, asked = desk.banks, dict(desk.asks)
    desk.wait(data.draw(ticks(WHOLE)))  # the asks have been open for a while
    after = Desk(desk.opening, desk.at + gap)
    assert after.resume(desk.events) == []
    assert after.banks == banks
    after.wait(away)
    assert after.wake() == []
    for seat in range(seats):
        start, ask = after.back(seat)
        assert start == Start(seat)
        assert ask == asked[seat]._replace(time_left=CLOCK.base, bank=banks[seat])
        assert ask.ask_id == asked[seat].ask_id
    whole = CLOCK.base + min(banks) + CLOCK.lag_allowance
    assert after.referee.deadline == after.now.fair + whole
    after.wait(whole - TICK)
    assert after.wake() == []
    after.wait(TICK)
    assert Fault(banks.index(min(banks)), "TIMEOUT", forfeits=False) in after.wake()


@where_all_are_asked
def test_nobody_is_blamed_before_the_wait_is_over(form: str, seats: int) -> None:
    before = Desk.dealt(form, seats)
    after = Desk(before.opening, 9000.0)
    after.resume(before.events)
    assert after.referee.deadline == 9000.0 + CLOCK.return_wait + WHOLE
    after.back(0)
    after.answer(0, 1)
    assert after.referee.deadline == 9000.0 + CLOCK.return_wait + WHOLE  # for the others
    after.wait(CLOCK.return_wait + WHOLE - TICK)
    assert after.wake() == []
    after.wait(TICK)
    faults = after.wake()[:-1]
    assert faults == [Fault(seat, "DISCONNECTED", forfeits=False) for seat in range(1, seats)]
    after.written()
    assert after.open_asks == list(range(seats))
    # Once is enough: from here on their time is everybody's.
    least = CLOCK.base + CLOCK.lag_allowance
    assert after.referee.deadline == after.at + least
    state = after.referee.state
    assert state is not None
    assert after.back(1)[-1] == after.asks[0]._replace(
        seat=1, ask_id=after.asks[0].ask_id + 1, legal=state.legal(1), bank=0.0
    )


def test_who_is_back_and_leaves_again_has_no_more_time_than_anybody() -> None:
    before = Desk.dealt()
    after = Desk(before.opening)
    after.resume(before.events)
    for seat in range(3):
        after.back(seat)
    due = after.referee.deadline
    after.lost(1)
    after.wait(CLOCK.base)
    after.back(1)
    assert after.referee.deadline == due
    assert after.asks[1].time_left == 0.0


def test_who_forfeited_before_is_not_asked_afterwards() -> None:
    before = Desk.dealt()
    before.resign(1)
    before.answer_all()
    after = Desk(before.opening)
    assert after.resume(before.events) == []
    assert after.referee.forfeited == {1}
    for seat in range(3):
        after.back(seat)
    assert after.open_asks == [0, 2]
    assert [ask.seat for ask in after.every(Ask)] == [0, 2]
    assert after.play_on().match.forfeited == {1}


def test_a_table_that_everybody_left_is_played_out_after_a_restart_too() -> None:
    before = Desk.dealt()
    for seat in range(3):
        before.resign(seat)
    before.written()
    after = Desk(before.opening)
    assert kinds(after.resume(before.events)) == ["Write"]
    after.play_on()


def test_before_the_deal_seats_send_their_nonces_again() -> None:
    desk = Desk(opening("summer", 3, sends=[True, True, False]))
    assert desk.resume([]) == []
    assert desk.referee.deadline == desk.at + CLOCK.return_wait
    assert seats_of([*desk.back(0), *desk.back(1), *desk.back(2)]) == [0, 1, 2]
    assert desk.nonce(0, own_nonce(0)) == []
    assert kinds(desk.nonce(1, own_nonce(1))) == ["Write"]
    assert kinds(desk.written()) == ["Ask"] * 3
    assert desk.referee.deadline == desk.now.fair + WHOLE
    desk.play_on()


def test_before_the_deal_those_who_stay_away_are_waited_for_once() -> None:
    desk = Desk(opening("summer", 3, sends=[True] * 3))
    desk.resume([])
    desk.back(0)
    desk.nonce(0, own_nonce(0))
    desk.wait(CLOCK.return_wait - TICK)
    assert desk.wake() == []
    desk.wait(TICK)
    assert kinds(desk.wake()) == ["Write"]
    assert [ask.seat for ask in desk.written() if isinstance(ask, Ask)] == [0]
    assert desk.open_asks == [0, 1, 2]
    assert kinds(desk.back(1)) == ["Start", "Ask"]


def test_before_the_deal_nobody_waits_for_nonces_that_nobody_sends() -> None:
    desk = Desk(opening("summer", 3))
    desk.resume([])
    for seat in range(3):
        desk.back(seat)
    assert desk.unwritten is not None


@where_all_are_asked
def test_an_ask_with_another_view_has_another_id(form: str, seats: int) -> None:
    """The last steps of a journal can get lost; what is chosen then may be something else."""
    before = Desk.dealt(form, seats)
    first = dict(before.asks)
    before.answer_all(0)
    second = dict(before.asks)
    for last in (0, -1):
        after = Desk(before.opening, 5000.0)
        after.resume(before.events[:1])
        for seat in range(seats):
            after.back(seat)
        assert {seat: ask.ask_id for seat, ask in after.asks.items()} == {
            seat: ask.ask_id for seat, ask in first.items()
        }
        after.answer(0, range(len(after.asks[0].legal))[last])
        after.answer_all(0)
        for seat, ask in after.asks.items():
            same = ask.state.view(seat) == second[seat].state.view(seat)
            assert (ask.ask_id == second[seat].ask_id) == same == (last == 0)


def first_ids(begun: Opening, nonce: bytes | None = None) -> set[int]:
    """The ids of the first asks of a match."""
    desk = Desk(begun)
    desk.open()
    if nonce is not None:
        desk.nonce(0, nonce)
    desk.written()
    return {ask.ask_id for ask in desk.asks.values()}


def test_another_deal_has_other_ids() -> None:
    begun = opening("summer", 3, sends=[1, 0, 0])
    assert first_ids(begun, bytes(16)).isdisjoint(first_ids(begun, b"n" * 16))


@where_all_are_asked
def test_another_seed_has_other_ids_even_where_nobody_sends_a_nonce(form: str, seats: int) -> None:
    """The opening of a match can get lost as well; then its seed is drawn anew."""
    ids = [first_ids(opening(form, seats, seed=seed)) for seed in (1, 2, 1)]
    assert ids[0].isdisjoint(ids[1])
    assert ids[0] == ids[2]


def test_ids_do_not_tell_who_shares_a_deal_or_what_others_chose() -> None:
    """Somebody who knows nonces and choices, but not the seed, can't tell an id from another."""
    begun = opening("summer", 3)
    sister = begun._replace(match=begun.match._replace(id="SISTER"))
    assert first_ids(begun).isdisjoint(first_ids(sister))
    marks = set()
    for seed in range(20):
        desk = Desk.dealt("dino-twist-small", 3, seed=seed)
        marks.add(desk.asks[desk.open_asks[0]].ask_id)
    assert len(marks) == 20
