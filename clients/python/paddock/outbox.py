"""The outbox: items that arrive during one write leave together in the next frame."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from paddock.v1 import arena_pb2

MOST_ITEMS: Final = 256  # of a frame
_MOST_BYTES: Final = 48 * 1024  # of a frame, which may have 64 KB


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
            count = _count(self._items)
            items, self._items = self._items[:count], self._items[count:]
            if not self._items and not self._closed:
                self._filled.clear()
            yield arena_pb2.PlayRequest(items=items)


def _count(items: list[arena_pb2.BotItem]) -> int:
    """How many of the items go into one frame, at least one."""
    total = 0
    for count, item in enumerate(items[:MOST_ITEMS]):
        total += item.ByteSize()
        if total > _MOST_BYTES and count:
            return count
    return min(len(items), MOST_ITEMS)
