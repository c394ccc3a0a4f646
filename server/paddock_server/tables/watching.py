"""Watchers of a match: they see the open table, and hands only when the match is over."""

import asyncio
from collections.abc import AsyncIterator, Callable

from paddock_games import Match, Step
from paddock_games.game import State
from paddock_server.tables.open_match import OpenMatch
from paddock_server.wire import items

WITHHELD = (
    "other matches are to play the deal of this one; it can be seen when all of its block are over"
)

_MOST_WAITING = 1000  # items for a watcher that does not read


class Watcher:
    """The stream of one watcher of one match."""

    def __init__(self, watchers: "Watchers", look: Callable[[], OpenMatch]) -> None:
        self.too_slow = False
        self._watchers = watchers
        self._look = look
        self._items: asyncio.Queue[bytes | None] = asyncio.Queue()

    @property
    def match(self) -> OpenMatch:
        """The match as it is now, or as it was at its end."""
        return self._look()

    def put(self, item: bytes | None) -> None:
        """Queue an item; None ends the stream."""
        if self._items.qsize() >= _MOST_WAITING:
            self.too_slow = True
            item = None
        self._items.put_nowait(item)

    async def items(self) -> AsyncIterator[bytes]:
        """The items, until the stream ends."""
        while (item := await self._items.get()) is not None:
            yield item

    async def moved(self) -> bool:
        """Wait until there are new items, and drop them; False: the stream has ended."""
        item = await self._items.get()
        while item is not None and not self._items.empty():
            item = self._items.get_nowait()
        return item is not None

    def leave(self) -> None:
        """End the stream."""
        self._watchers.remove(self)


class Watchers:
    """The watchers of one match."""

    def __init__(self, match: Match, look: Callable[[], OpenMatch]) -> None:
        self._match = match
        self._look = look
        self._watchers: set[Watcher] = set()

    def __len__(self) -> int:
        return len(self._watchers)

    def add(self, shared: bytes | None) -> Watcher:
        """Add a watcher; it gets the open table first."""
        watcher = Watcher(self, self._look)
        if shared is not None:
            watcher.put(items.watched_table(self._match, shared))
        self._watchers.add(watcher)
        return watcher

    def remove(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        self._watchers.discard(watcher)

    def step(self, number: int, step: Step, after: State, shared: Callable[[State], bytes]) -> None:
        """Send a step and the open table after it."""
        if self._watchers:
            revealed = items.watched_step(self._match, number, step)
            table = items.watched_table(self._match, shared(after))
            for watcher in self._watchers:
                watcher.put(revealed)
                watcher.put(table)

    def end(self, ended: items.MatchEnd) -> None:
        """Send the end of the match, and end all streams."""
        if self._watchers:
            item = items.watched_end(ended)
            for watcher in self._watchers:
                watcher.put(item)
        self.close()

    def close(self) -> None:
        """End all streams."""
        for watcher in self._watchers:
            watcher.put(None)
        self._watchers = set()
