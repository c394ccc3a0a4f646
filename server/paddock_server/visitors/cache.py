"""Values that are kept for a moment, so that many visitors cost as much as one."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")

FRESH_SECONDS: Final = 1.0
_TIMES_AS_LONG: Final = 4


class Sources:
    """The sources of an answer, and the time of the oldest of them."""

    def __init__(self) -> None:
        self.oldest = time.monotonic()  # when the oldest source was read

    def add(self, moment: float) -> None:
        """Add a source that was read at this moment."""
        self.oldest = min(self.oldest, moment)


_SOURCES: Final[ContextVar[Sources | None]] = ContextVar("sources", default=None)


@contextmanager
def noting_sources() -> Iterator[Sources]:
    """The sources that are used in this block, cached values included."""
    sources = Sources()
    token = _SOURCES.set(sources)
    try:
        yield sources
    finally:
        _SOURCES.reset(token)


class _Entry(NamedTuple, Generic[T]):
    begun: float  # when making the value began
    until: float  # how long it is kept
    value: asyncio.Future[T]


class Cache(Generic[T]):
    """A cache of values that are computed once for all who ask within a moment."""

    def __init__(self, seconds: float = FRESH_SECONDS, most: int = 256) -> None:
        self._seconds = seconds
        self._most = most
        self._entries: OrderedDict[str, _Entry[T]] = OrderedDict()

    async def get(self, key: str, make: Callable[[], Awaitable[T]]) -> T:
        """The value of this key; those who ask while it is made wait for the same one."""
        now = time.monotonic()
        entry = self._entries.get(key)
        if entry is not None and (not entry.value.done() or now < entry.until):
            if (sources := _SOURCES.get()) is not None:
                sources.add(entry.begun)
            return await asyncio.shield(entry.value)
        return await self._fill(key, now, asyncio.ensure_future(make()))

    async def _fill(self, key: str, begun: float, task: asyncio.Future[T]) -> T:
        self._entries[key] = _Entry(begun, begun, task)
        self._entries.move_to_end(key)
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)
        try:
            value = await asyncio.shield(task)
        except Exception:
            self._entries.pop(key, None)  # what failed is tried again
            raise
        entry = self._entries.get(key)
        if entry is not None and entry.value is task:
            # What takes long is kept longer, or it would be computed all the time.
            took = time.monotonic() - begun
            until = begun + max(self._seconds, _TIMES_AS_LONG * took)
            self._entries[key] = entry._replace(until=until)
        return value
