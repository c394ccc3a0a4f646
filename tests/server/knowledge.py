"""What a seat may know, put together from a finished record with the generated code alone.

Nothing here comes from the server: the record is played again by the rules, and every message
that the seat should have got is built from the states that this goes through.
"""

from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from paddock.v1 import arena_pb2
from tests.wire import messages


def of_seat(replay: Any, seat: int) -> Iterator[arena_pb2.RefereeItem]:
    """All that a seat is told between MatchStarted and MatchEnded, in order."""
    match_id = replay.match.id
    for number, step in enumerate(replay.steps):
        if seat in step.choices:
            yield arena_pb2.RefereeItem(ask=messages.ask(match_id, step.state, seat))
        happened = messages.happened(match_id, number, step)
        yield arena_pb2.RefereeItem(happened=happened)


def has_unknown_fields(message: Message) -> bool:
    """Whether anything is in the message that the contract does not know."""
    if len(UnknownFieldSet(message)):
        return True
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        inside = value if field.is_repeated else [value]
        if any(has_unknown_fields(each) for each in inside):
            return True
    return False
