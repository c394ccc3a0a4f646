"""Promise 2: simultaneous means simultaneous; and nothing is told before it is durable."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.referee.asks import asked_match, asked_seat
from paddock_server.referee.commands import Ask, Reveal, Start, Write
from tests.games.tables import REFEREED, options
from tests.referee.desk import NUMBER, Desk, choosers, kinds, opening, revealed

every_table = pytest.mark.parametrize(("form", "seats"), REFEREED)


@every_table
@settings(max_examples=5)
@given(data=st.data())
def test_all_are_asked_together_and_nothing_is_told_before_all_is_in_and_durable(
    form: str, seats: int, data: st.DataObject
) -> None:
    rules = data.draw(st.sampled_from(options(form)))
    chooser = data.draw(choosers)
    desk = Desk(opening(form, seats, rules=rules, seed=chooser.randrange(2**32)))
    begun = desk.open()
    assert begun[:-1] == [Start(seat) for seat in range(seats)]
    assert isinstance(begun[-1], Write)
    told = desk.written()
    state = desk.referee.state
    number = 0
    ids: set[int] = set()
    while desk.record is None:
        assert state is not None
        asks = [command for command in told if isinstance(command, Ask)]
        assert tuple(ask.seat for ask in asks) == state.to_move
        assert {ask.state for ask in asks} == {state}
        assert [asked_seat(ask.ask_id) for ask in asks] == list(state.to_move)
        assert {asked_match(ask.ask_id) for ask in asks} == {NUMBER}
        assert not ids.intersection(ask.ask_id for ask in asks)
        ids.update(ask.ask_id for ask in asks)
        order = list(state.to_move)
        chooser.shuffle(order)
        chosen = {}
        for seat in order:
            chosen[seat] = chooser.choice(state.legal(seat))
            said = desk.answer(seat, chosen[seat])
            assert desk.referee.state == state
            # Who comes back in the middle of a step is told no more than who never left.
            repeated = desk.back(order[-1])
            assert [c.state for c in repeated if isinstance(c, Ask)] == (
                [state] if seat != order[-1] else []
            )
            assert kinds(said) == (["Write"] if seat == order[-1] else [])
        assert desk.referee.deadline is None
        assert desk.wake() == []
        told = desk.written()
        after = state.step(chosen)
        assert told[0] == Reveal(number, desk.referee.steps[-1], after)
        assert told[0].step.choices == chosen
        assert kinds(told[1:]) == (["Ask"] * len(after.to_move) or ["Finish"])
        state, number = after, number + 1
    desk.checked  # noqa: B018 -- raises where the record is wrong


@every_table
def test_while_a_step_is_being_written_nobody_learns_of_it(form: str, seats: int) -> None:
    desk = Desk.dealt(form, seats)
    asked = dict(desk.asks)
    for seat in desk.open_asks:
        desk.answer(seat)
    before = desk.referee.state
    for seat in range(seats):
        desk.lost(seat)
        assert desk.back(seat) == [Start(seat)]
        assert desk.answer(seat, 1) == []  # a repetition
        assert desk.nonce(seat, bytes(16)) == []
    desk.wait(1000.0)
    assert desk.wake() == []
    assert desk.referee.state is before
    assert desk.referee.steps == []
    (reveal,) = revealed(desk.written())
    assert reveal.step.choices == {s: asked[s].state.legal(s)[0] for s in asked}


@every_table
def test_a_match_ends_only_when_its_last_step_is_durable(form: str, seats: int) -> None:
    desk = Desk.dealt(form, seats)
    while not desk.referee.over:
        assert desk.record is None
        desk.answer_all()
    assert kinds(desk.said[-2:]) == ["Reveal", "Finish"]
    assert desk.referee.deadline is None
    assert desk.referee.end.to_move == ()
    numbers = [reveal.number for reveal in desk.every(Reveal)]
    assert numbers == list(range(len(desk.referee.steps)))
    assert len(desk.events) == 1 + len(numbers)  # the deal, and every step
