"""Calls that another node answers: the steward does most, and who plays a match shows it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from grpc import aio

from paddock.v1 import match_pb2
from paddock_server.api.server import Tls
from paddock_server.cluster.callers import Callers, called_by
from paddock_server.cluster.node import Node
from paddock_server.store import nodes
from paddock_server.store.database import Database
from paddock_server.store.nodes import NodeRow

_SERVICES: Final = ("BotService", "MatchService", "TournamentService")
_NO_STEWARD: Final = "cluster/no_steward: no node leads the cluster yet; try again in a moment"
_PASSED_ON: Final = ("authorization",)  # of the metadata of a call
_WATCH: Final = "WatchMatch"
_FORWARDED: Final = "paddock-forwarded"  # by a node: there is no second hop


class Forwarding(aio.ServerInterceptor):
    """An interceptor that hands calls on as bytes, whatever they are, and their answers back."""

    def __init__(self, node: Node, database: Database, callers: Callers, tls: Tls | None) -> None:
        self._node = node
        self._database = database
        self._callers = callers
        self._tls = tls
        self._channels: dict[str, aio.Channel] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The handler of a call: this node's own, or one that asks another node."""
        details = handler_call_details
        path, _, name = details.method.rpartition("/")
        if path.rpartition(".")[2] not in _SERVICES:
            return await continuation(details)
        forwarded = any(key == _FORWARDED for key, _ in details.invocation_metadata or ())
        if name == _WATCH:
            if forwarded:
                return await self._answer(continuation, details)
            return grpc.stream_stream_rpc_method_handler(self._watch(details.method))
        if self._node.parts.tables.leading:
            return await self._answer(continuation, details)

        async def forward(requests: Any, context: Any) -> Any:
            # Two nodes can take each other for the steward while the stewardship changes hands.
            steward = None if forwarded else self._node.steward
            async for answer in self._forward(steward, details.method, requests, context):
                yield answer

        return grpc.stream_stream_rpc_method_handler(forward)

    async def _answer(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        details: grpc.HandlerCallDetails,
    ) -> Any:
        """This node's own handler of a call, whoever has handed it on."""
        handler = await continuation(details)
        caller = self._callers.named(details.invocation_metadata)
        return handler if handler is None or caller is None else called_by(handler, caller)

    def _watch(self, method: str) -> Callable[[Any, Any], Any]:
        """A handler that asks the node that plays the match; this one if nobody does."""

        async def watch(requests: Any, context: Any) -> Any:
            first: bytes = await anext(aiter(requests), b"")
            owner = None
            with suppress(DecodeError):  # the handler refuses what is no request
                match_id = match_pb2.WatchMatchRequest.FromString(first).match_id
                owner = await self._database.read(nodes.owner_of, match_id)
            rows = self._node.rows
            player = rows.get(owner or 0) or rows.get(self._node.link.me)
            async for answer in self._forward(player, method, _only(first), context):
                yield answer

        return watch

    async def _forward(self, node: NodeRow | None, method: str, requests: Any, context: Any) -> Any:
        if node is None:
            await context.abort(
                grpc.StatusCode.UNAVAILABLE,
                _NO_STEWARD,
                (("paddock-reason", "cluster/no_steward"),),
            )
            return
        metadata = [
            (key, value) for key, value in context.invocation_metadata() or () if key in _PASSED_ON
        ]
        metadata += [(_FORWARDED, "1"), *self._callers.name(context.peer())]
        call: Any = self._channel(node.grpc).stream_stream(method)(metadata=metadata)
        pumping = asyncio.create_task(_pump(requests, call))
        try:
            async for answer in call:
                yield answer
        except aio.AioRpcError as problem:
            trailing = tuple(problem.trailing_metadata() or ())
            await context.abort(problem.code(), problem.details(), trailing)
        finally:
            pumping.cancel()
            call.cancel()

    def _channel(self, address: str) -> aio.Channel:
        channel = self._channels.get(address)
        if channel is None:
            channel = self._channels[address] = self._dial(address)
        return channel

    def _dial(self, address: str) -> aio.Channel:
        if self._tls is None:
            return aio.insecure_channel(address)
        pair = self._tls.certificate.read_bytes(), self._tls.key.read_bytes()
        # Nodes have one certificate, or certificates of one authority that their chain ends in.
        credentials = grpc.ssl_channel_credentials(pair[0], pair[1], pair[0])
        return aio.secure_channel(address, credentials)


async def _only(request: bytes) -> AsyncIterator[bytes]:
    yield request


async def _pump(requests: Any, call: Any) -> None:
    with suppress(aio.AioRpcError, asyncio.InvalidStateError):
        async for request in requests:
            await call.write(request)
        await call.done_writing()
