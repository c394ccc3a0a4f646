"""`paddock.replay`: the asks of a record are those that its referee sent."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock import Ask, Clock, replay
from paddock.ask import read_ask
from paddock.match import read_match
from paddock.v1 import arena_pb2
from paddock_games import BadRecord, write_record
from paddock_server.referee import commands
from paddock_server.wire import items
from tests.games.tables import TABLES, match, options, played
from tests.referee.desk import CLOCK, Desk, opening
from tests.referee.script import Script, Server

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)


def _item(frame: bytes) -> arena_pb2.RefereeItem:
    (item,) = arena_pb2.PlayResponse.FromString(frame).items
    return item


def _sent(desk: Desk, seat: int) -> list[Ask]:
    """What the SDK made of every ask that the seat was sent."""
    told = desk.opening.match
    match_ = read_match(_item(items.started(told, seat, desk.opening.clock, b"")).match_started)
    asks = []
    for command in desk.every(commands.Ask):
        if command.seat == seat:
            shared = items.table(told, command.state)
            asks.append(read_ask(_item(items.ask(told, command, shared)).ask, match_))
    return asks


@every_table
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_the_asks_are_those_that_the_referee_sent(
    form: str, seats: int, data: st.DataObject
) -> None:
    """Faults, overruns, resignations and forfeits included."""
    trouble = data.draw(st.sampled_from([0.0, 0.1, 0.4]))
    rules = data.draw(st.sampled_from(options(form)))
    seed = data.draw(st.integers(0, 2**32 - 1))
    server = Server(opening(form, seats, rules=rules, seed=seed), Script(seed, trouble))
    record: Any = server.play()
    steps = server.desk.referee.steps
    for seat in range(seats):
        sent = _sent(server.desk, seat)
        again = list(replay.asks(record, seat))
        assert [each.ask._replace(id=0) for each in again] == [ask._replace(id=0) for ask in sent]
        assert len({each.ask.id for each in again}) == len(again)
        mine = [step for step in steps if seat in step.choices][: len(again)]
        assert [each.choice for each in again] == [step.choices[seat] for step in mine]
        assert [each.fault for each in again] == [step.timings[seat].fault for step in mine]
        for ask, choice, _ in again:
            assert choice in ask.legal
            assert ask.view.seat == ask.match.seat == seat


@pytest.fixture
def record() -> dict[str, Any]:
    one = match("winter", 4, number=6)
    seated = [each._replace(bot=bot) for each, bot in zip(one.seats, "abca", strict=True)]
    one = one._replace(seats=seated)
    return write_record(one, *played(one))


def test_a_record_comes_as_a_dict_as_text_and_as_a_file(
    record: dict[str, Any], tmp_path: Path
) -> None:
    line = json.dumps(record)
    expected = list(replay.asks(record, 2))
    assert len(expected) >= 12
    assert list(replay.asks(line, "c")) == expected
    assert list(replay.asks(f" {line}\n".encode(), "2")) == expected
    file = tmp_path / "matches.jsonl"
    another = {**record, "match": f"not {record['match']}"}
    file.write_text(f"{json.dumps(another)}\n\n{line}\n")
    assert list(replay.asks(file, 2, match=2)) == expected
    assert list(replay.asks(str(file), 2, match=record["match"])) == expected
    assert [each.ask.match.id for each in replay.asks(file, 2)] == [another["match"]] * len(
        expected
    )


def test_a_match_that_nobody_timed_has_the_usual_clock(record: dict[str, Any]) -> None:
    ask = next(replay.asks(record, 0)).ask
    assert ask.match.clock == Clock(1000, 10_000, 200, 3)
    assert (ask.time_ms, ask.bank_ms) == (1000, 10_000)
    assert Clock() == type(CLOCK)().in_ms()  # the server's own default


def test_what_is_wrong_is_one_sentence(record: dict[str, Any], tmp_path: Path) -> None:
    """At once, not when the first ask is taken."""
    file = tmp_path / "matches.jsonl"
    file.write_text(f"{json.dumps(record)}\n[]\n")
    for given_, seat, number, words in (
        (record, 4, 1, "seat: there is no seat 4; seats go from 0 to 3"),
        (record, -1, 1, "seat: there is no seat -1; seats go from 0 to 3"),
        (record, "a", 1, "seat: a sits in several seats; give one of 0, 3"),
        (record, "nobody", 1, "seat: no bot 'nobody' in this match; give one of a, b, c, a"),
        ({}, 0, 1, "the key 'record' is missing"),
        ("{", 0, 1, "is not JSON: "),
        (file, 0, 2, "the line is not a match record: it must be a JSON object"),
        (file, 0, 3, f"match: {file} has no match 3; give a number from 1 or a match id"),
    ):
        with pytest.raises(BadRecord) as refused:
            replay.asks(given_, seat, number)
        assert str(refused.value).startswith(words)
    with pytest.raises(FileNotFoundError):
        replay.asks(tmp_path / "none.jsonl", 0)
