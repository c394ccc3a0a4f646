"""Promise 6: faults are results, not exceptions; the others' match goes on."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.referee.answers import MALFORMED, Fallback
from paddock_server.referee.commands import Ask, Fault, Finish
from paddock_server.store.match_json import event_text, read_event
from tests.games.tables import REFEREED, TOGETHER
from tests.referee.desk import CLOCK, Desk, kinds, opening

every_table = pytest.mark.parametrize(("form", "seats"), REFEREED)
GOOD, SILENT, ILLEGAL, MANGLED = 0, None, 999, MALFORMED


def decide(desk: Desk, seat: int, answer: object) -> list[Fault]:
    """One step in which the seat does this and the others answer; the faults noted in it."""
    noted = len(desk.every(Fault))
    for other in desk.open_asks:
        if other != seat:
            desk.answer(other)
    if seat in desk.open_asks and answer is not SILENT:
        desk.answer(seat, answer)
    if desk.unwritten is None:
        desk.sleep_until_due()
    desk.written()
    return desk.every(Fault)[noted:]


@settings(max_examples=60)
@given(
    table=st.sampled_from(TOGETHER),
    most=st.integers(1, 4),
    does=st.lists(st.sampled_from([GOOD, SILENT, ILLEGAL, MANGLED]), max_size=12),
)
def test_so_many_faults_in_a_row_forfeit_and_a_good_answer_begins_anew(
    table: tuple[str, int], most: int, does: list[object]
) -> None:
    form, seats = table
    desk = Desk.dealt(form, seats, clock=CLOCK._replace(max_faults=most))
    row = 0
    for answer in does:
        assert desk.referee.forfeited == frozenset()
        row = row + 1 if answer is not GOOD else 0
        names: dict[object, str] = {SILENT: "TIMEOUT", ILLEGAL: "ILLEGAL", MANGLED: "MALFORMED"}
        faults = decide(desk, 1, answer)
        assert faults == ([Fault(1, names[answer], row == most)] if row else [])
        assert desk.referee.chairs[1].faults_in_a_row == row
        if row == most:
            break
    gone = desk.referee.forfeited
    assert gone == ({1} if row == most else frozenset())
    asked = len(desk.every(Ask))
    match, steps, _ = desk.play_on()
    assert match.forfeited == gone
    assert gone.isdisjoint(ask.seat for ask in desk.every(Ask)[asked:])
    for step in steps[len(does) :] if gone else ():
        if 1 in step.choices:
            assert step.choices[1] == step.state.default(1)
            assert step.timings[1].fault is not None


@every_table
@pytest.mark.parametrize("how", ["silent", "resigned", "resigned before the deal"])
def test_who_forfeits_ranks_last_and_the_others_play_on(form: str, seats: int, how: str) -> None:
    desk = Desk(opening(form, seats))
    desk.open()
    if how == "resigned before the deal":
        assert desk.resign(0) == [Fault(0, "RESIGNED", forfeits=True)]
    desk.written()
    if how == "resigned":
        assert desk.resign(0) == [Fault(0, "RESIGNED", forfeits=True)]
    while how == "silent" and not desk.referee.forfeited:
        decide(desk, 0, SILENT)
    match, steps, end = desk.play_on()
    assert match.forfeited == {0}
    assert desk.record is not None
    ranks = desk.record["ranks"]
    assert ranks[0] == seats
    assert [seat["forfeit"] for seat in desk.record["seats"]] == [True] + [False] * (seats - 1)
    # Among the others nothing has changed: they rank as their points do.
    totals, tie_breaks = end.result()
    keys = [(-totals[seat], tie_breaks[seat]) for seat in range(1, seats)]
    assert ranks[1:] == [1 + sum(other < key for other in keys) for key in keys]
    why = "TIMEOUT" if how == "silent" else "RESIGNED"
    for step in steps:
        for seat, timing in step.timings.items():
            assert timing.fault == (None if seat else why)
    (finish,) = desk.every(Finish)
    assert finish.results[0].faults == sum(0 in step.choices for step in steps)
    assert [result.faults for result in finish.results[1:]] == [0] * (seats - 1)


@every_table
@settings(max_examples=5)
@given(data=st.data())
def test_a_seat_resigns_whenever_it_likes(form: str, seats: int, data: st.DataObject) -> None:
    """Asked, having answered, while a step is written, twice, disconnected: the match ends well."""
    desk = Desk(opening(form, seats))
    desk.open()
    resigned: set[int] = set()
    for seat in data.draw(st.lists(st.integers(0, seats - 1), max_size=3 * seats)):
        for _ in range(data.draw(st.integers(0, 2 * seats))):
            if desk.unwritten is not None:
                desk.written()
            elif desk.open_asks:
                desk.answer(desk.open_asks[-1])
        if data.draw(st.booleans()):
            desk.lost(seat)
            desk.back(seat)
        if desk.record is None:
            said = desk.resign(seat)
            expected = [] if seat in resigned else [Fault(seat, "RESIGNED", forfeits=True)]
            assert [command for command in said if isinstance(command, Fault)] == expected
            assert seat not in desk.open_asks
            resigned.add(seat)
        else:
            assert desk.referee.resign(seat, desk.now) == []
    match, steps, _ = desk.play_on()
    # Who resigned with nothing left to decide has played to the end.
    assert match.forfeited == {
        seat
        for seat in resigned
        if any(seat in step.timings and step.timings[seat].fault for step in steps)
    }
    for step in steps:
        for seat, timing in step.timings.items():
            assert timing.fault in ({None, "RESIGNED"} if seat in resigned else {None})


@every_table
@settings(max_examples=5)
@given(data=st.data())
def test_a_fallback_plays_the_default_and_is_no_fault(
    form: str, seats: int, data: st.DataObject
) -> None:
    """Kept in the journal and the record, counted, and charged like any answer."""
    desk = Desk.dealt(form, seats)
    fallbacks = 0
    while desk.record is None:
        if desk.unwritten is not None:
            assert desk.written()
            continue
        seat = desk.open_asks[0]
        if seat == 1 and data.draw(st.booleans()):
            fallbacks += 1
            desk.wait(0.5).answer(seat, Fallback(f"bug {fallbacks}"))
        else:
            desk.answer(seat)
    assert desk.every(Fault) == []
    match, steps, _ = desk.checked
    assert match.forfeited == frozenset()
    kept = [
        step.timings[1]
        for step in steps
        if 1 in step.timings and step.timings[1].fallback is not None
    ]
    assert [timing.fallback for timing in kept] == [f"bug {at + 1}" for at in range(fallbacks)]
    assert {(timing.fault, timing.charge_ms) for timing in kept} <= {(None, 500.0)}
    for step in steps:
        if 1 in step.timings and step.timings[1].fallback is not None:
            assert step.choices[1] == step.state.default(1)
    again = Desk(desk.opening)
    again.resume(desk.events)
    for one in (desk, again):
        (finish,) = one.every(Finish)
        assert [result.fallbacks for result in finish.results] == [
            fallbacks if seat == 1 else 0 for seat in range(seats)
        ]
        assert [result.faults for result in finish.results] == [0] * seats


def test_a_fallback_begins_the_count_of_faults_anew() -> None:
    desk = Desk.dealt(clock=CLOCK._replace(max_faults=2))
    for answer in (ILLEGAL, Fallback("a bug"), ILLEGAL):
        decide(desk, 1, answer)
    assert desk.referee.forfeited == frozenset()
    timings = [step.timings[1] for step in desk.referee.steps]
    assert [timing.fault for timing in timings] == ["ILLEGAL", None, "ILLEGAL"]
    assert [timing.fallback for timing in timings] == [None, "a bug", None]


def test_a_journal_from_before_fallbacks_is_read() -> None:
    desk = Desk.dealt()
    desk.answer_all()
    stored = json.loads(event_text(desk.events[1]))
    stored["timings"] = [timing[:4] for timing in stored["timings"]]
    after = Desk(desk.opening)
    after.resume([desk.events[0], read_event(json.dumps(stored))])
    assert after.referee.steps == desk.referee.steps


def test_an_answer_given_before_the_resignation_stands() -> None:
    desk = Desk.dealt()
    desk.answer(0, 1)
    chosen = desk.asks[0].state.legal(0)[1]
    desk.resign(0)
    desk.answer_all()
    assert desk.referee.steps[0].choices[0] is chosen
    assert desk.referee.steps[0].timings[0].fault is None
    desk.answer_all()
    assert desk.referee.steps[1].timings[0].fault == "RESIGNED"


def test_a_resignation_completes_a_step_that_waited_for_it_alone() -> None:
    desk = Desk.dealt()
    desk.answer(0)
    desk.answer(1)
    assert kinds(desk.resign(2)) == ["Fault", "Write"]


def test_a_resignation_with_nothing_left_to_decide_changes_nothing() -> None:
    """Every decision was the seat's own, so its record could show no reason to rank it last."""
    desk = Desk.dealt()
    for _ in range(11):  # of the twelve turns of summer
        desk.answer_all()
    for seat in range(3):
        desk.answer(seat)
    assert desk.resign(1) == [Fault(1, "RESIGNED", forfeits=True)]
    assert kinds(desk.written()) == ["Reveal", "Finish"]
    match, _, end = desk.checked
    assert match.forfeited == frozenset()
    assert desk.record is not None
    assert desk.record["ranks"] == list(end.result().ranks())


