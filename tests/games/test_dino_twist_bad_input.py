"""Dino Twist and whatever is typed, sent or tampered with: a sentence, or the right thing."""

import json
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.tables import match, played
from tests.games.test_bad_input import check, refused, spots, strings, tampered, values
from tests.independent import dino_twist as independent
from tests.independent.draftosaurus import Wrong

from paddock_games import GAMES, BadPosition, read_record, verify, write_record
from paddock_games.dino_twist import Choice
from paddock_games.dino_twist.card import NAMES

GAME: Final = GAMES["dino_twist"]
TWIST: Final = {place: f"{species}-1" for place, species in independent.HOMES.items()}
POSITIONS: Final = {
    "score": {
        "islands": [{"SEA": "AQUA-9-CLAW", "HILL": "HERBI-2"}, {}],
        "graveyards": [[["AQUA-2", "AQUA-3"]], []],
        "island_bonuses": [0, 0],
        "rules": {"graveyard_per_card": True},
    },
    "legal": {
        "twist": TWIST,
        "island": {"SEA": "AQUA-5"},
        "hand": ["KARNI-5", "KARNI-5-CLAW", "AQUA-2"],
        "event": "HELP",
        "phase": "ATTACK",
        "play": {"cards": ["KARNI-4", "AQUA-7"], "species": "AQUA"},
        "format": "dino-twist-small",
        "rules": {"attack_may_be_waived": True},
    },
}


def recorded(form: str, seats: int, rules: object, number: int) -> dict[str, Any]:
    """The record of a match that was played at random, as JSON gives it back."""
    one = match(form, seats, rules, number)
    record: dict[str, Any] = json.loads(json.dumps(write_record(one, *played(one))))
    return record


@cache
def records() -> list[dict[str, Any]]:
    """Records of different shapes, all of them right."""
    options = {"attack_with_play": True, "attack_may_be_waived": True, "small_seats": "1"}
    return [
        recorded("dino-twist", 2, None, 1),
        recorded("dino-twist-small", 3, {"discard_in_turn": True}, 2),
        recorded("dino-twist", 5, options, 3),
    ]


@settings(max_examples=100)
@given(value=values, fields=st.dictionaries(st.sampled_from(GAME.rules(None)._fields), values))
def test_any_value_is_refused_or_rules(value: Any, fields: dict[str, Any]) -> None:
    assert refused(GAME.score, value)
    assert refused(GAME.legal, value)
    for given_rules in (value, fields):
        if not refused(GAME.rules, given_rules):
            rules = GAME.rules(given_rules)
            assert GAME.rules(rules._asdict()) == rules


words = (
    strings | st.sampled_from([*NAMES, "PLAY", "BURY", "ATTACK", "SEA", "HILL", "AQUA"]) | values
)


@settings(max_examples=100)
@given(
    kind=words,
    cards=st.lists(st.sampled_from(NAMES), max_size=4) | words,
    rest=st.lists(words, max_size=4),
)
def test_any_words_are_a_choice_or_refused(kind: Any, cards: Any, rest: list[Any]) -> None:
    if not refused(lambda given_words: Choice(*given_words), [kind, cards, *rest]):
        choice = Choice(kind, cards, *rest)
        assert choice.kind == kind
        assert sorted(card.name for card in choice.cards) == sorted(cards)


@settings(max_examples=100)
@given(data=st.data())
def test_a_tampered_record_is_right_or_refused(data: st.DataObject) -> None:
    record = tampered(data.draw(st.sampled_from(records())), data)
    line = json.dumps(record)
    if not refused(check, line):
        written = write_record(*verify(read_record(line)))
        assert (written["totals"], written["ranks"]) == (record["totals"], record["ranks"])


@settings(max_examples=100)
@given(data=st.data())
def test_a_tampered_position_is_right_or_refused(data: st.DataObject) -> None:
    for ask, position in ((GAME.score, POSITIONS["score"]), (GAME.legal, POSITIONS["legal"])):
        assert not refused(ask, position)
        changed = tampered(position, data)
        if not refused(ask, changed):
            assert json.loads(json.dumps(ask(changed))) == ask(changed)


def another(value: Any, chooser: Random) -> Any:
    """Something else that could stand there."""
    for names in (list(NAMES), [*independent.HOMES, None], independent.events(), ["PLAY", "BURY"]):
        if value in names and value is not None:
            return chooser.choice([name for name in names if name != value])
    if type(value) is bool:
        return not value
    return value + 1 if isinstance(value, int) else chooser.choice([*independent.HOMES, *NAMES])


@pytest.mark.parametrize("number", range(3))
def test_a_lie_is_noticed_by_both_or_is_none(number: int) -> None:
    """One node changed to another good value, in a sample of all nodes that mean something."""
    record = deepcopy(records()[number])
    chooser = Random(number)
    timing = ("ms", "lag_ms", "fault")
    nodes = [(node, key) for node, key in spots(record["games"])
             if key not in timing and not isinstance(node[key], dict | list)]  # fmt: skip
    noticed = 0
    for node, key in chooser.sample(nodes, 100):
        truth, node[key] = node[key], another(node[key], chooser)
        try:
            independent.check(record)
            right = True
        except (Wrong, KeyError, IndexError, ValueError, TypeError):
            right = False
        assert refused(check, json.dumps(record)) is not right, (key, truth, node[key])
        noticed += not right
        node[key] = truth
    assert noticed > 80
    assert not refused(check, json.dumps(record))


@pytest.mark.parametrize(
    ("kind", "change", "where"),
    [
        ("score", {"islands": [{"SEA": "KARNI-5"}, {}]}, r"^islands\[0\].SEA: .*for AQUA"),
        ("score", {"islands": [{}]}, "^islands: must have 2 to 6"),
        ("score", {"islands": [{"SEA": "AQUA-9-CLAW", "BEACH": "AQUA-9-CLAW"}, {}]}, "the box has"),
        ("score", {"island_bonuses": [10, 0]}, r"island_bonuses\[0\]: "),
        ("score", {"rules": {"small_seats": "5"}}, "rules.small_seats: there is no seat 5"),
        ("legal", {"twist": {}}, "^twist: a Dino lives on every territory"),
        ("legal", {"phase": "NAP"}, "^phase: unknown value"),
        ("legal", {"event": "RAIN"}, "^event: unknown value"),
        ("legal", {"play": {"cards": ["KARNI-4", "AQUA-7"]}}, "^play: there is no choice"),
        ("legal", {"zoo": {}}, 'unknown key "zoo"'),
    ],
)
def test_positions_that_can_not_be_are_refused(kind: str, change: Any, where: str) -> None:
    ask = GAME.score if kind == "score" else GAME.legal
    with pytest.raises(BadPosition, match=where):
        ask(POSITIONS[kind] | change)
