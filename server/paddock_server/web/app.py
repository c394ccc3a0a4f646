"""The HTTP side of a server: the pages, their JSON, health and metrics."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from paddock_server.basics.contact import Contact
from paddock_server.lobby.limits import Limits
from paddock_server.lobby.lobby import Lobby
from paddock_server.observe.metrics import CONTENT_TYPE, Metrics
from paddock_server.store.database import Database
from paddock_server.tables.tables import Tables
from paddock_server.tables.watching import Audience
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.telling import Telling
from paddock_server.web.answer import answer, body_of
from paddock_server.web.contract import contract
from paddock_server.web.events import Events
from paddock_server.web.headers import SecurityHeaders
from paddock_server.web.menu import SERVED, Menu
from paddock_server.web.page import Page
from paddock_server.web.pages.bot import Bots
from paddock_server.web.pages.calibration import Calibrations
from paddock_server.web.pages.duel import Duels
from paddock_server.web.pages.entrant import Entrants
from paddock_server.web.pages.home import Home
from paddock_server.web.pages.ladder import Ladder
from paddock_server.web.pages.live import Live
from paddock_server.web.pages.match import Match
from paddock_server.web.pages.matches import Matches
from paddock_server.web.pages.rules import RulesPages
from paddock_server.web.pages.tournament import Tournaments
from paddock_server.web.rendering import STATIC, Templates
from paddock_server.web.site import Site
from paddock_server.web.visit import Missing, Wrong

_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOR_GOOD: Final = "public, max-age=31536000, immutable"


class _Uvicorn(uvicorn.Server):
    """Uvicorn that leaves the signals to us."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals: the command that serves handles them."""
        yield


class Web:
    """The HTTP server: pages of one database, and of what its lobby and tables do now."""

    def __init__(
        self,
        database: Database,
        lobby: Lobby,
        tables: Tables,
        *,
        desk: Desk,
        telling: Telling,
        audience: Audience,
        limits: Limits,
        metrics: Metrics,
        contact: Contact,
        menu: Menu = SERVED,
    ) -> None:
        self._database = database
        self._lobby = lobby
        self._tables = tables
        self._metrics = metrics
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None
        templates = Templates(menu)
        ladder, match = Ladder(database), Match(database, telling)
        bots = Bots(database, lobby.presence, telling, ladder)
        tournaments = Tournaments(database, desk)
        self._events = Events(audience)
        desk.waiting.on_change.append(self._events.changed.tell)
        tables.listeners.append(self._events)
        live = Live(
            database, tables, self._events, templates, most_per_match=limits.watchers_per_match
        )
        home = Home(database, lobby.presence, tables, ladder, contact)
        pages: list[Page] = [
            *home.pages(), *ladder.pages(), *Calibrations(database).pages(),
            *Matches(database).pages(), *match.pages(), *bots.pages(), *Duels(database).pages(),
            *live.pages(), *tournaments.pages(), *Entrants(database, tournaments, bots).pages(),
            *RulesPages().pages(),
        ]  # fmt: skip
        self.site = Site(pages, templates, self._events.changed)
        self._static = {
            file.name: body_of(file.read_bytes(), _TYPES[file.suffix]) for file in STATIC.iterdir()
        }
        self._contract = {
            path: body_of(text, "text/plain; charset=utf-8") for path, text in contract().items()
        }
        pages_and_more = Starlette(
            routes=[
                Route("/metrics", self._numbers),
                Route("/health", self._health),
                Route("/static/{name}", self._file),
                Route("/proto/{path:path}", self._proto),
                Route("/events", self._events.follow),
                Route("/live/{match}/events", live.events),
                Route("/matches/{match}/record.jsonl", match.record),
                *self.site.routes(),
            ],
            exception_handlers={
                Wrong: self.site.wrong,
                HTTPException: self.site.wrong,
                Exception: self.site.wrong,
            },
        )
        self.app = SecurityHeaders(pages_and_more)  # outside, so that a failure has them too

    async def start(self, address: str) -> str:
        """Listen on host:port and return where."""
        host, _, port = address.rpartition(":")
        listener = socket.create_server((host.strip("[]"), int(port)))
        # asyncio sets this only on sockets that know their protocol, which these do not: without
        # it an answer's body waits 40 ms for the visitor to acknowledge its headers.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        config = uvicorn.Config(
            self.app,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=2,  # an open stream must not hold up the end
        )
        self._server = _Uvicorn(config)
        self._task = asyncio.create_task(self._server.serve(sockets=[listener]))
        return f"{host}:{listener.getsockname()[1]}"

    def changed(self) -> None:
        """Tell open pages that something other than a match changed."""
        self._events.changed.tell()

    async def stop(self) -> None:
        """Stop listening."""
        if self._server is not None and self._task is not None:
            self._events.close()
            self._server.should_exit = True
            await self._task

    async def _file(self, request: Request) -> Response:
        body = self._static.get(request.path_params["name"])
        if body is None:
            raise HTTPException(404)
        return answer(request, body, _FOR_GOOD)

    async def _proto(self, request: Request) -> Response:
        body = self._contract.get(request.path_params["path"])
        if body is None:
            there = ", ".join(self._contract)
            raise Missing(f"contract file not found; the files are {there}")
        return answer(request, body)

    async def _numbers(self, _request: Request) -> Response:
        metrics = self._metrics
        metrics.loop_lag_seconds.set(self._tables.loop_lag)
        metrics.write_queue.set(self._database.writer.waiting)
        metrics.unread_items.set(self._lobby.unread_items)
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    async def _health(self, _request: Request) -> Response:
        if self._lobby.draining:
            return PlainTextResponse("draining\n", status_code=503)
        return PlainTextResponse("serving\n")
