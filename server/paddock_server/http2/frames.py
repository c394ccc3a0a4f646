"""The frames of HTTP/2 (RFC 9113): kinds, flags, settings, errors, as numbers and as bytes."""

from enum import IntEnum
from struct import Struct
from typing import Final

from paddock_server.basics.errors import ServerError

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEAD: Final = Struct(">BHBBL")
"""The head of a frame: its size in two parts, its kind, its flags, its stream."""
HEAD_BYTES: Final = HEAD.size
FRAME_BYTES: Final = 16_384
"""The longest payload that we take, and that everybody has to take."""
LONGEST_FRAME: Final = 2**24 - 1
WINDOW: Final = 65_535
"""The window of a connection, and of a stream, until somebody says otherwise."""
LARGEST_WINDOW: Final = 2**31 - 1

# Kinds
DATA: Final = 0
HEADERS: Final = 1
PRIORITY: Final = 2
RST_STREAM: Final = 3
SETTINGS: Final = 4
PUSH_PROMISE: Final = 5
PING: Final = 6
GOAWAY: Final = 7
WINDOW_UPDATE: Final = 8
CONTINUATION: Final = 9

# Flags
END_STREAM: Final = 0x1
ACK: Final = 0x1
END_HEADERS: Final = 0x4
PADDED: Final = 0x8
WITH_PRIORITY: Final = 0x20

# Settings
MAX_CONCURRENT_STREAMS: Final = 3
INITIAL_WINDOW_SIZE: Final = 4
MAX_FRAME_SIZE: Final = 5
MAX_HEADER_LIST_SIZE: Final = 6
SETTING: Final = Struct(">HL")

NUMBER: Final = Struct(">L")


class ErrorCode(IntEnum):
    """The reason why a stream or a connection ends before its time."""

    NO_ERROR = 0
    PROTOCOL_ERROR = 1
    INTERNAL_ERROR = 2
    FLOW_CONTROL_ERROR = 3
    SETTINGS_TIMEOUT = 4
    STREAM_CLOSED = 5
    FRAME_SIZE_ERROR = 6
    REFUSED_STREAM = 7
    CANCEL = 8
    COMPRESSION_ERROR = 9
    CONNECT_ERROR = 10
    ENHANCE_YOUR_CALM = 11


class BadConnection(ServerError):
    """Raised when a client breaks a rule of HTTP/2: its connection ends."""

    reason = "frame/malformed"

    def __init__(self, code: ErrorCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """A frame as bytes."""
    size = len(payload)
    return HEAD.pack(size >> 16, size & 0xFFFF, kind, flags, stream) + payload


def unpadded(flags: int, payload: bytes) -> bytes:
    """The payload of DATA or HEADERS without its padding."""
    if not flags & PADDED:
        return payload
    if not payload or payload[0] >= len(payload):
        raise BadConnection(ErrorCode.PROTOCOL_ERROR, "a frame is padded with more than it has")
    return payload[1 : len(payload) - payload[0]]


def settings_in(payload: bytes) -> list[tuple[int, int]]:
    """The settings of a frame; raises BadConnection for values that are not allowed."""
    if len(payload) % SETTING.size:
        raise BadConnection(ErrorCode.FRAME_SIZE_ERROR, "the settings have a wrong size")
    found = [(int(name), int(value)) for name, value in SETTING.iter_unpack(payload)]
    for name, value in found:
        if name == INITIAL_WINDOW_SIZE and value > LARGEST_WINDOW:
            raise BadConnection(ErrorCode.FLOW_CONTROL_ERROR, "the initial window is too large")
        if name == MAX_FRAME_SIZE and not FRAME_BYTES <= value <= LONGEST_FRAME:
            raise BadConnection(ErrorCode.PROTOCOL_ERROR, "the largest frame has no such size")
    return found


def number_in(payload: bytes) -> int:
    """The only number of a frame, without its highest bit."""
    if len(payload) != NUMBER.size:
        raise BadConnection(ErrorCode.FRAME_SIZE_ERROR, "a frame has a wrong size")
    return int(NUMBER.unpack(payload)[0]) & LARGEST_WINDOW
