"""Calls that only the steward can answer, forwarded to it by every other node."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

import grpc
from grpc import aio

from paddock_server.api.server import Tls
from paddock_server.cluster.node import Node

_SERVICES: Final = ("BotService", "MatchService", "TournamentService")
_NO_STEWARD: Final = "cluster/no_steward: no node leads the cluster yet; try again in a moment"
_PASSED_ON: Final = ("authorization",)  # of the metadata of a call


class Forwarding(aio.ServerInterceptor):
    """An interceptor that hands calls on as bytes, whatever they are, and their answers back."""

    def __init__(self, node: Node, tls: Tls | None) -> None:
        self._node = node
        self._tls = tls
        self._channels: dict[str, aio.Channel] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The handler of a call: this node's own, or one that asks the steward."""
        details = handler_call_details
        service = details.method.rpartition("/")[0].rpartition(".")[2]
        if self._node.parts.tables.leading or service not in _SERVICES:
            return await continuation(details)

        async def forward(requests: Any, context: Any) -> Any:
            async for answer in self._forward(details.method, requests, context):
                yield answer

        return grpc.stream_stream_rpc_method_handler(forward)

    async def _forward(self, method: str, requests: Any, context: Any) -> Any:
        steward = self._node.steward
        if steward is None:
            await context.abort(
                grpc.StatusCode.UNAVAILABLE,
                _NO_STEWARD,
                (("paddock-reason", "cluster/no_steward"),),
            )
            return
        metadata = [
            (key, value) for key, value in context.invocation_metadata() or () if key in _PASSED_ON
        ]
        call: Any = self._channel(steward.grpc).stream_stream(method)(metadata=metadata)
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


async def _pump(requests: Any, call: Any) -> None:
    with suppress(aio.AioRpcError, asyncio.InvalidStateError):
        async for request in requests:
            await call.write(request)
        await call.done_writing()
