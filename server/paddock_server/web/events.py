"""Server-sent events: that something changed, told to whoever has a page open."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from random import uniform
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from paddock_server.tables.notices import Finished, MatchDealt
from paddock_server.tables.watching import Audience
from paddock_server.web.answer import FRESH_SECONDS
from paddock_server.web.visit import Wrong, read_visit

_STALE_SECONDS: Final = 2 * FRESH_SECONDS + 0.2  # a page may be kept, and what it was made from
_SPREAD_SECONDS: Final = 1.0
_ALIVE_SECONDS: Final = 20.0  # between two signs of life
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Notice:
    """A number that grows; whoever waits hears of it."""

    def __init__(self) -> None:
        self.number = 0
        self._event = asyncio.Event()

    def tell(self) -> None:
        """Something changed."""
        self.number += 1
        before, self._event = self._event, asyncio.Event()
        before.set()

    async def after(self, seen: int, seconds: float) -> bool:
        """Whether it changed since that number was seen, within this time."""
        if self.number == seen:
            try:
                await asyncio.wait_for(self._event.wait(), seconds)
            except TimeoutError:
                return False
        return True


class Events:
    """The streams of a server: limited in number, and over when the server stops."""

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self.changed = Notice()
        self._end = asyncio.Event()

    def dealt(self, _dealt: MatchDealt) -> None:
        """A match began: pages are others now."""
        self.changed.tell()

    def finished(self, _finished: Finished) -> None:
        """A match is over: pages are others now."""
        self.changed.tell()

    def close(self) -> None:
        """End all streams."""
        self._end.set()
        self.changed.tell()

    @property
    def closing(self) -> bool:
        """Whether the server stops."""
        return self._end.is_set()

    async def follow(self, request: Request) -> Response:
        """A notice whenever matches began or ended."""
        read_visit(request, (), (), request.url.path)
        return self.stream(request, self._changes())

    async def _changes(self) -> AsyncIterator[str]:
        seen = self.changed.number
        while not self.closing:
            if await self.changed.after(seen, _ALIVE_SECONDS):
                seen = self.changed.number
                # When nothing that was made before is kept any more; and not all at that moment,
                # because whoever hears of it asks for a page.
                await self.pause(_STALE_SECONDS + uniform(0.0, _SPREAD_SECONDS))
                yield event("changed", str(seen))
            else:
                yield ": nothing new\n\n"

    async def pause(self, seconds: float) -> None:
        """Wait, though not past the end."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._end.wait(), seconds)

    def stream(self, request: Request, events: AsyncIterator[str]) -> Response:
        """A response of events; Wrong where too many watch."""
        if request.method == "HEAD":
            return Response(None, 200, _HEADERS, "text/event-stream")
        if self._audience.full:
            raise Wrong("too many watch; come back later", "watch/too_many")
        return StreamingResponse(self._counted(events), 200, _HEADERS, "text/event-stream")

    async def _counted(self, events: AsyncIterator[str]) -> AsyncIterator[str]:
        with self._audience.joined():
            yield "retry: 3000\n\n"  # milliseconds until a browser that lost us comes back
            async for each in events:
                yield each


def event(name: str, data: str) -> str:
    """One event; its data has no line ends of its own."""
    return f"event: {name}\ndata: {' '.join(data.splitlines())}\n\n"
