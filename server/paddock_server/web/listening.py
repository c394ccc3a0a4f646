"""Listening for HTTP: an application behind the gate, on a socket."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator, Sequence

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from paddock_server.visitors.admission import TooMany
from paddock_server.visitors.limits import VisitorLimits
from paddock_server.visitors.visitors import Visitors
from paddock_server.web.connection import connection_class
from paddock_server.web.headers import SecurityHeaders
from paddock_server.web.paced import Paced
from paddock_server.web.site import Site
from paddock_server.web.visit import Wrong


def application(routes: Sequence[BaseRoute], site: Site, visitors: Visitors) -> ASGIApp:
    """The routes as an application: every request waits at the gate, errors are told as pages."""
    inside = Starlette(
        routes=routes,
        exception_handlers=dict.fromkeys((Wrong, TooMany, HTTPException, Exception), site.wrong),
    )
    # Outside, so that a failure has them too.
    return SecurityHeaders(Paced(inside, visitors, site.wrong))


def listener_on(address: str) -> socket.socket:
    """A socket that listens on host:port."""
    host, _, port = address.rpartition(":")
    listener = socket.create_server((host.strip("[]"), int(port)))
    # asyncio sets this only on sockets that know their protocol, which these do not: without it
    # an answer's body waits 40 ms for the visitor to acknowledge its headers.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


class _Uvicorn(uvicorn.Server):
    """Uvicorn that leaves the signals to us."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals: the command that serves handles them."""
        yield


class Listening:
    """An application that answers on a socket until it is stopped."""

    def __init__(
        self, app: ASGIApp, limits: VisitorLimits, listener: socket.socket, *, behind: bool = False
    ) -> None:
        """`behind`: only our own workers are at the other end, and they say for whom they ask."""
        config = uvicorn.Config(
            app,
            http=connection_class(limits),
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            forwarded_allow_ips="*" if behind else None,
            timeout_graceful_shutdown=2,  # an open stream must not hold up the end
        )
        self._server = _Uvicorn(config)
        self._task = asyncio.create_task(self._server.serve(sockets=[listener]))

    async def stop(self) -> None:
        """Stop listening."""
        self._server.should_exit = True
        await self._task
