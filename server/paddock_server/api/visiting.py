"""Visitors over gRPC: their calls wait at the gate, and the number under way is limited."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import grpc
from grpc import aio

from paddock_server.visitors.address import visitor_of_peer
from paddock_server.visitors.admission import Kind
from paddock_server.visitors.gate import ITEM_SECONDS
from paddock_server.visitors.pool import asked_by_visitor
from paddock_server.visitors.visitors import Visitors

# What needs no token. What organisers do waits at the gate as well, and that is all.
_QUERIES: Final = frozenset(
    (
        "GetHeadToHead", "GetMatch", "GetSuperiority", "GetTournament", "GetTournamentLog",
        "ListMatches", "ListRatings", "ListStandings", "ListTournaments",
    )
)  # fmt: skip
_EXPORT: Final = "ExportRecords"
_HEALTH: Final = "/grpc.health.v1.Health/Watch"
_REFLECTION: Final = "ServerReflectionInfo"


class Visiting(aio.ServerInterceptor):
    """An interceptor that lets the calls of visitors wait at the gate."""

    def __init__(self, visitors: Visitors) -> None:
        self._visitors = visitors

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The handler of a call; a bot's stream is left alone."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        name = str(handler_call_details.method).rpartition("/")[2]
        if handler.unary_unary:
            return handler._replace(unary_unary=self._answering(handler.unary_unary, name))
        if name == _EXPORT:
            return handler._replace(unary_stream=self._exporting(handler.unary_stream))
        if handler_call_details.method == _HEALTH:
            return handler._replace(unary_stream=self._watching(handler.unary_stream))
        if name == _REFLECTION:
            return handler._replace(stream_stream=self._reflecting(handler.stream_stream))
        return handler

    def _answering(self, method: Callable[[Any, Any], Any], name: str) -> Callable[[Any, Any], Any]:
        async def call(request: Any, context: Any) -> Any:
            address = visitor_of_peer(context.peer())
            await self._visitors.gate.enter(address)
            if name not in _QUERIES:
                return await method(request, context)
            with self._visitors.admission.admitted(Kind.QUERY, address):
                asked_by_visitor(self._visitors.pool)
                return await method(request, context)

        return call

    def _watching(self, method: Callable[[Any, Any], Awaitable[None]]) -> Callable[[Any, Any], Any]:
        async def call(request: Any, context: Any) -> None:
            address = visitor_of_peer(context.peer())
            await self._visitors.gate.enter(address)
            with self._visitors.admission.admitted(Kind.WATCH, address):
                await method(request, context)

        return call

    def _reflecting(
        self, method: Callable[[Any, Any], AsyncIterator[Any]]
    ) -> Callable[[Any, Any], AsyncIterator[Any]]:
        async def call(requests: AsyncIterator[Any], context: Any) -> AsyncIterator[Any]:
            address = visitor_of_peer(context.peer())

            async def gated() -> AsyncIterator[Any]:
                async for request in requests:
                    await self._visitors.gate.enter(address)
                    yield request

            with self._visitors.admission.admitted(Kind.WATCH, address):
                async for answer in method(gated(), context):
                    yield answer

        return call

    def _exporting(
        self, method: Callable[[Any, Any], AsyncIterator[Any]]
    ) -> Callable[[Any, Any], AsyncIterator[Any]]:
        async def call(request: Any, context: Any) -> AsyncIterator[Any]:
            address = visitor_of_peer(context.peer())
            await self._visitors.gate.enter(address)
            with self._visitors.admission.admitted(Kind.EXPORT, address):
                asked_by_visitor(self._visitors.pool)
                async for answer in method(request, context):
                    await self._visitors.gate.enter(address, ITEM_SECONDS)
                    yield answer

        return call
