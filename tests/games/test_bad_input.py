"""Whatever is typed, sent or tampered with: a sentence that says what is wrong, or the right thing.

Nothing but a GamesError ever comes out, and its sentence is one printable line.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.tables import match, played

from paddock_games import GAMES, GamesError, read_record, replay, verify, write_record
from paddock_games.draftosaurus import Choice

GAME: Final = GAMES["draftosaurus"]
POSITIONS: Final = {
    "score": {
        "board": "WINTER",
        "zoos": [
            {"PYRAMID": ["T_REX", "DIPLODOCUS", None, None, None, None], "QUARANTINE": ["T_REX"]},
            {"WELL_ORDERED_WOOD": ["T_REX", "STEGOSAURUS"], "RIVER": ["SPINOSAURUS"]},
        ],
        "rules": {"prairie_capacity": 6, "quarantine_may_stay": True},
    },
    "legal": {
        "board": "SUMMER",
        "zoo": {"WOODY_TRIO": ["T_REX"], "MEADOW_OF_DIFFERENCES": ["T_REX", "STEGOSAURUS"]},
        "hand": ["T_REX", "DIPLODOCUS"],
        "die": "NO_T_REX",
        "roller": False,
        "rules": "polish",
    },
}

strings = st.text(max_size=12) | st.sampled_from(
    ["T_REX", "RIVER", "PYRAMID", "SUMMER", "winter", "PLACE", "0" * 64, "a\nb", "\x1b[2J"]
)
numbers = st.integers() | st.integers(-2, 13) | st.floats() | st.sampled_from([10**400, -(10**400)])
scalars = st.none() | st.booleans() | numbers | strings
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(strings, inner, max_size=5),
    max_leaves=15,
)


def refused(reader: Callable[[Any], object], given_value: object) -> bool:
    """Whether this is refused, which it may only be in one way."""
    try:
        reader(given_value)
    except GamesError as problem:
        where, sentence, whole = problem.where, problem.sentence, str(problem)
    else:
        return False
    assert sentence
    assert whole.isprintable(), whole
    assert whole == (f"{where}: {sentence}" if where else sentence)
    return True


def check(line: str | bytes) -> object:
    """All that can be done with a line that should be a record."""
    return verify(read_record(line))


def recorded(form: str, seats: int, rules: object = None, number: int = 1) -> dict[str, Any]:
    """The record of a match that was played at random."""
    one = match(form, seats, rules, number)
    return write_record(one, *played(one))


@cache
def records() -> list[dict[str, Any]]:
    """Records of different shapes, all of them right."""
    return [
        recorded("winter", 3),
        recorded("two-player-series", 2),
        recorded("two-player-winter", 2, {"place_after_reveal": True}),
        recorded("winter", 5, "polish"),
    ]


def spots(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a document."""
    for key in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from spots(node[key])


def tampered(document: Any, data: st.DataObject) -> Any:
    """The document with one node replaced, taken away, doubled or added."""
    document = deepcopy(document)
    node, key = data.draw(st.sampled_from(list(spots(document))))
    how = data.draw(st.sampled_from(["replace", "delete", "insert"]))
    if how == "replace":
        node[key] = data.draw(values)
    elif how == "delete":
        del node[key]
    elif isinstance(node, list):
        node.insert(key, data.draw(values | st.just(node[key])))
    else:
        node[data.draw(strings)] = data.draw(values)
    return document


@settings(max_examples=300, deadline=None)
@given(value=values)
def test_any_value_is_refused_as_record_and_as_position(value: Any) -> None:
    line = json.dumps(value)
    assert refused(check, line)
    assert refused(lambda text: replay(read_record(text)), line)
    assert refused(GAME.score, value)
    assert refused(GAME.legal, value)


@settings(max_examples=300, deadline=None)
@given(given_rules=values | st.dictionaries(st.sampled_from(GAME.rules(None)._fields), values))
def test_any_value_is_rules_or_refused(given_rules: Any) -> None:
    if not refused(GAME.rules, given_rules):
        rules = GAME.rules(given_rules)
        assert GAME.rules(rules._asdict()) == rules
        assert refused(GAME.rules, [given_rules])


@settings(max_examples=300, deadline=None)
@given(words=st.lists(strings | values, min_size=2, max_size=4))
def test_any_words_are_a_choice_or_refused(words: list[Any]) -> None:
    if not refused(lambda given_words: Choice(*given_words), words):
        choice = Choice(*words)
        assert [choice.kind, choice.species, choice.pen, choice.slot][: len(words)] == words


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_tampered_record_is_right_or_refused(data: st.DataObject) -> None:
    record = tampered(data.draw(st.sampled_from(records())), data)
    line = json.dumps(record)
    if not refused(check, line):
        written = write_record(*verify(read_record(line)))
        assert (written["totals"], written["ranks"]) == (record["totals"], record["ranks"])


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_tampered_position_is_right_or_refused(data: st.DataObject) -> None:
    for ask, position in ((GAME.score, POSITIONS["score"]), (GAME.legal, POSITIONS["legal"])):
        assert not refused(ask, position)
        changed = tampered(position, data)
        if not refused(ask, changed):
            assert json.loads(json.dumps(ask(changed))) == ask(changed)


@pytest.mark.parametrize("rude", ["a\nb", "\x1b[2J", "\u2028", "\ud800", "x" * 201, ""])
def test_no_sentence_repeats_a_string_that_can_not_be_printed(rude: str) -> None:
    """Put in place of every string, and beside every key, it is passed over or told printably."""
    for reader, document in (
        (lambda record: check(json.dumps(record)), records()[2]),
        (GAME.score, POSITIONS["score"]),
        (GAME.legal, POSITIONS["legal"]),
    ):
        refusals = 0
        changed = deepcopy(document)
        for node, key in list(spots(changed)):
            if isinstance(node[key], str):
                before, node[key] = node[key], rude
                refusals += refused(reader, changed)
                node[key] = before
            if isinstance(node, dict):
                node[rude] = None
                refusals += refused(reader, changed)
                del node[rude]
        assert changed == document
        assert refusals


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_half_a_line_is_refused(data: st.DataObject) -> None:
    line = json.dumps(data.draw(st.sampled_from(records())))
    end = data.draw(st.integers(0, len(line) - 1))
    for part in (line[:end], line[:end].encode(), line[end + 1 :], f"{line}{line[end:]}"):
        assert refused(check, part)


@settings(max_examples=200, deadline=None)
@given(line=st.binary(max_size=40) | st.text(max_size=40))
def test_any_bytes_are_refused(line: bytes | str) -> None:
    assert refused(check, line)


def test_deep_nesting_is_refused() -> None:
    """Also where reading just succeeds and telling what is wrong is what goes too deep."""
    for depth in [*range(850, 1010), 5_000, 200_000]:
        deep = "[" * depth + "]" * depth
        for line in (deep, f'{{"record": {deep}}}', f'{{"record": "paddock/1", "game": {deep}}}'):
            assert refused(check, line)
    nested: list[Any] = []
    for _ in range(5_000):
        nested = [nested]
        assert refused(GAME.score, {"board": nested})
        assert refused(GAME.rules, {"prairie_capacity": nested})


def test_numbers_beyond_all_measure_are_refused() -> None:
    for number in ("1e999", "-1e999", "NaN", "Infinity", "1" * 400, "1" * 5_000, "-1", "0.5e-999"):
        record = deepcopy(records()[0])
        record["games"][0]["turns"][0]["placements"][0]["ms"] = "HERE"
        line = json.dumps(record).replace('"HERE"', number)
        assert refused(check, line) is (number != "0.5e-999")
