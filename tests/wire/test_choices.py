"""Every choice of Draftosaurus is the contract's message; what is no choice can't be read."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.v1 import arena_pb2
from paddock_games import IllegalChoice
from paddock_games.draftosaurus import Choice
from paddock_games.draftosaurus.choice import KINDS
from paddock_games.draftosaurus.material import PLOTS, SPECIES
from paddock_wire import Unreadable, draftosaurus
from tests.wire import messages
from tests.wire.messages import same


def every_choice() -> list[Choice]:
    """All choices that there are, found by trying."""
    pens = {plot.name for plots in PLOTS.values() for plot in plots}
    choices = []
    for kind, species, pen, slot in product(KINDS, SPECIES, [None, *sorted(pens)], range(-1, 8)):
        try:
            choices.append(Choice(kind, species, pen, slot))
        except IllegalChoice:
            continue
    return choices


EVERY = every_choice()
MESSAGES = [messages.choice("draftosaurus", choice) for choice in EVERY]


def test_every_choice_comes_back_as_itself() -> None:
    assert len(EVERY) == 6 * (1 + 1 + 2 * (12 + 6))  # 13 places, one of them with six slots
    for choice in EVERY:
        sent = draftosaurus.choice(choice)
        same(sent, messages.choice("draftosaurus", choice))
        assert draftosaurus.read_choice(arena_pb2.GameChoice.FromString(sent)) is choice
        assert draftosaurus.read_choice(messages.choice("draftosaurus", choice)) is choice


@settings(max_examples=200)
@given(
    kind=st.integers(-1, 7) | st.integers(-(2**31), 2**31 - 1),
    species=st.integers(-1, 8) | st.integers(-(2**31), 2**31 - 1),
    pen=st.integers(-1, 15) | st.integers(-(2**31), 2**31 - 1),
    slot=st.integers(0, 7) | st.integers(0, 2**32 - 1),
)
def test_what_is_no_choice_is_unreadable(kind: Any, species: Any, pen: Any, slot: int) -> None:
    """Whatever numbers a bot sends: a choice that says exactly this, or Unreadable."""
    message = arena_pb2.GameChoice()
    message.draftosaurus.kind = kind
    message.draftosaurus.species = species
    message.draftosaurus.pen = pen
    message.draftosaurus.slot = slot
    try:
        choice = draftosaurus.read_choice(message)
    except Unreadable:
        assert message not in MESSAGES
    else:
        assert messages.choice("draftosaurus", choice) == message


def test_an_empty_choice_is_refused() -> None:
    with pytest.raises(Unreadable, match="no choice"):
        draftosaurus.read_choice(arena_pb2.GameChoice())
