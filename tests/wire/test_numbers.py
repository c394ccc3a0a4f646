"""Choices that are read by hand are those that the generated code reads."""

import tracemalloc

from google.protobuf.message import DecodeError
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paddock.v1 import arena_pb2
from paddock_server.wire.answers import read_answer
from paddock_server.wire.numbers import read_numbers

MOST = 20  # choices in a frame
IDS = st.integers(0, 2**63 - 1) | st.sampled_from([0, 1, 127, 128, 2**14, 2**62, 2**63 - 1])
SMALL = st.integers(0, 127)
CHOICES = st.builds(arena_pb2.Choice, ask_id=IDS, number=SMALL)
OTHERS = st.sampled_from(
    [
        arena_pb2.BotItem(),
        arena_pb2.BotItem(pong=arena_pb2.Pong(id=7)),
        arena_pb2.BotItem(resign=arena_pb2.Resign(match_id="M")),
        arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=5)),
        arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=5, number=128)),
        arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=2**64 - 1, number=1)),
        arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=5, number=1, fallback="bug")),
        arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=5, choice=arena_pb2.GameChoice())),
    ]
)


def plainly(frame: bytes) -> list[tuple[int, object]] | None:
    """The choices that the generated code reads; None where there is anything else."""
    try:
        items = arena_pb2.PlayRequest.FromString(frame).items
    except DecodeError:
        return None
    if not all(item.WhichOneof("item") == "choice" for item in items):
        return None
    return [(item.choice.ask_id, read_answer(item.choice)) for item in items]


def frame_of(items: list[arena_pb2.BotItem]) -> bytes:
    return arena_pb2.PlayRequest(items=items).SerializeToString()


@given(st.lists(CHOICES, min_size=1, max_size=20))
def test_choices_by_number_are_read(choices: list[arena_pb2.Choice]) -> None:
    frame = frame_of([arena_pb2.BotItem(choice=choice) for choice in choices])
    wanted = [(choice.ask_id, choice.number) for choice in choices if choice.ask_id]
    if len(wanted) == len(choices):  # an id of 0 is not sent
        assert read_numbers(frame, MOST) == wanted == plainly(frame)
    else:
        assert read_numbers(frame, MOST) == []


@given(st.lists(CHOICES, max_size=3), OTHERS, st.lists(CHOICES, max_size=3))
def test_a_frame_with_anything_else_is_left_to_the_generated_code(
    before: list[arena_pb2.Choice], other: arena_pb2.BotItem, after: list[arena_pb2.Choice]
) -> None:
    items = [arena_pb2.BotItem(choice=choice) for choice in before]
    items += [other, *(arena_pb2.BotItem(choice=choice) for choice in after)]
    assert read_numbers(frame_of(items), MOST) == []


@settings(max_examples=500)
@given(
    st.lists(CHOICES, max_size=3),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 255)), max_size=3),
    st.integers(0, 60),
)
@example([], [], 0)
def test_bytes_that_were_changed_are_read_alike_or_not_at_all(
    choices: list[arena_pb2.Choice], changes: list[tuple[int, int]], cut: int
) -> None:
    frame = bytearray(frame_of([arena_pb2.BotItem(choice=choice) for choice in choices]))
    for place, byte in changes:
        frame[place : place + 1] = bytes((byte,))
    for sent in (bytes(frame), bytes(frame[:cut])):
        found = read_numbers(sent, MOST)
        assert found in ([], plainly(sent))


def test_a_frame_with_too_many_choices_is_not_read() -> None:
    choice = arena_pb2.Choice(ask_id=2**62, number=1)
    assert len(read_numbers(frame_of([arena_pb2.BotItem(choice=choice)] * MOST), MOST)) == MOST
    assert read_numbers(frame_of([arena_pb2.BotItem(choice=choice)] * (MOST + 1)), MOST) == []
    long = frame_of([arena_pb2.BotItem(choice=choice)] * 60_000)
    tracemalloc.start()
    try:
        assert read_numbers(long, 1024) == []
        assert tracemalloc.get_traced_memory()[1] < 10_000  # the choices would take megabytes
    finally:
        tracemalloc.stop()