def test_a_record_says_why_and_when_a_seat_forfeited() -> None:
    desk = Desk.dealt()
    desk.answer_all()
    decide(desk, 1, ILLEGAL)
    decide(desk, 1, SILENT)
    decide(desk, 1, MANGLED)  # the third in a row, in the fourth step
    desk.resign(2)
    desk.play_on()
    assert desk.record is not None
    reasons = [
        (seat["forfeit"], seat.get("forfeit_reason"), seat.get("forfeit_step"))
        for seat in desk.record["seats"]
    ]
    assert reasons == [(False, None, None), (True, "MALFORMED", 3), (True, "RESIGNED", 4)]
    assert desk.record["clock"] == {
        "base_ms": 1000, "bank_ms": 10_000, "lag_allowance_ms": 250, "max_faults": 3,
    }  # fmt: skip


@every_table
def test_when_everybody_is_gone_the_match_is_played_out_at_once(form: str, seats: int) -> None:
    desk = Desk.dealt(form, seats)
    for seat in range(seats):
        desk.resign(seat)
    steps = 0
    while desk.record is None:
        assert desk.referee.deadline is None  # there is nothing to wait for but the disk
        desk.written()
        steps += 1
    assert desk.at == 1000.0
    assert steps == len(desk.checked.steps)
    assert len(desk.every(Ask)) == seats
