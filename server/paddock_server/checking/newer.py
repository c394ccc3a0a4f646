"""The frames of a newer server: with items, fields and values that this version does not know."""

from typing import Final

from google.protobuf.message import Message

from paddock.v1 import arena_pb2
from paddock_wire.fields import Field

_LATER: Final = 99  # the number of a field that no message has
_WORDS: Final = "from a later version"
UNKNOWN_ITEM: Final = Field(arena_pb2.PlayResponse.ITEMS_FIELD_NUMBER).part(
    Field(_LATER).part(Field(1).text(_WORDS))
)
_UNKNOWN_FIELDS: Final = Field(_LATER).text(_WORDS) + Field(_LATER + 1).number(7)
_UNKNOWN_FAULT: Final = 77


def as_newer(frame: bytes) -> bytes:
    """A frame of the referee with unknown fields in all its messages, and with an unknown fault of
    every second seat where choices are revealed."""
    message = arena_pb2.PlayResponse.FromString(frame)
    for item in message.items:
        for revealed in item.happened.revealed[1::2] if item.HasField("happened") else ():
            revealed.fault = _UNKNOWN_FAULT  # type: ignore[assignment]
    _add_fields(message)
    return message.SerializeToString()


def _add_fields(message: Message) -> None:
    for field, value in message.ListFields():
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for inner in (value,) if isinstance(value, Message) else value:
                _add_fields(inner)
    message.MergeFromString(_UNKNOWN_FIELDS)
