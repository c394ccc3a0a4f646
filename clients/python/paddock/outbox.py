"""The outbox: items that arrive during one write leave together in the next frame."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from paddock.v1 import arena_pb2

MOST_ITEMS: Final = 256  # of a frame: far below the 64 KB that a frame may have


class Outbox:
    """The items of one stream that are still to be sent, in order."""

    def __init__(self) -> None:
        self._items: list[arena_pb2.BotItem] = []
        self._filled = asyncio.Event()
        self._closed = False

    def put(self, item: arena_pb2.BotItem) -> None:
        """Send this with the next frame."""
        self._items.append(item)
        self._filled.set()

    def close(self) -> None:
        """End the frames when all items are sent."""
        self._closed = True
        self._filled.set()

    async def frames(self) -> AsyncIterator[arena_pb2.PlayRequest]:
        """Frames with the waiting items, each as soon as there is an item, until closed."""
        while True:
            await self._filled.wait()
            if not self._items:
                return
            items, self._items = self._items[:MOST_ITEMS], self._items[MOST_ITEMS:]
            if not self._items and not self._closed:
                self._filled.clear()
            yield arena_pb2.PlayRequest(items=items)
