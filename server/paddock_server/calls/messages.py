"""The messages of a call, out of the data of its stream: each has five bytes before it."""

from collections.abc import Sequence
from struct import Struct
from typing import Final

import grpc

from paddock_server.basics.errors import ServerError

_HEAD: Final = Struct(">BL")  # whether it is compressed, and its size


class BadMessage(ServerError):
    """Raised when a message can't be taken: its call ends."""

    reason = "frame/malformed"

    def __init__(self, code: grpc.StatusCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def with_head(message: bytes) -> bytes:
    """A message as data."""
    return _HEAD.pack(0, len(message)) + message


class MessageReader:
    """The messages of a client; of one that is not complete it keeps what is there."""

    __slots__ = ("_most", "_needed", "_partial")

    def __init__(self, most: int) -> None:
        self._most = most  # bytes of a message
        self._partial = bytearray()
        self._needed = 0  # bytes of it, as far as that is known

    def read(self, data: bytes) -> Sequence[bytes]:
        """The messages that these data complete; raises BadMessage."""
        if self._partial:
            self._partial += data
            if len(self._partial) < self._needed:
                return ()
            data = bytes(self._partial)
            self._partial.clear()
        messages = []
        at, end = 0, len(data)
        while at < end:
            begin, after = at + _HEAD.size, at + _HEAD.size
            if begin <= end:
                after = begin + _size(data, at, self._most)
            if after > end:
                self._partial += data[at:]
                self._needed = after - at
                break
            messages.append(data[begin:after])
            at = after
        return messages


def _size(data: bytes, at: int, most: int) -> int:
    """The size of the message that begins here; raises BadMessage where it is not taken."""
    compressed, size = _HEAD.unpack_from(data, at)
    if compressed:
        raise BadMessage(grpc.StatusCode.UNIMPLEMENTED, "send messages without compression")
    if size > most:
        sentence = f"the message has {size} bytes; send at most {most}"
        raise BadMessage(grpc.StatusCode.RESOURCE_EXHAUSTED, sentence)
    return int(size)
