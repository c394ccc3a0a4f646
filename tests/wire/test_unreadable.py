"""What a newer server says and this version does not know is named, never guessed."""

from collections.abc import Callable
from typing import Any

import pytest

from paddock.v1 import arena_pb2
from paddock_wire import CODECS, Terms, Unreadable, codec_of
from tests.games.tables import match


def sent(form: str, seats: int) -> tuple[arena_pb2.GameView, Terms]:
    """The view of seat 0 at the first state."""
    one = match(form, seats)
    state, codec = one.start(), codec_of(form)
    view = codec.view(codec.table(state.table), state.view(0))
    return arena_pb2.GameView.FromString(view), Terms(form, seats, one.rules)


def resident(view: arena_pb2.GameView) -> Any:
    """Somebody who lives on Twist Island."""
    return view.dino_twist.table.twist.residents[0]


UNKNOWN: list[tuple[str, int, Callable[[Any], Any], str]] = [
    ("winter", 4, lambda view: view.draftosaurus.hand.append(77), "an unknown 77"),
    ("winter", 4, lambda view: setattr(view.draftosaurus.table, "die", 42), "an unknown 42"),
    ("winter", 4, lambda view: setattr(view.draftosaurus.table, "phase", 0), "an unknown 0"),
    ("winter", 4, lambda view: setattr(view.draftosaurus.table, "turns_done", 99), "an unknown"),
    ("dino-twist", 4, lambda view: view.dino_twist.hand.add(species=9), "an unknown"),
    ("dino-twist", 4, lambda view: view.dino_twist.table.shown.add(kind=77), "an unknown"),
    ("dino-twist", 4, lambda view: view.dino_twist.table.plays.add(seat=9), "there is no choice"),
    ("dino-twist", 4, lambda view: setattr(resident(view), "territory", 0), "an unknown 0"),
]


@pytest.mark.parametrize(("form", "seats", "change", "sentence"), UNKNOWN)
def test_unknown_values_of_a_view(
    form: str, seats: int, change: Callable[[Any], Any], sentence: str
) -> None:
    view, terms = sent(form, seats)
    change(view)
    with pytest.raises(Unreadable, match=sentence) as problem:
        codec_of(form).read_view(view, terms, 0)
    assert str(problem.value).isprintable()


@pytest.mark.parametrize(("form", "seats"), [("winter", 7), ("dino-twist", 9)])
def test_a_table_of_another_size(form: str, seats: int) -> None:
    view, terms = sent(form, 4)
    with pytest.raises(Unreadable, match="is played with"):
        codec_of(form).read_view(view, terms._replace(seats=seats), 0)


def test_rules_of_another_kind() -> None:
    message = arena_pb2.MatchStarted()
    message.draftosaurus.prairie_capacity = 99
    with pytest.raises(Unreadable, match=r"rules\.prairie_capacity: give null"):
        CODECS["draftosaurus"].read_rules(message)
    message.dino_twist.version = 3
    with pytest.raises(
        Unreadable, match="rules version 3 of dino_twist is unknown here; install a newer"
    ):
        CODECS["dino_twist"].read_rules(message)


@pytest.mark.parametrize("form", ["winter", "dino-twist"])
@pytest.mark.parametrize("value", [None, 7, "spring", [7], {"RIVER": ["DODO"]}])
def test_a_line_with_any_key_out_of_order(form: str, value: object) -> None:
    """Every key in turn: another view, or a sentence; never another error."""
    one, codec = match(form, 4), codec_of(form)
    written = codec.view_json(one.start().view(0))
    refused = 0
    for key in written:
        try:
            codec.read_view_json({**written, key: value}, Terms(form, 4, one.rules), 0)
        except Unreadable:
            refused += 1
    assert refused
    with pytest.raises(Unreadable, match="a view with an unknown"):
        codec.read_view_json({}, Terms(form, 4, one.rules), 0)


def test_pens_that_are_read_are_the_rules_own_objects() -> None:
    state = match("winter", 4).start()
    state = state.step({seat: state.legal(seat)[0] for seat in state.to_move})
    codec = codec_of("winter")
    message = arena_pb2.GameView.FromString(codec.view(codec.table(state.table), state.view(0)))
    view = codec.read_view(message, Terms("winter", 4, state.table.setting.rules), 0)
    assert view.table.setting is state.table.setting
    for mine, theirs in zip(view.zoos, state.table.zoos, strict=True):
        assert all(a is b for a, b in zip(mine, theirs, strict=True))
