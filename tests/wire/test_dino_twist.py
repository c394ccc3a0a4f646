"""Dino Twist on the wire: what is face down stays hidden, and rules say their version."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.ask import read_ask
from paddock.match import read_event, read_match
from paddock.v1 import arena_pb2
from paddock_games import IllegalChoice, Match
from paddock_games.dino_twist import Choice, Rules, Rules1, State
from paddock_games.dino_twist.card import CARDS
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask
from paddock_server.wire import items
from paddock_wire import Unreadable, dino_twist
from tests.games.tables import match, matches, of_game, played, states

every_table = pytest.mark.parametrize(("form", "seats"), of_game("dino_twist"))


def asked(one: Match, state: State, seat: int) -> bytes:
    command = Ask(seat, 7, state, state.legal(seat), 1.0, 10.0)
    return items.ask(one, command, items.table(one, state))


@every_table
@settings(max_examples=2)
@given(data=st.data())
def test_a_step_tells_everything_but_what_was_discarded_face_down(
    form: str, seats: int, data: st.DataObject
) -> None:
    one = data.draw(matches(form, seats))
    told = read_match(
        arena_pb2.PlayResponse.FromString(items.started(one, 0, Clock(), b""))
        .items[0]
        .match_started
    )
    for number, step in enumerate(played(one)[0]):
        sent = items.happened(one, number, step)
        message = arena_pb2.PlayResponse.FromString(sent).items[0].happened
        for seen in read_event(message, told).revealed:
            chosen = step.choices[seen.seat]
            assert seen.choice is chosen.open
            if chosen.kind == "DISCARD":
                assert seen.choice.cards == ()
                assert seen.choice.face_down == len(chosen.cards)
            else:
                assert seen.choice is chosen


def test_a_baby_with_a_claw_is_no_card() -> None:
    message = arena_pb2.GameChoice.FromString(dino_twist.choice(Choice("PLAY", [CARDS[0]])))
    assert dino_twist.read_choice(message) is Choice("PLAY", ["AQUA-1"])
    message.dino_twist.cards[0].claw = True
    with pytest.raises(Unreadable, match="no choice"):
        dino_twist.read_choice(message)


@pytest.mark.parametrize("words", [
    ("PLAY", []), ("PLAY", ["AQUA-2", "KARNI-2"]), ("PLAY", ["AQUA-2"] * 4), ("PLAY", "AQUA-2"),
    ("BURY", ["AQUA-2"]), ("ATTACK", ["AQUA-2"]), ("ATTACK", [], None, None, "SEA"),
    ("DISCARD", ["AQUA-2"], None, None, None, 1), ("DISCARD", [], None, None, None, 4),
    ("PLAY", ["AQUA-2"], "KARNI"), ("PLAY", ["AQUA-2"], "AQUA", "HILL"), ("PLACE", ["AQUA-2"]),
    ("PLAY", [None]), ("PLAY", None), ("ATTACK", [], "AQUA"), (None,), ("PLAY", ["AQUA-11"]),
])  # fmt: skip
def test_there_is_no_such_choice(words: tuple[Any, ...]) -> None:
    with pytest.raises(IllegalChoice, match="there is no choice") as refusal:
        Choice(*words)
    assert str(refusal.value).isprintable()


def begun(one: Match) -> arena_pb2.MatchStarted:
    """What seat 0 hears when the match begins."""
    frame = arena_pb2.PlayResponse.FromString(items.started(one, 0, Clock(), b""))
    return frame.items[0].match_started


@pytest.mark.parametrize(
    "rules",
    [Rules1(), Rules1(claw_copies=0, bury_by_species=True, must_settle=True), Rules(),
     Rules(claw_strengths="9 10", island_bonus_ties="skip", bury_by_territory=True)],
)  # fmt: skip
def test_bots_are_told_the_version_of_the_rules(rules: Rules | Rules1) -> None:
    one = match("dino-twist", 2)._replace(rules=rules)
    told = read_match(begun(one))
    assert told.rules == rules
    assert told.rules.version == rules.version
    for state in states(one):
        for seat in state.to_move:
            frame = arena_pb2.PlayResponse.FromString(asked(one, state, seat))
            ask = read_ask(frame.items[0].ask, told._replace(seat=seat))
            assert ask.legal == ask.view.legal == state.legal(seat)


def test_rules_without_a_version_are_the_first() -> None:
    message = begun(match("dino-twist", 2))
    message.dino_twist.Clear()
    assert read_match(message).rules == Rules1()
