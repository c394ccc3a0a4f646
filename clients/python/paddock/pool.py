"""A pool of threads for functions that are not async."""

import asyncio
import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final, NamedTuple

log = logging.getLogger("paddock")

Work = Callable[[], Any]
BUGS: Final = (Exception, SystemExit)  # an exit() in `choose` is a bug too: other matches go on


class CallResult(NamedTuple):
    """The value that a function returned, or the error that it raised."""

    value: Any
    error: BaseException | None


class Pool:
    """A pool of at most `size` threads, started when they are needed.

    They are daemons: a `choose` that never returns may cost its match, but must not keep the
    process from ending, as the threads of `concurrent.futures` would.
    """

    def __init__(self, size: int) -> None:
        self._size: Final = size
        self._work: Final[SimpleQueue[tuple[Work, asyncio.Future[CallResult]] | None]] = (
            SimpleQueue()
        )
        self._threads = 0
        self._busy = 0

    async def run(self, work: Work) -> CallResult:
        """The result of a function, called in one of the threads."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[CallResult] = loop.create_future()
        self._busy += 1
        if self._busy > self._threads < self._size:
            self._threads += 1
            threading.Thread(
                target=self._serve, args=(loop,), name=f"choose-{self._threads}", daemon=True
            ).start()
        elif self._busy > self._size:
            log.warning("threads busy: all %d are in use; does a choose never return?", self._size)
        self._work.put((work, done))
        return await done

    def close(self) -> None:
        """End the threads after their present work."""
        for _ in range(self._threads):
            self._work.put(None)

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        while (task := self._work.get()) is not None:
            work, done = task
            result = attempt(work)
            try:
                loop.call_soon_threadsafe(self._finish, done, result)
            except RuntimeError:
                return  # the loop has ended: nobody waits for this any more

    def _finish(self, done: asyncio.Future[CallResult], result: CallResult) -> None:
        self._busy -= 1
        if not done.done():
            done.set_result(result)


def attempt(work: Work) -> CallResult:
    """The result of a function, called at once."""
    # A result and not the future's own exception: a future refuses StopIteration, which a
    # careless next() in somebody's `choose` raises.
    try:
        return CallResult(work(), None)
    except BUGS as error:
        return CallResult(None, error)
