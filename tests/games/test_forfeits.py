"""A record can't lie about faults and forfeits: they follow from its decisions and its clock."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.refereed import CLOCK, Refereed, refereed
from tests.games.tables import TABLES, match, matches

from paddock_games import BadRecord, read_record, verify, write_record
from paddock_games.game import FAULTS

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)


def recorded(played: Refereed) -> dict[str, Any]:
    """The record of a match as JSON gives it back."""
    record: dict[str, Any] = json.loads(json.dumps(write_record(*played)))
    return record


def problem(record: Any) -> str:
    """What is wrong with a record; empty where nothing is."""
    try:
        verify(read_record(json.dumps(record)))
    except BadRecord as wrong:
        return str(wrong)
    return ""


def ranked(record: dict[str, Any], end: Any) -> dict[str, Any]:
    """The record with the ranks that its forfeits lead to: a liar would see to that."""
    gone = {seat for seat, each in enumerate(record["seats"]) if each["forfeit"]}
    return {**record, "ranks": list(end.result().ranks(gone))}


def troubled(form: str, seats: int) -> Iterator[Refereed]:
    """Matches of which some seats forfeit and some do not."""
    for number in range(60):
        played = refereed(match(form, seats, number=number), trouble=0.08 + number / 400)
        if 0 < len(played.match.forfeited) < seats:
            yield played


@every_table
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_faults_and_forfeits_that_happened_check_out(
    form: str, seats: int, data: st.DataObject
) -> None:
    trouble = data.draw(st.sampled_from([0.0, 0.1, 0.3, 1.0]))
    assert problem(recorded(refereed(data.draw(matches(form, seats)), trouble))) == ""


@every_table
def test_a_forfeit_that_did_not_happen_is_named(form: str, seats: int) -> None:
    """The winner can't be made the last."""
    played = refereed(match(form, seats, number=3), trouble=0.0)
    for seat in range(seats):
        record = recorded(played)
        record["seats"][seat]["forfeit"] = True
        wrong = f"seats[{seat}].forfeit: is true, but the seat has neither resigned nor "
        assert problem(ranked(record, played.end)) == f"{wrong}2 faults in a row"
        record["seats"][seat] |= {"forfeit_reason": "RESIGNED", "forfeit_step": 3}
        assert problem(ranked(record, played.end)) == f"{wrong}2 faults in a row"
        del record["clock"]
        assert problem(ranked(record, played.end)).startswith(wrong)


@every_table
def test_every_lie_about_a_forfeit_is_named(form: str, seats: int) -> None:
    played = next(troubled(form, seats))
    seat = min(played.match.forfeited)
    why = played.match.seats[seat].forfeited
    assert why is not None
    where = f"seats[{seat}]"
    lies: list[tuple[str, Any, str]] = [
        ("forfeit", False, f"{where}.forfeit: is false, but the seat forfeited in step {why.step}"),
        ("forfeit_step", why.step + 1, f"{where}.forfeit_step: is {why.step + 1}, but must be"),
        ("forfeit_step", -1, f"{where}.forfeit_step: must be a whole number from 0 to"),
    ]
    reasons = {*FAULTS, "BORED"} - {why.reason}
    lies += [("forfeit_reason", reason, f"{where}.forfeit_reason: ") for reason in reasons]
    for key, value, words in lies:
        record = recorded(played)
        record["seats"][seat][key] = value
        assert problem(ranked(record, played.end)).startswith(words)
    for key in ("forfeit_reason", "forfeit_step"):
        record = recorded(played)
        del record["seats"][seat][key]
        assert problem(record) == f"{where}: the key {key!r} is missing"
    other = next(each for each in range(seats) if each not in played.match.forfeited)
    record = recorded(played)
    record["seats"][other]["forfeit_reason"] = "TIMEOUT"
    assert problem(record).startswith(f"seats[{other}].forfeit_reason: must be absent")


def timings(node: Any) -> Iterator[Any]:
    """Every decision of a record's games that has a time."""
    if isinstance(node, dict) and "lag_ms" in node:
        yield node
    for inner in node.values() if isinstance(node, dict) else node if type(node) is list else ():
        yield from timings(inner)


@every_table
def test_a_fault_belongs_to_the_choice_of_the_referee(form: str, seats: int) -> None:
    """Blaming a bot for its own choice is named, and so is a fault that disappears."""
    played = refereed(match(form, seats, number=5), trouble=0.0)
    record = recorded(played)
    named = 0
    for decision in timings(record["games"]):
        decision["fault"] = "TIMEOUT"
        wrong = problem(record)
        assert not wrong or "the choice with the fault TIMEOUT must be " in wrong
        assert not wrong or wrong.startswith(("games[0].", "games[1]."))
        named += bool(wrong)
        decision["fault"] = None
    assert named > 2 * seats
    played = next(troubled(form, seats))
    record = recorded(played)
    for decision in timings(record["games"]):
        truth, decision["fault"] = decision["fault"], None
        forfeits = truth is not None and "charge_ms" not in decision
        assert not forfeits or problem(record)  # after the forfeit nothing is the seat's own
        decision["fault"] = truth
    assert problem(record) == ""


@every_table
def test_the_clock_decides_who_forfeited(form: str, seats: int) -> None:
    for played in troubled(form, seats):
        reasons = {each.forfeited.reason for each in played.match.seats if each.forfeited}
        if reasons - {"RESIGNED"}:
            break
    record = recorded(played)
    record["clock"]["max_faults"] = CLOCK.max_faults + 1
    assert problem(record).startswith("seats[")
    record["clock"]["max_faults"] = -1
    assert problem(record).startswith("clock.max_faults: must be a whole number")
    record["clock"] = None
    assert problem(record).startswith("clock: must be an object")


def test_with_a_clock_every_decision_has_its_time() -> None:
    """Or the faults of a whole phase could be left out."""
    record = recorded(refereed(match("two-player", 2, number=1), trouble=0.0))
    del record["games"][0]["turns"][4]["discard_timings"]
    assert problem(record) == "games[0].turns[4]: seat 0: its time is missing"
    del record["clock"]
    assert problem(record) == ""


@every_table
def test_an_older_record_is_checked_as_far_as_it_goes(form: str, seats: int) -> None:
    """Neither clock nor reasons: who forfeited must at least have been played out to the end."""
    checked = 0
    for played in islice(troubled(form, seats), 8):
        record = recorded(played)
        del record["clock"]
        for seat in record["seats"]:
            seat.pop("forfeit_reason", None)
            seat.pop("forfeit_step", None)
        assert problem(record) == ""
        for seat, each in enumerate(played.match.seats):
            faults = [step.timings[seat].fault for step in played.steps if seat in step.timings]
            if "RESIGNED" in faults:
                record["seats"][seat]["forfeit"] = False
                expected = f"seats[{seat}].forfeit: is false, but the seat forfeited"
            elif faults[-1] is None:
                record["seats"][seat]["forfeit"] = True
                expected = f"seats[{seat}].forfeit: is true, but the seat has neither resigned nor"
            else:
                continue
            assert problem(ranked(record, played.end)).startswith(expected)
            record["seats"][seat]["forfeit"] = each.forfeit
            checked += 1
    assert checked
