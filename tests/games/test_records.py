"""Records of every format: written, sent as JSON, read, played again and found right."""

import json
import re
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.refereed import CLOCK, refereed
from tests.games.tables import TABLES, match, matches, played

from paddock_games import BadRecord, Match, Step, Timing, read_record, replay, verify, write_record

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)


def full(one: Match, chooser: Random) -> Match:
    """The match with something in every field that a record has."""
    seats = [
        seated._replace(
            bot=f"bot-{chooser.randrange(99)}",
            version=f"{seat}.{chooser.randrange(9)}",
            owner=chooser.choice(["ada", "Zoë", "漢字", "\N{SAUROPOD}"]),
            cpu_share=chooser.choice([0.0, 0.5, 1.0]),
        )
        for seat, seated in enumerate(one.seats)
    ]
    return one._replace(
        seats=seats,
        tournament=chooser.choice([None, "T1"]),
        started="2026-11-15T12:00:00.000Z",
        ended="2026-11-15T12:00:01.250Z",
    )


def recorded(one: Match) -> tuple[Match, list[Step], Any, dict[str, Any]]:
    """A match with all its fields, its timed steps, its end and its record."""
    one, steps, end = refereed(full(one, Random(one.seed)))
    return one, steps, end, write_record(one, steps, end)


@every_table
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_a_record_comes_back_as_the_match_it_was_written_from(
    form: str, seats: int, data: st.DataObject
) -> None:
    one, steps, end, record = recorded(data.draw(matches(form, seats)))
    for line in (json.dumps(record), json.dumps(record, ensure_ascii=False).encode()):
        found = verify(read_record(line))
        assert found.match == one
        assert list(found.steps) == steps
        assert found.end == end
        assert replay(read_record(line)) == found
        assert write_record(*found) == record == json.loads(line)


@every_table
def test_a_record_says_everything_outside_its_games(form: str, seats: int) -> None:
    one, steps, end, record = recorded(match(form, seats, number=5))
    assert record.pop("games") == one.game.games(steps, end)
    assert record.pop("rules_version", 1) == one.game.rules_version
    assert record == {
        "record": "paddock/1",
        "match": "M5",
        "tournament": one.tournament,
        "game": one.game.name,
        "format": form,
        "rules": one.game.rules(None)._asdict(),
        "started": "2026-11-15T12:00:00.000Z",
        "ended": "2026-11-15T12:00:01.250Z",
        "clock": {
            "base_ms": CLOCK.base_ms,
            "bank_ms": CLOCK.bank_ms,
            "lag_allowance_ms": CLOCK.lag_allowance_ms,
            "max_faults": CLOCK.max_faults,
        },
        "seats": [
            {
                "bot": seated.bot,
                "version": seated.version,
                "owner": seated.owner,
                "nonce": seated.nonce.hex(),
                "forfeit": seated.forfeit,
            }
            | ({"cpu_share": seated.cpu_share} if seated.cpu_share else {})
            | (
                {}
                if seated.forfeited is None
                else {
                    "forfeit_reason": seated.forfeited.reason,
                    "forfeit_step": seated.forfeited.step,
                }
            )
            for seated in one.seats
        ],
        "fairness": {"commitment": sha256(one.seed).hexdigest(), "seed": one.seed.hex()},
        "totals": list(end.result().totals),
        "ranks": list(end.result().ranks(one.forfeited)),
    }


@every_table
def test_a_match_without_a_clock_is_dated_at_the_epoch(form: str, seats: int) -> None:
    one = match(form, seats, number=3)
    steps, end = played(one)
    record = write_record(one, steps, end)
    assert record["started"] == record["ended"] == "1970-01-01T00:00:00.000Z"
    found = verify(read_record(json.dumps(record)))
    assert found.match == one
    assert found.end == end
    assert [(step.state, dict(step.choices)) for step in found.steps] == [
        (step.state, dict(step.choices)) for step in steps
    ]


