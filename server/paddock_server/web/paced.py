"""Requests at the gate: an address that asks much waits, and play does not notice."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from paddock_server.visitors.address import visitor_at
from paddock_server.visitors.admission import TooMany
from paddock_server.visitors.pool import asked_by_visitor
from paddock_server.visitors.visitors import Visitors


class Paced:
    """An ASGI application that lets every request wait at the gate."""

    def __init__(
        self,
        app: ASGIApp,
        visitors: Visitors,
        refuse: Callable[[Request, Exception], Awaitable[Response]],
    ) -> None:
        self._app = app
        self._visitors = visitors
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request when it may enter."""
        client = scope.get("client")
        try:
            await self._visitors.gate.enter(visitor_at(client[0] if client else None))
        except TooMany as problem:
            response = await self._refuse(Request(scope), problem)
            await response(scope, receive, send)
            return
        asked_by_visitor(self._visitors.pool)
        await self._app(scope, receive, send)
