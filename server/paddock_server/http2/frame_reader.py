"""A reader of frames: what a client sends, cut into frames."""

from collections.abc import Callable
from typing import Final

from paddock_server.http2.frames import (
    FRAME_BYTES,
    HEAD,
    HEAD_BYTES,
    PREFACE,
    SETTINGS,
    BadConnection,
    ErrorCode,
)

Take = Callable[[int, int, int, bytes], bool]
"""Takes the kind, flags, stream and payload of a frame; False: no more frames are wanted."""
_HELLO_BYTES: Final = len(PREFACE) + HEAD_BYTES


class FrameReader:
    """The frames of one client; of one that is not complete it keeps what is there."""

    __slots__ = ("_rest", "_take", "greeted")

    def __init__(self, take: Take) -> None:
        self.greeted = False  # whether the client's first bytes were right
        self._take = take
        self._rest = b""

    def read(self, data: bytes) -> None:
        """Hand over all frames that these bytes complete; raises BadConnection."""
        if self._rest:
            data, self._rest = self._rest + data, b""
        at, end = 0, len(data)
        if not self.greeted:
            if not self._greets(data):
                self._rest = data
                return
            self.greeted = True
            at = len(PREFACE)
        while at + HEAD_BYTES <= end:
            high, low, kind, flags, stream = HEAD.unpack_from(data, at)
            size = high << 16 | low
            if size > FRAME_BYTES:
                raise BadConnection(ErrorCode.FRAME_SIZE_ERROR, "a frame is too long")
            begin = at + HEAD_BYTES
            if begin + size > end:
                break
            at = begin + size
            if not self._take(kind, flags, stream & 0x7FFFFFFF, data[begin:at]):
                return
        self._rest = data[at:]

    def _greets(self, data: bytes) -> bool:
        """Whether the first bytes are complete; raises BadConnection where they are wrong."""
        if not PREFACE.startswith(data[: len(PREFACE)]):
            raise BadConnection(ErrorCode.PROTOCOL_ERROR, "this port speaks gRPC alone")
        if len(data) < _HELLO_BYTES:
            return False
        if data[len(PREFACE) + 3] != SETTINGS:
            raise BadConnection(ErrorCode.PROTOCOL_ERROR, "the first frame has no settings")
        return True
