"""Promise 5: one answer counts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_games.draftosaurus import Choice
from paddock_server.referee.answers import MALFORMED
from paddock_server.referee.commands import Fault, Refuse
from tests.games.tables import REFEREED, TOGETHER, options
from tests.referee.desk import CLOCK, TICK, Desk, choosers, difference, kinds, revealed

every_table = pytest.mark.parametrize(("form", "seats"), REFEREED)
where_all_are_asked = pytest.mark.parametrize(("form", "seats"), TOGETHER)


def elsewhere(legal: Sequence[Choice]) -> Choice:
    """A pen that is not on the board, or not open."""
    both = [Choice("PLACE", "T_REX", pen) for pen in ("WOODY_TRIO", "LOOKOUT")]
    return next(choice for choice in both if choice not in legal)


NOT_LEGAL: Mapping[str, Callable[[Sequence[Choice]], object]] = {
    "the number behind the last": len,
    "a negative number": lambda _: -1,
    "a huge number": lambda _: 2**32 - 1,
    "nothing": lambda _: None,
    "a list": lambda _: [],
    "a choice of another phase": lambda _: Choice("MOVE", "T_REX", "RIVER"),
    "a choice of the other board": elsewhere,
}


@every_table
@settings(max_examples=5)
@given(data=st.data())
def test_a_number_is_as_good_as_the_choice_itself(
    form: str, seats: int, data: st.DataObject
) -> None:
    """Two equal matches, one answered by numbers, one by choices, have equal records."""
    rules = data.draw(st.sampled_from(options(form)))
    chooser = data.draw(choosers)
    by_number, by_choice = (Desk.dealt(form, seats, rules=rules) for _ in range(2))
    while by_number.record is None:
        for seat in by_number.open_asks:
            legal = by_number.asks[seat].state.legal(seat)
            number = chooser.randrange(len(legal))
            by_number.answer(seat, number)
            by_choice.answer(seat, legal[number])
        (reveal,) = revealed(by_number.written())
        assert revealed(by_choice.written()) == [reveal]
    assert difference(by_number.record, by_choice.record) == ""


@every_table
def test_every_legal_number_stands_for_its_choice(form: str, seats: int) -> None:
    legal = Desk.dealt(form, seats).asks[0].state.legal(0)
    for number, choice in enumerate(legal):
        desk = Desk.dealt(form, seats)
        desk.answer(0, number)
        (reveal,) = revealed(desk.answer_all())
        assert reveal.step.choices[0] is choice


@every_table
@pytest.mark.parametrize("wrong", NOT_LEGAL.values(), ids=NOT_LEGAL)
def test_what_is_not_legal_is_refused_and_may_be_put_right(
    form: str, seats: int, wrong: Any
) -> None:
    desk = Desk.dealt(form, seats)
    legal = desk.asks[0].state.legal(0)
    asked, due = desk.asks[0].ask_id, desk.referee.deadline
    (refused,) = desk.answer(0, wrong(legal))
    assert isinstance(refused, Refuse)
    assert refused[:3] == (0, asked, "choice/illegal")
    assert f"{len(legal)} legal choices" in refused.sentence
    assert desk.referee.deadline == due
    desk.wait(CLOCK.base)
    assert desk.answer(0, 1) == []
    (reveal,) = revealed(desk.answer_all())
    assert reveal.step.choices[0] is legal[1]
    assert [timing.fault for timing in reveal.step.timings.values()] == [None] * seats
    assert desk.banks == [CLOCK.bank] * seats


def test_what_cannot_be_read_is_refused_and_may_be_put_right() -> None:
    desk = Desk.dealt()
    (refused,) = desk.answer(0, MALFORMED)
    assert isinstance(refused, Refuse)
    assert refused[:3] == (0, desk.asks[0].ask_id, "choice/malformed")
    assert desk.answer(0, 0) == []
    (reveal,) = revealed(desk.answer_all())
    assert reveal.step.timings[0].fault is None


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ([], "TIMEOUT"),
        ([999], "ILLEGAL"),
        ([MALFORMED], "MALFORMED"),
        ([999, MALFORMED], "ILLEGAL"),
        ([MALFORMED, 999], "ILLEGAL"),
    ],
)
def test_what_was_not_put_right_names_the_fault(answers: list[Any], fault: str) -> None:
    desk = Desk.dealt()
    for answer in answers:
        desk.answer(1, answer)
    desk.answer(0)
    desk.answer(2)
    assert desk.sleep_until_due()[0] == Fault(1, fault, forfeits=False)
    (reveal,) = revealed(desk.written())
    assert reveal.step.timings[1].fault == fault
    assert reveal.step.choices[1] == reveal.step.state.default(1)
    # What was wrong with one ask is not held against the next.
    desk.answer(0)
    desk.answer(2)
    assert desk.sleep_until_due()[0] == Fault(1, "TIMEOUT", forfeits=False)


@where_all_are_asked
def test_the_first_legal_answer_counts_and_repetitions_are_ignored(form: str, seats: int) -> None:
    desk = Desk.dealt(form, seats)
    legal = desk.asks[0].state.legal(0)
    asked = desk.asks[0].ask_id
    desk.wait(1.5)
    desk.answer(0, 1)
    banks = desk.banks
    for again in (1, 0, legal[0], 999, MALFORMED, None):
        desk.wait(TICK)
        assert desk.answer(0, again) == []
    assert desk.banks == banks
    (reveal,) = revealed(desk.answer_all())
    assert reveal.step.choices[0] is legal[1]
    assert reveal.step.timings[0].ms == 1500
    # Also when the next ask is open, and when the match is over.
    assert desk.answer(0, 0, asked=asked) == []
    assert desk.open_asks == list(desk.referee.steps[-1].state.to_move)
    desk.play_on()
    assert desk.referee.choice(0, asked, 0, desk.now, 0.0) == []


@every_table
@pytest.mark.parametrize("answer", [0, 999, MALFORMED], ids=["legal", "illegal", "malformed"])
def test_an_answer_to_no_open_ask_is_told_so_and_costs_nothing(
    form: str, seats: int, answer: Any
) -> None:
    desk = Desk.dealt(form, seats)
    ahead = desk.asks[0].ask_id + 8  # the next step's
    others = desk.asks[1].ask_id
    for asked in (0, 1, ahead, others, 2**63):
        (refused,) = desk.answer(0, answer, asked=asked)
        assert isinstance(refused, Refuse)
        assert refused[:3] == (0, asked, "choice/stale")
    assert desk.banks == [CLOCK.bank] * seats
    assert desk.open_asks == list(range(seats))
    assert revealed(desk.answer_all()) != []
    assert desk.every(Fault) == []


def test_an_answer_that_comes_too_late_is_told_so() -> None:
    """The bot never had an answer taken for this ask: this is no repetition, but stale."""
    desk = Desk.dealt()
    late = desk.asks[1].ask_id
    desk.answer(0)
    desk.answer(2)
    desk.sleep_until_due()
    for _ in range(2):  # while it is being written, and when the next step is open
        said = desk.answer(1, 0, asked=late)
        assert [command[:3] for command in said] == [(1, late, "choice/stale")]
        if desk.unwritten is not None:
            desk.written()
    assert desk.banks[1] == 0.0
    assert desk.answer(1) == []  # and the open ask can be answered


def test_before_the_deal_and_after_the_end_every_answer_is_stale() -> None:
    desk = Desk.dealt()
    desk.play_on()
    for seat in range(3):
        (refused,) = desk.referee.choice(seat, 12345, 0, desk.now, 0.0)
        assert kinds([refused]) == ["Refuse"]
    early = Desk(desk.opening)
    early.open()
    assert kinds(early.answer(0, asked=1)) == ["Refuse"]
    assert kinds(early.answer(0, MALFORMED, asked=1)) == ["Refuse"]
