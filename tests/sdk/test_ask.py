"""What `choose` gets: the rules' own view and choices, and the names that moved to the view."""

import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock import Ask, dino_twist
from paddock.ask import read_ask
from paddock.match import read_match
from paddock.v1 import arena_pb2
from paddock_games import Match
from paddock_server.referee import commands
from paddock_server.referee.clock import Clock
from paddock_server.wire import items
from paddock_wire import Unreadable
from tests.games.tables import TABLES, match, matches, states

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)


def asks(one: Match) -> list[tuple[Ask, Any]]:
    """Every ask of a match as a bot gets it, with the view that it was made from."""
    begun = items.started(one, 0, Clock(), b"")
    told = read_match(arena_pb2.PlayResponse.FromString(begun).items[0].match_started)
    pairs = []
    for state in states(one):
        shared = items.table(one, state)
        for seat in state.to_move:
            command = commands.Ask(seat, 7, state, state.legal(seat), 1.0, 10.0)
            (item,) = arena_pb2.PlayResponse.FromString(items.ask(one, command, shared)).items
            pairs.append((read_ask(item.ask, told._replace(seat=seat)), state.view(seat)))
    return pairs


@every_table
@settings(max_examples=2)
@given(data=st.data())
def test_an_ask_holds_the_rules_own_values(form: str, seats: int, data: st.DataObject) -> None:
    one = data.draw(matches(form, seats))
    for ask, view in asks(one):
        assert ask.match.rules == one.rules
        assert (ask.view, ask.legal, ask.default) == (view, view.legal, view.default)


def test_the_helpers_are_on_the_views_of_both_games() -> None:
    for ask, _ in asks(match("winter", 3)):
        view = ask.view
        assert view.zoo is view.zoos[view.seat]
        assert {choice.species for choice in view.legal if choice.kind == "PLACE"} <= {*view.hand}
        by_pen = view.legal_by_pen
        assert [c for choices in by_pen.values() for c in choices] == [
            c for c in ask.legal if c.pen
        ]
        assert all(choice.pen == pen for pen, choices in by_pen.items() for choice in choices)
    for ask, _ in asks(match("dino-twist", 3)):
        view = ask.view
        assert view.island is view.islands[view.seat]
        assert view.graveyard == view.graveyards[view.seat]
        assert len(view.hand) == view.hand_sizes[view.seat]
        assert view.seat in view.asked
        by_kind = view.legal_by_kind
        assert [c for choices in by_kind.values() for c in choices] == list(ask.legal)
        assert all(choice.kind == kind for kind, choices in by_kind.items() for choice in choices)


def test_old_names_still_work_and_say_what_to_use() -> None:
    (ask, view), *_ = asks(match("winter", 3))
    with pytest.warns(DeprecationWarning, match=r"ask\.zoo is deprecated; use ask\.view\.zoo") as w:
        assert ask.zoo == view.zoo
    assert w[0].filename == __file__  # the line of the bot, not of the library
    with pytest.warns(DeprecationWarning, match=r"use ask\.view\.hand"):
        assert ask.hand is view.hand
    with pytest.warns(DeprecationWarning, match=r"use ask\.view\.legal_by_pen"):
        assert ask.by_pen == view.legal_by_pen
    (ask, view), *_ = asks(match("dino-twist", 3))
    with pytest.warns(DeprecationWarning, match=r"use ask\.view\.hand") as w:
        assert dino_twist.my_hand(ask) == view.hand
    assert w[0].filename == __file__
    with pytest.warns(DeprecationWarning, match=r"use ask\.view\.island"):
        assert dino_twist.my_island(ask) == view.island
    with pytest.warns(DeprecationWarning, match=r"use ask\.view\.legal_by_kind"):
        assert dino_twist.by_kind(ask) == view.legal_by_kind
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ask.view.hand == view.hand  # and nothing else warns


def test_an_ask_without_a_choice_is_unreadable() -> None:
    one = match("winter", 3)
    begun = items.started(one, 0, Clock(), b"")
    told = read_match(arena_pb2.PlayResponse.FromString(begun).items[0].match_started)
    command = commands.Ask(0, 7, one.start(), (), 1.0, 10.0)
    frame = items.ask(one, command, items.table(one, one.start()))
    with pytest.raises(Unreadable, match="without a single legal choice"):
        read_ask(arena_pb2.PlayResponse.FromString(frame).items[0].ask, told)
