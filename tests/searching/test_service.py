"""`paddock rules serve` says what the Python API says, and survives everything else."""

import json
import subprocess
import sys
from base64 import b64encode
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.v1 import arena_pb2
from paddock_games import Match, State, game_of
from paddock_server.referee.clock import Clock
from paddock_server.searching.requests import MOST_BYTES, MOST_ENTRIES
from paddock_server.searching.service import Service
from paddock_server.wire import items
from paddock_wire import codec_of
from tests.games.tables import TABLES, match, options, played

START = (sys.executable, "-m", "paddock_server", "rules", "serve")


def ask(service: Service, **request: Any) -> dict[str, Any]:
    """The answer to a request that must succeed."""
    answer: dict[str, Any] = json.loads(service.answer(json.dumps(request).encode()))
    assert "error" not in answer, answer
    return answer


def refuse(service: Service, request: object) -> dict[str, Any]:
    """The error of a request that must fail."""
    line = request if isinstance(request, bytes) else json.dumps(request).encode()
    error: dict[str, Any] = json.loads(service.answer(line))["error"]
    assert set(error) == {"reason", "where", "sentence"}
    return error


def started(one: Match, seat: int) -> dict[str, Any]:
    """The line `started` of a match, as far as it counts."""
    return {
        "match": one.id,
        "format": one.format,
        "seats": [{"bot": "x"}] * len(one.seats),
        "seat": seat,
        "rules": one.rules._asdict(),
        "rules_version": one.rules.version,
    }


