"""The words of a program on their way to the server: sent in parts, and capped.

Each part that the server gets is written to its database, so a flood has to end here.
"""

import asyncio
from collections.abc import Callable
from typing import Final

_HEAD: Final = 56 * 1024  # with the rest, less than the 64 KB that the server keeps
_PART: Final = 32 * 1024
_TAIL: Final = 4 * 1024
_SEND_SECONDS: Final = 1.0


class Words:
    """The output of a program; `send` gets its beginning at once, and at the end the last words."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._unsent = bytearray()
        self._tail = bytearray()
        self._left = _HEAD
        self._left_out = 0
        self._sending = asyncio.create_task(self._send_parts())

    def add(self, data: bytes) -> None:
        """It said this."""
        kept, rest = data[: self._left], data[self._left :]
        self._unsent += kept
        self._left -= len(kept)
        self._left_out += len(rest)
        self._tail += rest
        del self._tail[:-_TAIL]

    def close(self) -> None:
        """Send what is left, with the last words of a program that said too much."""
        self._sending.cancel()
        self._flush()
        tail, self._tail = self._tail, bytearray()
        if tail:
            missing = self._left_out - len(tail)
            between = f"\n... {missing:,} bytes are left out ...\n" if missing else ""
            self._send(between + tail.decode(errors="replace"))

    async def _send_parts(self) -> None:
        while True:
            await asyncio.sleep(_SEND_SECONDS)
            self._flush()

    def _flush(self) -> None:
        while self._unsent:
            part = bytes(self._unsent[:_PART])
            del self._unsent[:_PART]
            self._send(part.decode(errors="replace"))
