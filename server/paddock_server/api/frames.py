"""Frames of bots: what may be in one, checked before anything takes as long as it is."""

from google.protobuf.message import DecodeError

from paddock.v1 import arena_pb2
from paddock_server.api.refusal import Refusal
from paddock_server.lobby.limits import Limits


def check_size(frame: bytes, limits: Limits) -> None:
    """Raise Refusal where a frame is too long."""
    most = limits.frame_bytes
    if len(frame) > most:
        sentence = f"the frame has {len(frame)} bytes; send at most {most} in one frame"
        raise Refusal("frame/too_large", sentence)


def items_of(frame: bytes, limits: Limits) -> list[arena_pb2.BotItem]:
    """The items of a frame, at least one; raises Refusal where it can't be taken."""
    try:
        received = arena_pb2.PlayRequest.FromString(frame).items
    except DecodeError:
        sentence = "the frame is not a PlayRequest; see arena.proto"
        raise Refusal("frame/malformed", sentence) from None
    most = limits.frame_items
    if len(received) > most:
        sentence = f"the frame has {len(received)} items; send at most {most} in one frame"
        raise Refusal("frame/too_large", sentence)
    return list(received) or [arena_pb2.BotItem()]
