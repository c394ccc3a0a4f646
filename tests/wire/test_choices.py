"""Choices go over the wire and come back as the very same object; what is no choice is refused."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.v1 import arena_pb2, draftosaurus_pb2
from paddock_games import IllegalChoice
from paddock_games.draftosaurus import Choice
from paddock_games.draftosaurus.choice import KINDS
from paddock_games.draftosaurus.material import PLOTS, SPECIES
from paddock_server.wire import draftosaurus
from paddock_server.wire import parts as wire
from tests.games.tables import matches, states
from tests.wire import messages
from tests.wire.messages import DRAFTOSAURUS, same


def every_choice() -> list[Choice]:
    """All choices that there are, found by trying."""
    pens = {plot.name for plots in PLOTS.values() for plot in plots}
    found = []
    for kind, species, pen, slot in product(KINDS, SPECIES, [None, *sorted(pens)], range(-1, 8)):
        try:
            found.append(Choice(kind, species, pen, slot))
        except IllegalChoice:
            continue
    return found


EVERY = every_choice()
MESSAGES = [messages.choice(choice) for choice in EVERY]


def test_every_choice_comes_back_as_itself() -> None:
    assert len(EVERY) == 6 * (1 + 1 + 2 * (12 + 6))  # 13 places, one of them with six slots
    for choice in EVERY:
        sent = draftosaurus.choice(choice)
        same(sent, messages.choice(choice))
        assert draftosaurus.read_choice(arena_pb2.GameChoice.FromString(sent)) is choice
        assert draftosaurus.read_choice(messages.choice(choice)) is choice


@pytest.mark.parametrize(("form", "seats"), DRAFTOSAURUS)
@settings(max_examples=3)
@given(data=st.data())
def test_lists_of_choices_are_fields_of_an_ask(form: str, seats: int, data: st.DataObject) -> None:
    for state in states(data.draw(matches(form, seats))):
        for seat in range(seats):
            expected = arena_pb2.Ask(choices=map(messages.choice, state.legal(seat)))
            same(draftosaurus.choices(state.legal(seat)), expected)


@settings(max_examples=200)
@given(
    kind=st.integers(-1, 7) | st.integers(-(2**31), 2**31 - 1),
    species=st.integers(-1, 8) | st.integers(-(2**31), 2**31 - 1),
    pen=st.integers(-1, 15) | st.integers(-(2**31), 2**31 - 1),
    slot=st.integers(0, 7) | st.integers(0, 2**32 - 1),
)
def test_what_is_no_choice_is_refused_as_a_value(
    kind: Any, species: Any, pen: Any, slot: int
) -> None:
    """Whatever numbers a bot sends: a choice that says exactly this, or a ValueError."""
    message = arena_pb2.GameChoice()
    message.draftosaurus.kind = kind
    message.draftosaurus.species = species
    message.draftosaurus.pen = pen
    message.draftosaurus.slot = slot
    try:
        found = draftosaurus.read_choice(message)
    except ValueError:
        assert message not in MESSAGES
    else:
        assert messages.choice(found) == message


def test_an_empty_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="no choice"):
        draftosaurus.read_choice(arena_pb2.GameChoice())


@given(field=st.integers(1, 2**20), number=st.integers(0, 2**64 - 1))
def test_numbers_and_tags_are_protobuf(field: int, number: int) -> None:
    """Fields of any number, read back by the plainest reader there is."""
    sent = wire.number(field, number)
    if not number:
        assert sent == b""
        return
    tag, rest = unvarint(sent)
    assert (tag >> 3, tag & 7) == (field, 0)
    assert unvarint(rest) == (number, b"")


@given(payload=st.binary(max_size=400), text=st.text(max_size=200))
def test_parts_and_texts_are_as_long_as_they_say(payload: bytes, text: str) -> None:
    for field in (1, 15, 16, 2047, 2048):
        tag, rest = unvarint(wire.part(field, payload))
        assert (tag >> 3, tag & 7) == (field, 2)
        assert unvarint(rest) == (len(payload), payload)
        assert wire.text(field, text) == (wire.part(field, text.encode()) if text else b"")


@given(numbers=st.lists(st.integers(0, 6), max_size=300))
def test_packed_numbers(numbers: list[int]) -> None:
    expected = draftosaurus_pb2.DraftosaurusTable(picks=numbers)  # type: ignore[arg-type]
    same(wire.packed(10, numbers), expected)


def unvarint(sent: bytes) -> tuple[int, bytes]:
    """The first number of some bytes, and the rest of them."""
    number = shift = 0
    for at, byte in enumerate(sent):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, sent[at + 1 :]
    raise AssertionError("the number does not end")
