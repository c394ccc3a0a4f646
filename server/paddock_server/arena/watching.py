"""Those who watch a match: they see what lies open, and hands only when it is over."""

import asyncio
from collections.abc import Callable

from paddock_games import Match, Step
from paddock_games.game import State
from paddock_server.wire import items

_MOST_WAITING = 1000  # items for a watcher that does not read


class Watcher:
    """One stream of somebody who watches."""

    def __init__(self) -> None:
        self.items: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.too_slow = False

    def put(self, item: bytes | None) -> None:
        """Something to see; None: that was all."""
        if self.items.qsize() >= _MOST_WAITING:
            self.too_slow = True
            item = None
        self.items.put_nowait(item)


class Watchers:
    """All who watch one match."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._watchers: set[Watcher] = set()

    def __len__(self) -> int:
        return len(self._watchers)

    def add(self, shared: bytes | None) -> Watcher:
        """Somebody begins to watch, and sees how things stand."""
        watcher = Watcher()
        if shared is not None:
            watcher.put(items.watched_table(self._match, shared))
        self._watchers.add(watcher)
        return watcher

    def remove(self, watcher: Watcher) -> None:
        """Somebody has seen enough."""
        self._watchers.discard(watcher)

    def step(self, number: int, step: Step, after: State, shared: Callable[[State], bytes]) -> None:
        """Show a step, and how things stand after it."""
        if self._watchers:
            revealed = items.watched_step(self._match, number, step)
            table = items.watched_table(self._match, shared(after))
            for watcher in self._watchers:
                watcher.put(revealed)
                watcher.put(table)

    def end(self, ended: items.Ended) -> None:
        """Show how it ended."""
        if self._watchers:
            item = items.watched_end(ended)
            for watcher in self._watchers:
                watcher.put(item)
        self.close()

    def close(self) -> None:
        """There is nothing more to see."""
        for watcher in self._watchers:
            watcher.put(None)
        self._watchers = set()
