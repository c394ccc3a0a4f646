"""HTTP answers: bodies with a tag, compressed once, and a short-lived cache."""

import asyncio
import gzip
import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Generic, NamedTuple, TypeVar

from starlette.requests import Request
from starlette.responses import Response

T = TypeVar("T")

FRESH_SECONDS: Final = 1.0
_TIMES_AS_LONG: Final = 4
_WORTH_IT: Final = 600  # bytes from which compression pays
REVALIDATE: Final = "no-cache"  # may be cached, but is validated each time


class Body(NamedTuple):
    """The body of an answer: plain and compressed, with the tag of both."""

    raw: bytes
    zipped: bytes  # empty: too short to compress
    tag: str
    media_type: str


def body_of(raw: bytes, media_type: str) -> Body:
    """The body of an answer; takes a moment, so not for the event loop."""
    # A weak tag: it stands for both encodings.
    tag = f'W/"{hashlib.blake2b(raw, digest_size=12).hexdigest()}"'
    zipped = gzip.compress(raw, 5, mtime=0) if len(raw) >= _WORTH_IT else b""
    return Body(raw, zipped, tag, media_type)


def answer(
    request: Request, body: Body, cache: str = REVALIDATE, name: str = "", status: int = 200
) -> Response:
    """The response: 304 if the visitor has the body already; `name` is that of a download."""
    headers = {"ETag": body.tag, "Cache-Control": cache, "Vary": "Accept-Encoding"}
    if status == 200 and _has(request.headers.get("if-none-match", ""), body.tag):
        return Response(status_code=304, headers=headers)
    if name:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    sent = body.raw
    if body.zipped and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        sent = body.zipped
    return Response(sent, status, headers, body.media_type)


def _has(if_none_match: str, tag: str) -> bool:
    return if_none_match.strip() == "*" or tag.removeprefix("W/") in [
        known.strip().removeprefix("W/") for known in if_none_match.split(",")
    ]


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


class Kept(Generic[T]):
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
