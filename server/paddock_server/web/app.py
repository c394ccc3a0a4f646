"""The HTTP side of a server: the pages, their JSON, health and metrics."""

import socket
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from paddock_server.basics.contact import Contact
from paddock_server.lobby.drain import Drain
from paddock_server.lobby.hall import Hall
from paddock_server.lobby.limits import Limits
from paddock_server.lobby.presence import Presence
from paddock_server.observe.metrics import CONTENT_TYPE, Metrics
from paddock_server.standings.ladders import Ladders
from paddock_server.store.database import Database
from paddock_server.tables.tables import Tables
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.telling import Telling
from paddock_server.visitors.visitors import Visitors
from paddock_server.web.events import Events
from paddock_server.web.files import Files
from paddock_server.web.listening import Listening, application, listener_on
from paddock_server.web.menu import SERVED, Menu
from paddock_server.web.own import Own
from paddock_server.web.page import Page
from paddock_server.web.pages.bot import Bots
from paddock_server.web.pages.calibration import Calibrations
from paddock_server.web.pages.duel import Duels
from paddock_server.web.pages.entrant import Entrants
from paddock_server.web.pages.home import Home
from paddock_server.web.pages.ladder import Ladder
from paddock_server.web.pages.live import Live
from paddock_server.web.pages.match import MatchPages
from paddock_server.web.pages.matches import Matches
from paddock_server.web.pages.rules import RulesPages
from paddock_server.web.pages.tournament import Tournaments
from paddock_server.web.pulse import Beat, BesidePulse
from paddock_server.web.rendering import Templates
from paddock_server.web.site import Site


class Web:
    """The HTTP server: pages of one database, and of what its lobby and tables do now."""

    def __init__(
        self,
        database: Database,
        tables: Tables,
        *,
        presence: Presence,
        hall: Hall,
        drain: Drain,
        desk: Desk,
        telling: Telling,
        visitors: Visitors,
        ladders: Ladders,
        limits: Limits,
        metrics: Metrics,
        contact: Contact,
        menu: Menu = SERVED,
    ) -> None:
        self._database = database
        self._presence = presence
        self._hall = hall
        self._drain = drain
        self._tables = tables
        self._metrics = metrics
        self._visitors = visitors
        self._listening: Listening | None = None
        templates = Templates(menu)
        ladder, match = Ladder(database, ladders), MatchPages(database, telling)
        bots = Bots(database, presence, telling, ladder)
        tournaments = Tournaments(database, desk)
        self._events = Events(visitors.admission)
        desk.waiting.on_change.append(self._events.changed.tell)
        tables.listeners.append(self._events)
        live = Live(
            database, tables, self._events, templates, most_per_match=limits.watchers_per_match
        )
        home = Home(database, presence, tables, ladder, contact)
        pages: list[Page] = [
            *home.pages(), *ladder.pages(), *Calibrations(database).pages(),
            *Matches(database).pages(), *match.pages(), *bots.pages(), *Duels(database).pages(),
            *live.pages(), *tournaments.pages(), *Entrants(database, tournaments, bots).pages(),
            *RulesPages().pages(),
        ]  # fmt: skip
        self.site = Site(pages, templates, self._events.changed, visitors)
        self.app = application(
            [
                Route("/metrics", self._numbers),
                Route("/health", self._health),
                *Files().routes(),
                *Own(database, templates, visitors).routes(),
                Route("/events", self._events.follow),
                Route("/live/{match}/events", live.events),
                Route("/matches/{match}/record.jsonl", match.record),
                *self.site.routes(),
            ],
            self.site,
            visitors,
        )

    async def start(self, address: str) -> str:
        """Listen on host:port and return where."""
        listener = listener_on(address)
        self._listening = Listening(self.app, self._visitors.limits, listener)
        return f"{address.rpartition(':')[0]}:{listener.getsockname()[1]}"

    async def start_behind(self, path: Path) -> None:
        """Listen on a socket of the file system, for our own workers alone."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(path))
        listener.listen(1024)
        app = BesidePulse(self.app, self._beat)
        self._listening = Listening(app, self._visitors.limits, listener, behind=True)

    def _beat(self) -> Beat:
        connected = frozenset(each.bot for each in self._presence.everybody())
        return Beat(self._events.changed.number, len(self._tables) > 0, connected)

    def changed(self) -> None:
        """Tell open pages that something other than a match changed."""
        self._events.changed.tell()

    async def stop(self) -> None:
        """Stop listening."""
        if self._listening is not None:
            self._events.close()
            await self._listening.stop()

    async def _numbers(self, _request: Request) -> Response:
        metrics = self._metrics
        metrics.loop_lag_seconds.set(self._tables.loop_lag)
        metrics.write_queue.set(self._database.writer.waiting)
        metrics.unread_items.set(self._hall.unread_items)
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    async def _health(self, _request: Request) -> Response:
        if self._drain.begun:
            return PlainTextResponse("draining\n", status_code=503)
        return PlainTextResponse("serving\n")
