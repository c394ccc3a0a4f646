"""The log of a hosted bot: what it prints, read slowly, sent in parts, and capped."""

import asyncio
from collections.abc import Callable
from typing import Final

MOST_BYTES: Final = 64 * 1024
"""What is kept of one run of a bot."""

_READ: Final = 64 * 1024
_RATE: Final = 1 << 20  # bytes a second; a bot that prints more waits, on its own time
_PART: Final = 32 * 1024
_TAIL: Final = 4 * 1024
_SEND_SECONDS: Final = 1.0


class BotLog:
    """What one run of a bot prints; `send` gets it in parts."""

    def __init__(self, stream: asyncio.StreamReader, send: Callable[[str], None]) -> None:
        self._stream = stream
        self._send = send
        self._unsent = bytearray()
        self._tail = bytearray()
        self._left = MOST_BYTES - _TAIL
        self._left_out = 0
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._send_parts())]

    async def close(self) -> None:
        """Send what is left, with the last words of a bot that said too much."""
        await asyncio.wait(self._tasks[:1], timeout=_SEND_SECONDS)  # its last words
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._flush()
        if self._left_out:
            between = f"\n... {self._left_out - len(self._tail):,} bytes are left out ...\n"
            self._send(between + self._tail.decode(errors="replace"))

    async def _read(self) -> None:
        while data := await self._stream.read(_READ):
            kept, rest = data[: self._left], data[self._left :]
            self._unsent += kept
            self._left -= len(kept)
            self._left_out += len(rest)
            self._tail += rest
            del self._tail[:-_TAIL]
            await asyncio.sleep(len(data) / _RATE)

    async def _send_parts(self) -> None:
        while True:
            await asyncio.sleep(_SEND_SECONDS)
            self._flush()

    def _flush(self) -> None:
        while self._unsent:
            part = bytes(self._unsent[:_PART])
            del self._unsent[:_PART]
            self._send(part.decode(errors="replace"))
