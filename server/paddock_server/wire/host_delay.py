"""Host delay, which a runner adds to frames: how long its machine kept a bot from a processor.

It is field 1000 of PlayRequest, which no bot has, in the last six bytes of a frame. So the relay
adds it without reading the frame, and the server takes it off before it reads the rest. If a bot
writes the same, that comes before it and means nothing.
"""

import struct
from typing import Final

_FIELD: Final = b"\xc5\x3e"  # number 1000, as four bytes
_MICROSECONDS: Final = struct.Struct("<I")
_BYTES: Final = len(_FIELD) + _MICROSECONDS.size
_MOST: Final = (1 << 32) - 1


def add_host_delay(frame: bytes, seconds: float) -> bytes:
    """The frame of a bot, with the time that was kept from it since it was asked."""
    return frame + _FIELD + _MICROSECONDS.pack(min(round(seconds * 1e6), _MOST))


def take_host_delay(frame: bytes) -> tuple[bytes, float]:
    """The frame as the bot sent it, and the seconds that were kept from it."""
    if frame[-_BYTES : -_MICROSECONDS.size] != _FIELD:
        return frame, 0.0
    (microseconds,) = _MICROSECONDS.unpack(frame[-_MICROSECONDS.size :])
    return frame[:-_BYTES], microseconds / 1e6
