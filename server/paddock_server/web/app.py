"""The HTTP side of a server: health and metrics."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from paddock_server.arena.arena import Arena
from paddock_server.observe.metrics import CONTENT_TYPE


class _Uvicorn(uvicorn.Server):
    """Uvicorn that leaves the signals to us."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing: whoever serves decides what a signal means."""
        yield


class Web:
    """Serves HTTP for one arena."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None
        self.app = Starlette(
            routes=[Route("/metrics", self._metrics), Route("/health", self._health)]
        )

    async def start(self, address: str) -> str:
        """Listen on host:port and return where."""
        host, _, port = address.rpartition(":")
        listener = socket.create_server((host.strip("[]"), int(port)))
        config = uvicorn.Config(
            self.app,
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=2,  # an open stream must not hold up the end
        )
        self._server = _Uvicorn(config)
        self._task = asyncio.create_task(self._server.serve(sockets=[listener]))
        return f"{host}:{listener.getsockname()[1]}"

    async def stop(self) -> None:
        """Stop listening."""
        if self._server is not None and self._task is not None:
            self._server.should_exit = True
            await self._task

    async def _metrics(self, _request: Request) -> Response:
        arena = self._arena
        arena.metrics.loop_lag_seconds.set(arena.lateness.last)
        arena.metrics.write_queue.set(arena.database.writer.waiting)
        unread = sum(session.waiting for session in arena.hall.sessions.values())
        arena.metrics.unread_items.set(unread)
        return Response(arena.metrics.text(), media_type=CONTENT_TYPE)

    async def _health(self, _request: Request) -> Response:
        if self._arena.draining:
            return PlainTextResponse("draining\n", status_code=503)
        return PlainTextResponse("serving\n")
