"""What a bot is shown is what the rules on the server have: exactly, in every format."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock import draftosaurus
from paddock.ask import read_ask
from paddock.errors import Unreadable
from paddock.games import WIRES, wire_of
from paddock.match import read_match
from paddock.v1 import arena_pb2, draftosaurus_pb2
from paddock_games import FORMATS, GAMES
from paddock_games.draftosaurus.choice import _CHOICES
from tests.games.tables import matches, of_game, states
from tests.sdk import wire

every_table = pytest.mark.parametrize(("form", "seats"), of_game("draftosaurus"))


@every_table
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_views_and_choices_arrive_as_they_left(form: str, seats: int, data: st.DataObject) -> None:
    one = data.draw(matches(form, seats))
    match = read_match(wire.started("M", one.start()).match_started)
    assert match.rules == one.rules
    for state in states(one):
        for seat in range(seats):
            view = state.view(seat)
            there = arena_pb2.GameView.FromString(wire.view(view).SerializeToString())
            assert wire_of(form).view(there, seat, form, seats, match.rules) == view
            if view.legal:
                ask = read_ask(wire.ask("M", 1, state, seat).ask, match)
                assert ask.view == view
                assert ask.legal == view.legal
                assert ask.default == view.default
                assert ask.by_pen == view.legal_by_pen
                assert (ask.hand, ask.zoo) == (view.hand, view.zoo)


def test_equal_views_are_made_of_identical_pens() -> None:
    state = wire.first_state()
    state = state.step({seat: state.legal(seat)[0] for seat in state.to_move})
    view = draftosaurus.view(wire.view(state.view(0)), 0, "winter", 4, state.table.setting.rules)
    assert view.table.setting is state.table.setting
    for mine, theirs in zip(view.zoos, state.table.zoos, strict=True):
        assert all(a is b for a, b in zip(mine, theirs, strict=True))


def test_every_choice_goes_there_and_back() -> None:
    for choice in _CHOICES.values():
        message = draftosaurus.choice_message(choice)
        assert message == wire.choice(choice)
        assert draftosaurus.choice(message) is choice


def test_every_game_of_the_rules_library_can_be_played() -> None:
    assert set(WIRES) == set(GAMES)
    for form in FORMATS.values():
        assert wire_of(form.name) is WIRES[form.game]


def test_what_a_newer_server_invented_is_named() -> None:
    state = wire.first_state()
    with pytest.raises(Unreadable, match="no format 'spring'"):
        wire_of("spring")
    message = wire.view(state.view(0))
    message.draftosaurus.hand.append(77)  # type: ignore[arg-type]
    with pytest.raises(Unreadable, match="no species 77"):
        draftosaurus.view(message, 0, "winter", 4, state.table.setting.rules)
    unknown = arena_pb2.GameChoice(
        draftosaurus=draftosaurus_pb2.DraftosaurusChoice(
            kind=draftosaurus_pb2.DRAFTOSAURUS_PHASE_PLACE,
            species=draftosaurus_pb2.SPECIES_T_REX,
            pen=99,  # type: ignore[arg-type]
        )
    )
    with pytest.raises(Unreadable, match="no choice"):
        draftosaurus.choice(unknown)
    message = wire.view(state.view(0))
    message.draftosaurus.table.die = 42  # type: ignore[assignment]
    with pytest.raises(Unreadable, match="unknown 42"):
        draftosaurus.view(message, 0, "winter", 4, state.table.setting.rules)
    with pytest.raises(Unreadable, match="is played by"):
        draftosaurus.view(wire.view(state.view(0)), 0, "winter", 7, state.table.setting.rules)
