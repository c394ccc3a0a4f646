"""The pulse of a server: the little that its web workers must know of what happens now."""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from paddock_server.web.events import Notice

PULSE: Final = "/pulse"
_LOG: Final = logging.getLogger("paddock.web")
_SECONDS: Final = 1.0
_LATE_SECONDS: Final = 5.0
_MOST_BYTES: Final = 16 * 1024 * 1024


class Beat(NamedTuple):
    """The state of a server at a moment."""

    number: int  # of the last change, see events.py
    playing: bool  # whether matches are open
    connected: frozenset[str] = frozenset()

    def text(self) -> str:
        """The beat on its way to a worker."""
        return json.dumps([self.number, self.playing, sorted(self.connected)])

    @classmethod
    def read(cls, text: bytes) -> "Beat":
        """The beat that arrived there."""
        number, playing, connected = json.loads(text)
        return cls(number, playing, frozenset(connected))


class BesidePulse:
    """An ASGI application that tells the beat, past the gate, and leaves all else to another."""

    def __init__(self, app: ASGIApp, beat: Callable[[], Beat]) -> None:
        self._app = app
        self._beat = beat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of a worker."""
        if scope["path"] == PULSE:
            await PlainTextResponse(self._beat().text())(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class Pulse:
    """The last beat that a worker felt; it asks for one every second."""

    def __init__(self, path: str) -> None:
        """`path` is the socket of the server."""
        self._path = path
        self.changed = Notice()
        self._beat = Beat(0, playing=True)

    @property
    def playing(self) -> bool:
        """Whether matches are open."""
        return self._beat.playing

    def __contains__(self, bot: object) -> bool:
        return bot in self._beat.connected

    def __iter__(self) -> Iterator[str]:
        return iter(self._beat.connected)

    async def feel(self) -> None:
        """Ask for a beat, again and again."""
        while True:
            try:
                async with asyncio.timeout(_LATE_SECONDS):
                    self._beat = await self._next()
            except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as problem:
                _LOG.warning("server does not answer its web worker: %s", problem)
            else:
                if self._beat.number != self.changed.number:
                    # Whatever was read before now may lack the change.
                    self.changed.number = self._beat.number
                    self.changed.changed_at = time.monotonic()
            await asyncio.sleep(_SECONDS)

    async def _next(self) -> Beat:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=_MOST_BYTES)
        try:
            writer.write(f"GET {PULSE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            return Beat.read((await reader.read()).partition(b"\r\n\r\n")[2])
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
