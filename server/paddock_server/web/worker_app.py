"""The pages that a web worker serves: those that come from the database alone."""

from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from paddock_server.standings.ladders import Ladders
from paddock_server.store.database import Database
from paddock_server.tournaments.telling import Telling
from paddock_server.visitors.visitors import Visitors
from paddock_server.web.files import Files
from paddock_server.web.forward import Forward
from paddock_server.web.listening import application
from paddock_server.web.menu import SERVED
from paddock_server.web.own import Own
from paddock_server.web.pages.bot import Bots
from paddock_server.web.pages.calibration import Calibrations
from paddock_server.web.pages.duel import Duels
from paddock_server.web.pages.entrant import Entrants
from paddock_server.web.pages.ladder import Ladder
from paddock_server.web.pages.match import MatchPages
from paddock_server.web.pages.matches import Matches
from paddock_server.web.pages.rules import RulesPages
from paddock_server.web.pages.tournament import Tournaments
from paddock_server.web.pulse import Pulse
from paddock_server.web.rendering import Templates
from paddock_server.web.site import Site


def worker_app(database: Database, visitors: Visitors, pulse: Pulse, path: str) -> ASGIApp:
    """The application of a worker; what it does not know is asked of the server at `path`.

    That is everything about now: the first page, matches under way, tournaments with whom they
    wait for, streams of events, health and metrics, and the description of all pages.
    """
    telling = Telling(database)
    ladder, match = Ladder(database, Ladders(database)), MatchPages(database, telling)
    bots = Bots(database, pulse, telling, ladder)
    entrants = Entrants(database, Tournaments(database, None), bots)
    pages = [
        *ladder.pages(), *Calibrations(database).pages(), *Matches(database).pages(),
        *match.pages(), *bots.pages(), *Duels(database).pages(), *entrants.pages(),
        *RulesPages().pages(),
    ]  # fmt: skip
    templates = Templates(SERVED)
    site = Site(pages, templates, pulse.changed, visitors)
    described = "/api/openapi.json"
    routes: list[BaseRoute] = [
        *Files().routes(),
        *Own(database, templates, visitors).routes(),
        Route("/matches/{match}/record.jsonl", match.record),
        *(route for route in site.routes() if route.path != described),
        Mount("/", Forward(path)),
    ]
    return application(routes, site, visitors)
