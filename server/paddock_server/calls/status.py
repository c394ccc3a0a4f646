"""The words of gRPC around the messages of a call: its fields, its status, its time."""

import base64
from collections.abc import Iterable
from typing import Final, TypeAlias

import grpc

from paddock_server.http2.fields import Fields, field_block

Metadata: TypeAlias = tuple[tuple[str, str | bytes], ...]

CONTENT_TYPE: Final = "application/grpc"
FIRST_FIELDS: Final = field_block(((":status", "200"), ("content-type", CONTENT_TYPE)))
"""What comes before the first message."""
_OWN: Final = (":", "grpc-")  # fields of the protocol begin so
_OWN_TOO: Final = frozenset(("te", "content-type", "host", "accept-encoding"))
_UNITS: Final = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_PLAIN: Final = frozenset(range(0x20, 0x7F)) - {ord("%")}
_SENTENCE_BYTES: Final = 4_096  # clients refuse fields that are much longer


def metadata_of(fields: Fields) -> Metadata:
    """What the caller has added to a call."""
    return tuple(
        (name, _decoded(value) if name.endswith("-bin") else value)
        for name, value in fields
        if not name.startswith(_OWN) and name not in _OWN_TOO
    )


def _decoded(value: str) -> bytes:
    try:
        return base64.b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        return b""


def seconds_of(timeout: str) -> float | None:
    """The time that a caller gives a call, such as `500m`; None where it says nothing readable."""
    number, unit = timeout[:-1], timeout[-1:]
    if unit not in _UNITS or not number.isascii() or not number.isdigit() or len(number) > 8:
        return None
    return int(number) * _UNITS[unit]


def ending(
    code: grpc.StatusCode, sentence: str, metadata: Iterable[tuple[str, str | bytes]]
) -> Fields:
    """The fields that end a call."""
    number: int = code.value[0]
    fields = [("grpc-status", str(number))]
    if sentence:
        fields.append(("grpc-message", _escaped(sentence)))
    for name, value in metadata:
        text = base64.b64encode(value).decode() if isinstance(value, bytes) else value
        fields.append((name, text))
    return tuple(fields)


def _escaped(sentence: str) -> str:
    """A sentence in ASCII, as gRPC wants it; a long one is cut."""
    data = sentence.encode()[:_SENTENCE_BYTES]
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)
