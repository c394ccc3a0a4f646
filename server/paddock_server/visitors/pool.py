"""The thread in which everything is made that visitors ask for."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from paddock_server.visitors.admission import TooMany
from paddock_server.visitors.share import Share

T = TypeVar("T")


class Pool:
    """A thread that makes one thing after another, and rests in between while others play.

    It is one, because two threads of Python only take time from each other and from the event
    loop. It has the priority of the event loop: a thread of a low one would keep the event loop
    waiting while it holds the interpreter and has no core.
    """

    def __init__(self, share: Share) -> None:
        self._share = share
        self._closed = threading.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="visitors")

    async def run(self, do: Callable[..., T], *arguments: Any) -> T:
        """The result of this work; raises TooMany when the server is about to stop."""
        if self._closed.is_set():
            raise TooMany.of_all("requests")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: self._done(do, *arguments))

    def _done(self, do: Callable[..., T], *arguments: Any) -> T:
        wait = self._share.wait()
        if self._closed.is_set() or (wait > 0 and self._closed.wait(wait)):
            raise TooMany.of_all("requests")
        begun = time.thread_time()
        try:
            return do(*arguments)
        finally:
            self._share.spend(time.thread_time() - begun)

    def close(self) -> None:
        """Refuse what has not begun, and end the thread."""
        self._closed.set()
        self._thread.shutdown(wait=False)


_ASKING: Final[ContextVar[Pool | None]] = ContextVar("asking", default=None)


def asked_by_visitor(pool: Pool) -> None:
    """Note that the current task answers a visitor: its work belongs into this pool."""
    _ASKING.set(pool)


async def aside(do: Callable[..., T], *arguments: Any) -> T:
    """The result of work that takes a moment, without blocking the event loop.

    If a visitor asked for it, it is done in the thread of visitors, else in one of our own.
    """
    pool = _ASKING.get()
    if pool is None:
        return await asyncio.to_thread(do, *arguments)
    return await pool.run(do, *arguments)
