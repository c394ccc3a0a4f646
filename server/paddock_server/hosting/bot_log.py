"""The log of a hosted bot: what it prints, read slowly, sent in parts, and capped."""

import asyncio
from collections.abc import Callable
from typing import Final

from paddock_server.hosting.words import Words

_READ: Final = 64 * 1024
_RATE: Final = 1 << 20  # bytes a second; a bot that prints more waits, on its own time
_LAST_SECONDS: Final = 1.0


class BotLog:
    """The output of one run of a bot; `send` gets it in parts."""

    def __init__(self, stream: asyncio.StreamReader, send: Callable[[str], None]) -> None:
        self._stream = stream
        self._words = Words(send)
        self._reading = asyncio.create_task(self._read())

    async def close(self) -> None:
        """Send what is left, with the last words of a bot that said too much."""
        await asyncio.wait([self._reading], timeout=_LAST_SECONDS)
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        self._words.close()

    async def _read(self) -> None:
        while data := await self._stream.read(_READ):
            self._words.add(data)
            await asyncio.sleep(len(data) / _RATE)