def objects(node: Any, where: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Every object of a JSON document, with its path."""
    if isinstance(node, list):
        return [found for item in node for found in objects(item, where)]
    if not isinstance(node, dict):
        return []
    below = [found for key, item in node.items() for found in objects(item, f"{where}.{key}")]
    return [(where, node), *below]


@every_table
def test_keys_that_a_reader_does_not_know_are_passed_over(form: str, seats: int) -> None:
    one, _, end, record = recorded(match(form, seats, number=8))
    for where, node in objects(record):
        if where != ".rules":  # an option that is not known may change what is legal
            node["x"] = {"note": [1, None]}
    found = verify(read_record(json.dumps(record)))
    assert (found.match, found.end) == (one, end)


@every_table
def test_a_replay_needs_no_points_and_a_verification_does(form: str, seats: int) -> None:
    _, _, end, record = recorded(match(form, seats, number=2))
    record["totals"][0] += 1
    line = json.dumps(record)
    assert replay(read_record(line)).end == end
    with pytest.raises(BadRecord, match=r"^totals\[0\]: is \d+, but must be \d+$"):
        verify(read_record(line))


@every_table
def test_a_fallback_is_the_default_choice(form: str, seats: int) -> None:
    """Every fallback that a record tells of, and no other choice, can be one."""
    one = match(form, seats, number=6)
    steps, end = played(one)
    told = [
        (at, seat, choice == step.state.default(seat))
        for at, step in enumerate(steps)
        for seat, choice in step.choices.items()
    ]
    assert {is_default for _, _, is_default in told} == {True, False}
    for wanted in (True, False):
        at, seat = next(found[:2] for found in told if found[2] is wanted)
        lie = [step._replace(timings=dict.fromkeys(step.choices, Timing())) for step in steps]
        lie[at] = lie[at]._replace(timings={**lie[at].timings, seat: Timing(fallback="a bug")})
        record = read_record(json.dumps(write_record(one, lie, end)))
        if wanted:
            assert verify(record).steps[at].timings[seat].fallback == "a bug"
        else:
            where = re.escape(one.game.place(steps[at].state))
            with pytest.raises(
                BadRecord, match=f"^{where}: seat {seat}: a fallback must be the default"
            ):
                verify(record)


@every_table
def test_a_fallback_that_makes_no_sense_is_refused(form: str, seats: int) -> None:
    wrong = {
        "fault": (Timing(fault="TIMEOUT", fallback="a bug"), "either a fault or a fallback"),
        "empty": (Timing(fallback=""), "leave the key out"),
        "control": (Timing(fallback="a\x1b[2J"), "printable"),
        "long": (Timing(fallback="x" * 201), "at most 200 characters"),
    }
    one = match(form, seats, number=7)
    steps, end = played(one)
    for timing, words in wrong.values():
        first = steps[0]._replace(timings=dict.fromkeys(steps[0].choices, timing))
        record = write_record(one, [first, *steps[1:]], end)
        with pytest.raises(BadRecord, match=rf"\.fallback: .*{words}"):
            replay(read_record(json.dumps(record)))


@pytest.mark.parametrize("share", [0, -0.5, 1.001, "0.5", True, None])
def test_a_share_of_a_core_that_can_not_be_is_refused(share: object) -> None:
    record = recorded(match("two-player", 2))[3]
    record["seats"][1]["cpu_share"] = share
    with pytest.raises(BadRecord) as caught:
        verify(read_record(json.dumps(record)))
    assert caught.value.where == "seats[1].cpu_share"


def test_where_nobody_fell_back_a_record_says_nothing_of_it() -> None:
    assert "fallback" not in Timing(1.0, 0.5, None, 0.5).written()
    assert Timing(1.0, 0.5, fallback="a bug").written()["fallback"] == "a bug"


@every_table
def test_the_timings_of_some_seats_are_enough(form: str, seats: int) -> None:
    """A step that was timed for one seat only can still be written and read."""
    one = match(form, seats, number=4)
    steps, end = played(one)
    some = [step._replace(timings={step.state.to_move[0]: Timing(2.0, 1.0)}) for step in steps]
    record = write_record(one, some, end)
    assert write_record(*verify(read_record(json.dumps(record)))) == record
