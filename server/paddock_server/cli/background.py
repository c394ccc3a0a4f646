"""A server in a background thread, for a command that talks to it over gRPC."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Self, TypeVar

from paddock_server.serving.server import Serving
from paddock_server.serving.settings import Settings

T = TypeVar("T")


class Background:
    """An event loop in a thread, so that Ctrl-C stays with the command."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="background")

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the coroutine in that event loop, and return its result."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:  # nobody waits for it any more
            future.cancel()
            raise

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def reading(db: str) -> Iterator[str]:
    """The address of a server that only reads this database."""
    settings = Settings(database=db, grpc="127.0.0.1:0", reading=True)
    with Background() as background, served(background, settings) as serving:
        yield serving.address


@contextmanager
def served(background: Background, settings: Settings) -> Iterator[Serving]:
    """A server that runs in the background."""
    serving = Serving(settings)
    try:
        background.run(serving.start())
        yield serving
    finally:
        background.run(serving.stop())
