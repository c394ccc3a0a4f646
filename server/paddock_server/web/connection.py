"""HTTP connections: limited in number by address, and closed when nothing arrives or is read."""

import asyncio
from collections import Counter
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from paddock_server.visitors.address import visitor_at
from paddock_server.visitors.admission import RETRY_SECONDS
from paddock_server.visitors.limits import VisitorLimits

# A proxy on this machine stands for many visitors, and so does a web worker, which has no address.
_PROXIES: Final = ("127.0.0.1", "::1", "")
_TIMES_AS_LONG: Final = 3  # a visitor may read more slowly than it asks


def _refusal(status: str, sentence: str) -> bytes:
    body = f"{sentence}\n".encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nRetry-After: {RETRY_SECONDS}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


_SLOW: Final = _refusal(
    "408 Request Timeout", "the request did not arrive as a whole; send it faster"
)
_ADDRESS_FULL: Final = _refusal(
    "429 Too Many Requests",
    "too many connections from your address at once; try again in a moment",
)
_FULL: Final = _refusal(
    "503 Service Unavailable", "the server has too many connections at once; try again later"
)


def connection_class(limits: VisitorLimits) -> type[asyncio.Protocol]:
    """The class of the connections of one server, which share these limits."""
    here: Counter[str] = Counter()

    class Connection(H11Protocol):
        """A connection of a visitor."""

        def __init__(self, *arguments: Any, **settings: Any) -> None:
            super().__init__(*arguments, **settings)
            self._address = ""
            self._refused = b""
            self._request_timer: asyncio.TimerHandle | None = None
            self._reader_timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Count the connection; one too many is told so when it has asked."""
            super().connection_made(transport)
            host = self.client[0] if self.client else ""
            self._address = visitor_at(host)
            if here[self._address] >= limits.connections_per_address and host not in _PROXIES:
                self._refused = _ADDRESS_FULL
            elif here.total() >= limits.connections:
                self._refused = _FULL
            here[self._address] += 1
            self._await_request()

        def connection_lost(self, exc: Exception | None) -> None:
            """Make room for another one."""
            here[self._address] -= 1
            if not here[self._address]:
                del here[self._address]
            self._stop(self._request_timer)
            self._stop(self._reader_timer)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            """Read a request, which has to be complete before its time is over."""
            if self._refused:
                self.transport.write(self._refused)
                self.transport.close()
                return
            super().data_received(data)
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
                self._await_request()
            else:
                self._stop(self._request_timer)
                self._request_timer = None

        def pause_writing(self) -> None:
            """Give a visitor that does not read some time to do so."""
            super().pause_writing()
            seconds = _TIMES_AS_LONG * limits.request_seconds
            self._reader_timer = self.loop.call_later(seconds, self.transport.abort)

        def resume_writing(self) -> None:
            """Go on: it reads."""
            self._stop(self._reader_timer)
            super().resume_writing()

        def _await_request(self) -> None:
            if self._request_timer is None:
                self._request_timer = self.loop.call_later(limits.request_seconds, self._give_up)

        def _give_up(self) -> None:
            if not self.transport.is_closing():
                if self.conn.their_state is h11.IDLE:
                    self.transport.write(_SLOW)
                self.transport.close()

        @staticmethod
        def _stop(timer: asyncio.TimerHandle | None) -> None:
            if timer is not None:
                timer.cancel()

    return Connection
