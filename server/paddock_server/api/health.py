"""The health service: says whether a server takes new work, to who asks and to who watches."""

import asyncio
from collections.abc import Collection
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

_SERVING: Final = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING
_UNKNOWN: Final = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


class Health(health_pb2_grpc.HealthServicer):
    """The health of a server, which is that of all its services.

    Nobody waits for a watcher that does not read: neither the server nor other watchers.
    """

    def __init__(self, services: Collection[str]) -> None:
        self._known = frozenset(("", *services))  # "" is the server as a whole
        self._draining = asyncio.Event()

    def drain(self) -> None:
        """Say NOT_SERVING from now on."""
        self._draining.set()

    async def Check(self, request: Any, context: Any) -> Any:
        """The health of a service."""
        status = self._of(request.service)
        if status == _UNKNOWN:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no such service")
        return health_pb2.HealthCheckResponse(status=status)

    async def Watch(self, request: Any, context: Any) -> None:
        """The health of a service now, and again when it changes; it ends when the client ends."""
        told = self._of(request.service)
        await context.write(health_pb2.HealthCheckResponse(status=told))
        await self._draining.wait()
        if self._of(request.service) != told:
            await context.write(health_pb2.HealthCheckResponse(status=_NOT_SERVING))
        await asyncio.Future()

    def _of(self, service: str) -> Any:
        if service not in self._known:
            return _UNKNOWN
        return _NOT_SERVING if self._draining.is_set() else _SERVING