def states_of(one: Match) -> list[State]:
    """Some states of a match in which somebody is to move, from its beginning to its end."""
    steps, _ = played(one)
    return [step.state for step in steps[:: max(1, len(steps) // 6)]]


def choice_objects(one: Match, choices: Any) -> list[dict[str, Any]]:
    return [codec_of(one.format).choice_json(choice) for choice in choices]


@pytest.mark.parametrize(("form", "seats"), TABLES)
def test_everything_is_as_in_python(form: str, seats: int) -> None:
    rules = options(form)
    for number in range(3):
        one = match(form, seats, rules[number % len(rules)]._asdict(), number)
        for state in states_of(one):
            _compare(one, state, state.to_move[0], f"{form} {seats} {number}")


def _compare(one: Match, state: State, seat: int, seed: str) -> None:
    service, game = Service(), game_of(one.format)
    view = state.view(seat)
    assert ask(service, do="match", started=started(one, seat)) == {"id": None, "match": one.id}
    place = {"match": one.id, "view": codec_of(one.format).view_json(view)}
    legal = ask(service, id=7, do="legal", of=[place])
    expected = [[{"seat": seat, "choices": choice_objects(one, view.legal)}]]
    assert legal == {"id": 7, "legal": expected}
    (worlds,) = ask(service, do="imagine", of=[place], worlds=2, seed=seed)["states"]
    rng = Random(seed)
    imagined = [game.imagine(view, rng) for _ in range(2)]
    for world, mine in zip(worlds, imagined, strict=True):
        _compare_world(service, one, world, mine)
    assert ask(service, do="score", of=[place])["results"] == [_result(imagined[0])]
    (back,) = ask(service, do="view", of=[{"state": worlds[0], "seat": seat}])["views"]
    assert back == place["view"]
    assert ask(service, do="forget", states=worlds)["forgotten"] == 2


def _result(state: State) -> dict[str, Any]:
    result = state.result()
    return {"totals": list(result.totals), "ranks": list(result.ranks())}


def _compare_world(service: Service, one: Match, world: int, mine: State) -> None:
    legal = ask(service, do="legal", of=[{"state": world}])["legal"][0]
    assert legal == [
        {"seat": seat, "choices": choice_objects(one, mine.legal(seat))} for seat in mine.to_move
    ]
    numbers = {seat: len(mine.legal(seat)) // 2 for seat in mine.to_move}
    by_number = {str(seat): number for seat, number in numbers.items()}
    by_object = {str(each["seat"]): each["choices"][numbers[each["seat"]]] for each in legal}
    after = mine.step({seat: mine.legal(seat)[number] for seat, number in numbers.items()})
    of = [{"state": world, "choices": by_number}, {"state": world, "choices": by_object}]
    stepped = ask(service, do="step", of=of)
    assert stepped["to_move"] == [list(after.to_move)] * 2
    scores = ask(service, do="score", of=[{"state": new} for new in stepped["states"]])
    assert scores["results"] == [_result(after)] * 2
    play = {"do": "playout", "of": [{"state": stepped["states"][0]}], "seed": "s", "times": 2}
    rng, ends = Random("s"), []
    for _ in range(2):
        state = after
        while state.to_move:
            brain = game_of(one.format).brains["greedy"]
            state = state.step({seat: brain(state.view(seat), rng) for seat in state.to_move})
        ends.append(_result(state))
    assert ask(service, brain="greedy", **play)["results"] == [ends]
    others = ask(service, do="step", of=[{"state": world}], others="default")
    default = mine.step({seat: mine.default(seat) for seat in mine.to_move})
    assert others["to_move"] == [list(default.to_move)]


def test_messages_of_the_contract_in_base64() -> None:
    one = match("winter", 4, None, 3)
    state = states_of(one)[2]
    sent = items.started(one, 1, Clock(), bytes(16))
    message = arena_item(sent).match_started.SerializeToString()
    view = codec_of("winter").view(items.table(one, state), state.view(1))
    service = Service()
    text = b64encode(message).decode()
    assert ask(service, do="match", started=text)["match"] == one.id
    place = {"match": one.id, "view": b64encode(view).decode()}
    found = ask(service, do="legal", of=[place])["legal"]
    assert found == [[{"seat": 1, "choices": choice_objects(one, state.view(1).legal)}]]
    for wrong in ("####", b64encode(b"\xff" * 9).decode()):
        assert refuse(service, {"do": "match", "started": wrong})["where"] == "started"
        place = {"match": one.id, "view": wrong}
        assert refuse(service, {"do": "legal", "of": [place]})["where"] == "of[0].view"


def arena_item(frame: bytes) -> arena_pb2.RefereeItem:
    return arena_pb2.PlayResponse.FromString(frame).items[0]


def _ready() -> tuple[Service, dict[str, Any], int]:
    """A service with a match, a place of it and a state."""
    one = match("summer", 3, None, 1)
    state = states_of(one)[0]
    service = Service()
    ask(service, do="match", started=started(one, 0))
    place = {"match": one.id, "view": codec_of("summer").view_json(state.view(0))}
    ((world,),) = ask(service, do="imagine", of=[place])["states"]
    return service, place, world


BAD = [
    (b"", "", "is not JSON"),
    (b"\xff", "", "is not JSON"),
    (b"[1]", "", "must be an object with the key 'do'"),
    (b"[" * 100_000, "", "is nested too deeply"),
    (b" " * (MOST_BYTES + 1), "", "a line has at most 1048576 bytes"),
    ({}, "", "the key 'do' is missing"),
    ({"do": "win"}, "do", "unknown value"),
    ({"do": "legal"}, "", "the key 'of' is missing"),
    ({"do": "legal", "of": []}, "of", "must have 1 to 1000 entries, not 0"),
    ({"do": "legal", "of": [{}] * (MOST_ENTRIES + 1)}, "of", "must have 1 to 1000 entries"),
    ({"do": "legal", "of": [3]}, "of[0]", "must be an object, not 3"),
    ({"do": "legal", "of": [{"match": "no"}]}, "of[0].match", "no such match"),
    ({"do": "legal", "of": [{"state": 99}]}, "of[0].state", "no such state; the last 20000"),
    ({"do": "legal", "of": [{"state": "1"}]}, "of[0].state", "must be a whole number"),
    ({"do": "imagine", "of": [{"state": 1}]}, "of[0]", "is a state: imagine wants a view"),
    ({"do": "step", "of": [{"state": 1}]}, "of[0]", "seat 0 has no choice; give one, or name"),
    (
        {"do": "step", "of": [{"state": 1, "choices": {"0": 99, "1": 0, "2": 0}}]},
        "of[0].choices.0",
        "must be a whole number from 0 to",
    ),
    (
        {"do": "step", "of": [{"state": 1, "choices": {"7": 0}}], "others": "random"},
        "of[0].choices.7",
        "seat 7 is not to move; seats 0, 1, 2 are",
    ),
    (
        {"do": "step", "of": [{"state": 1, "choices": {"zero": 0}}]},
        "of[0].choices.zero",
        "the keys of choices are seats",
    ),
    ({"do": "step", "of": [{"state": 1, "choices": [0]}]}, "of[0].choices", "must be an object"),
    (
        {"do": "step", "of": [{"state": 1, "choices": {"0": {"kind": "EAT"}}}], "others": "random"},
        "of[0].choices.0",
        "",
    ),
    ({"do": "step", "of": [{"state": 1}], "others": "god"}, "others", "unknown value"),
    ({"do": "playout", "of": [{"state": 1}], "times": 1001}, "times", "from 1 to 1000"),
    ({"do": "playout", "of": [{"state": 1}] * 10, "times": 101}, "times", "from 1 to 100"),
    ({"do": "playout", "of": [{"state": 1}], "seed": 3}, "seed", "must be a string"),
    ({"do": "view", "of": [{"state": 1, "seat": 3}]}, "of[0].seat", "from 0 to 2"),
    ({"do": "match", "started": 3}, "started", "must be an object"),
    ({"do": "match", "started": {"format": "spring"}}, "started.format", "unknown value"),
    (
        {"do": "match", "match": "m", "started": {"format": "summer", "seats": [1]}},
        "seats",
        "summer is played with 3 to 5 seats, not 1",
    ),
    (
        {"do": "match", "started": {"format": "summer", "seats": [1, 2, 3]}},
        "",
        "a match needs a name",
    ),
    ({"do": "forget", "states": 3}, "states", "must be a list"),
]


@pytest.mark.parametrize(("request_", "where", "sentence"), BAD)
def test_a_bad_request_is_answered_with_its_place(
    request_: object, where: str, sentence: str
) -> None:
    service, _, world = _ready()
    assert world == 1
    error = refuse(service, request_)
    assert error["where"] == where
    assert sentence in error["sentence"]
    assert len(error["sentence"]) < 500
    assert ask(service, do="legal", of=[{"state": 1}])["legal"]  # and it goes on


def test_what_is_over_can_be_scored_and_not_stepped() -> None:
    one = match("two-player", 2, None, 1)
    service = Service()
    ask(service, do="match", started=started(one, 0))
    view = codec_of("two-player").view_json(one.start().view(0))
    ((world,),) = ask(service, do="imagine", of=[{"match": one.id, "view": view}])["states"]
    to_move = [0, 1]
    while to_move:
        answer = ask(service, do="step", of=[{"state": world}], others="greedy")
        (world,), (to_move,) = answer["states"], answer["to_move"]
    assert ask(service, do="legal", of=[{"state": world}])["legal"] == [[]]
    assert ask(service, do="score", of=[{"state": world}])["results"][0]["ranks"]
    place = {"state": world, "choices": {}}
    error = refuse(service, {"do": "step", "of": [place], "others": "greedy"})
    assert error["sentence"] == "nobody is to move: the match is over"


def test_old_states_and_matches_are_dropped() -> None:
    service = Service(most_states=3)
    one = match("summer", 3, None, 1)
    for number in range(300):
        ask(service, do="match", match=f"m{number}", started=started(one, 0))
    view = codec_of("summer").view_json(one.start().view(0))
    for gone in ("m0", "m43"):
        assert refuse(service, {"do": "legal", "of": [{"match": gone, "view": view}]})
    (worlds,) = ask(service, do="imagine", of=[{"match": "m44", "view": view}], worlds=5)["states"]
    assert worlds == [1, 2, 3, 4, 5]
    assert refuse(service, {"do": "legal", "of": [{"state": 2}]})["where"] == "of[0].state"
    assert ask(service, do="forget")["forgotten"] == 3


VALUES = st.none() | st.booleans() | st.integers(-3, 20) | st.sampled_from(
    [10**18, 0.5, "", "T_REX", "RIVER", [], {}, ["T_REX"] * 300, [[]], [None]]
)  # fmt: skip


@settings(max_examples=150)
@given(
    table=st.sampled_from(TABLES),
    changes=st.lists(st.tuples(st.integers(0, 400), VALUES), min_size=1, max_size=3),
    task=st.sampled_from(["legal", "imagine", "score"]),
)
def test_a_view_that_can_not_be_is_no_trouble(
    table: tuple[str, int], changes: list[tuple[int, Any]], task: str
) -> None:
    form, seats = table
    one = match(form, seats, None, 2)
    state = states_of(one)[3]
    view = json.loads(json.dumps(codec_of(form).view_json(state.view(state.to_move[0]))))
    for place, value in changes:
        _change(view, place, deepcopy(value))
    service = Service()
    ask(service, do="match", started=started(one, state.to_move[0]))
    request = {"do": task, "of": [{"match": one.id, "view": view}]}
    answer = json.loads(service.answer(json.dumps(request).encode()))
    if task == "imagine" and "states" in answer:
        playout = {"do": "playout", "of": [{"state": answer["states"][0][0]}], "brain": "greedy"}
        json.loads(service.answer(json.dumps(playout).encode()))


def _change(value: Any, place: int, new: Any) -> None:
    """Replace one value somewhere in an object or a list."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = keys[place % len(keys)]
    inner = value[key]
    if place % 3 and isinstance(inner, dict | list) and inner:
        _change(inner, place // len(keys), new)
    else:
        value[key] = new


def test_lines_over_stdin() -> None:
    one = match("dino-twist", 4, None, 1)
    lines = [
        json.dumps({"id": "a", "do": "match", "started": started(one, 0)}).encode(),
        b"",
        b"nonsense",
        b"x" * (3 * MOST_BYTES),
        json.dumps({"id": "b", "do": "forget"}).encode(),
    ]
    done = subprocess.run(START, input=b"\n".join(lines), capture_output=True, check=True)
    assert done.stderr == b""
    first, second, third, last = map(json.loads, done.stdout.splitlines())
    assert first == {"id": "a", "match": one.id}
    assert "is not JSON" in second["error"]["sentence"]
    assert "a line has at most" in third["error"]["sentence"]
    assert last == {"id": "b", "forgotten": 0}
