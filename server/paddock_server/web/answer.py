"""HTTP answers: bodies with a tag, compressed once."""

import gzip
import hashlib
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

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
