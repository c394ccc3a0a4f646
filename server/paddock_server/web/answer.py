"""Answers: a body with its tag, compressed once, and kept for a moment for all who ask."""

import asyncio
import gzip
import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, Generic, NamedTuple, TypeVar

from starlette.requests import Request
from starlette.responses import Response

T = TypeVar("T")

FRESH_SECONDS: Final = 1.0
_TIMES_AS_LONG: Final = 4
_WORTH_IT: Final = 600  # bytes from which compression pays
REVALIDATE: Final = "no-cache"  # kept by whoever likes, asked for again each time


class Body(NamedTuple):
    """What is sent: as it is and compressed, and the tag that both have."""

    raw: bytes
    zipped: bytes  # empty: not worth it
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
    """The response: 304 where the visitor has it already; `name` is that of a download."""
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


def _has(given: str, tag: str) -> bool:
    return given.strip() == "*" or tag.removeprefix("W/") in [
        each.strip().removeprefix("W/") for each in given.split(",")
    ]


class Kept(Generic[T]):
    """Values that are made once for all who ask within a moment, and at most so many."""

    def __init__(self, seconds: float = FRESH_SECONDS, most: int = 256) -> None:
        self._seconds = seconds
        self._most = most
        self._kept: OrderedDict[str, tuple[float, asyncio.Future[T]]] = OrderedDict()  # until when

    async def get(self, key: str, make: Callable[[], Awaitable[T]]) -> T:
        """The value of this key; those who ask while it is made wait for the same one."""
        begun = time.monotonic()
        found = self._kept.get(key)
        if found is not None and (not found[1].done() or begun < found[0]):
            return await asyncio.shield(found[1])
        task = asyncio.ensure_future(make())
        self._kept[key] = (begun, task)
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        try:
            value = await asyncio.shield(task)
        except Exception:
            self._kept.pop(key, None)  # what failed is tried again
            raise
        if key in self._kept and self._kept[key][1] is task:
            # What takes long is kept longer, or it would be made all the time.
            took = time.monotonic() - begun
            self._kept[key] = (begun + max(self._seconds, _TIMES_AS_LONG * took), task)
        return value
