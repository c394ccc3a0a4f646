"""Fields that are put together by hand are protobuf's."""

from hypothesis import given
from hypothesis import strategies as st

from paddock.v1 import draftosaurus_pb2
from paddock_wire.fields import Field
from tests.wire.messages import same


@given(field=st.integers(1, 2**20), number=st.integers(0, 2**64 - 1))
def test_numbers_and_tags_are_protobuf(field: int, number: int) -> None:
    """Fields of any number, read back by the plainest reader there is."""
    sent = Field(field).number(number)
    if not number:
        assert sent == b""
        return
    tag, rest = unvarint(sent)
    assert (tag >> 3, tag & 7) == (field, 0)
    assert unvarint(rest) == (number, b"")


@given(payload=st.binary(max_size=400), text=st.text(max_size=200))
def test_parts_and_texts_are_as_long_as_they_say(payload: bytes, text: str) -> None:
    for field in (1, 15, 16, 2047, 2048):
        tag, rest = unvarint(Field(field).part(payload))
        assert (tag >> 3, tag & 7) == (field, 2)
        assert unvarint(rest) == (len(payload), payload)
        assert Field(field).text(text) == (Field(field).part(text.encode()) if text else b"")


@given(numbers=st.lists(st.integers(0, 6), max_size=300))
def test_packed_numbers(numbers: list[int]) -> None:
    expected = draftosaurus_pb2.DraftosaurusTable(picks=numbers)  # type: ignore[arg-type]
    field = Field(draftosaurus_pb2.DraftosaurusTable.PICKS_FIELD_NUMBER)
    same(field.packed(numbers), expected)


def unvarint(sent: bytes) -> tuple[int, bytes]:
    """The first number of some bytes, and the rest of them."""
    number = shift = 0
    for index, byte in enumerate(sent):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, sent[index + 1 :]
    raise AssertionError("the number does not end")
