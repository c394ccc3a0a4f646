"""Requests that a web worker hands on to the server, because they are about what happens now."""

import asyncio
from contextlib import suppress
from typing import Final

import h11
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from paddock_server.visitors.address import UNKNOWN

_CHUNK: Final = 65536
_KEPT: Final = ("accept", "accept-encoding", "if-none-match", "host")  # of the request's headers
_DROPPED: Final = (b"connection", b"transfer-encoding", b"date")  # of the answer's: of each hop
_CUT_OFF: Final = "the server is about to start again; try again in a moment"


class Forward:
    """An ASGI application that asks the server on its socket, and relays what it answers."""

    def __init__(self, path: str) -> None:
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Relay an answer, also one that never ends."""
        try:
            reader, writer = await asyncio.open_unix_connection(self._path)
        except OSError:
            await _refuse(send)
            return
        relay = asyncio.create_task(self._relay(Request(scope), reader, writer, send))
        leaving = asyncio.create_task(_left(receive))
        try:
            await asyncio.wait((relay, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            relay.cancel()
            writer.close()
            with suppress(asyncio.CancelledError, OSError, h11.RemoteProtocolError):
                await relay

    async def _relay(
        self,
        request: Request,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        send: Send,
    ) -> None:
        connection = h11.Connection(h11.CLIENT)
        headers = [(name, request.headers[name]) for name in _KEPT if name in request.headers]
        visitor = request.client.host if request.client else UNKNOWN
        headers += [("x-forwarded-for", visitor), ("connection", "close")]
        if "host" not in request.headers:
            headers.append(("host", "localhost"))
        target = request.url.path.encode()
        raw = request.scope.get("raw_path", target) + (
            b"?" + request.scope["query_string"] if request.scope["query_string"] else b""
        )
        asked = h11.Request(method=request.method, target=raw, headers=headers)
        writer.write((connection.send(asked) or b"") + (connection.send(h11.EndOfMessage()) or b""))
        started = False
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(await reader.read(_CHUNK))
            elif isinstance(event, h11.Response):
                started = True
                kept = [(name, value) for name, value in event.headers if name not in _DROPPED]
                await send(
                    {"type": "http.response.start", "status": event.status_code, "headers": kept}
                )
            elif isinstance(event, h11.Data):
                data = bytes(event.data)
                await send({"type": "http.response.body", "body": data, "more_body": True})
            elif isinstance(event, h11.EndOfMessage):
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            else:  # closed without an answer
                if not started:
                    await _refuse(send)
                return


async def _left(receive: Receive) -> None:
    """Wait until the visitor is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(send: Send) -> None:
    body = f"{_CUT_OFF}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"2")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})
