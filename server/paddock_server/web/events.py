"""Server-sent events: notices of changes for open pages.

Changes are counted. A page carries the number of changes at its time, and its stream begins there,
so no change is missed between the two, nor while the server restarts.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from random import uniform
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from paddock_server.tables.notices import Finished, MatchDealt, MatchStuck
from paddock_server.visitors.address import visitor_at
from paddock_server.visitors.admission import Admission, Kind
from paddock_server.visitors.cache import FRESH_SECONDS
from paddock_server.web.visit import Parameter, read_visit

_STALE_SECONDS: Final = 2 * FRESH_SECONDS + 0.2  # a page may be kept, and what it was made from
_SPREAD_SECONDS: Final = 1.0
_ALIVE_SECONDS: Final = 20.0  # between two signs of life
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_SINCE: Final = Parameter(
    "since", "The number of changes that the page shows; 0: the current one.", default=0
)


class Notice:
    """A counter of changes that wakes whoever waits for the next one."""

    def __init__(self, first: int = 0) -> None:
        self.number = first
        self.changed_at = -math.inf  # by the monotonic clock
        self._event = asyncio.Event()

    def tell(self) -> None:
        """Count a change, and wake whoever waits for it."""
        self.number += 1
        self.changed_at = time.monotonic()
        before, self._event = self._event, asyncio.Event()
        before.set()

    def number_at(self, moment: float) -> int:
        """The number for what was read at a moment; an earlier one where it may lack a change."""
        return self.number if self.changed_at < moment else self.number - 1

    async def after(self, seen: int, seconds: float) -> bool:
        """Whether the number differs from the one seen, now or within this time."""
        if self.number == seen:
            try:
                await asyncio.wait_for(self._event.wait(), seconds)
            except TimeoutError:
                return False
        return True


class Events:
    """The event streams of a server: limited in number, and closed when the server stops."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission
        # A server that is started again goes on above all that the last one counted.
        self.changed = Notice(first=int(1000 * time.time()))
        self._end = asyncio.Event()

    def dealt(self, _dealt: MatchDealt) -> None:
        """Count a match that began as a change."""
        self.changed.tell()

    def finished(self, _finished: Finished) -> None:
        """Count a match that ended as a change."""
        self.changed.tell()

    def stuck(self, _stuck: MatchStuck) -> None:
        """Count a match that was set aside as a change."""
        self.changed.tell()

    def close(self) -> None:
        """End all streams."""
        self._end.set()
        self.changed.tell()

    @property
    def closing(self) -> bool:
        """Whether the server is stopping."""
        return self._end.is_set()

    async def follow(self, request: Request) -> Response:
        """A stream of notices that matches began or ended, since the page was made."""
        visit = read_visit(request, (), (_SINCE,), request.url.path)
        return self.stream(request, self._changes(visit.query["since"] or self.changed.number))

    async def _changes(self, seen: int) -> AsyncIterator[str]:
        while not self.closing:
            if await self.changed.after(seen, _ALIVE_SECONDS):
                seen = self.changed.number
                # When nothing that was made before is kept any more; and not all at that moment,
                # because whoever hears of it asks for a page.
                fresh = self.changed.changed_at + _STALE_SECONDS - time.monotonic()
                await self.pause(max(fresh, 0.0) + uniform(0.0, _SPREAD_SECONDS))
                if not self.closing:
                    yield event("changed", str(seen))
            else:
                yield ": nothing new\n\n"

    async def pause(self, seconds: float) -> None:
        """Wait, but not longer than until the server stops."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._end.wait(), seconds)

    def stream(self, request: Request, events: AsyncIterator[str]) -> Response:
        """A response that streams events; TooMany if there are too many watchers."""
        if request.method == "HEAD":
            return Response(None, 200, _HEADERS, "text/event-stream")
        address = visitor_at(request.client.host if request.client else None)
        self._admission.check(Kind.WATCH, address)
        counted = self._counted(events, address)
        return StreamingResponse(counted, 200, _HEADERS, "text/event-stream")

    async def _counted(self, events: AsyncIterator[str], address: str) -> AsyncIterator[str]:
        with self._admission.admitted(Kind.WATCH, address):
            yield "retry: 3000\n\n"  # milliseconds until a browser that lost us comes back
            async for text in events:
                yield text


def event(name: str, data: str) -> str:
    """One event; its data has no line ends of its own."""
    return f"event: {name}\ndata: {' '.join(data.splitlines())}\n\n"
