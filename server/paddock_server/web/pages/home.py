"""The home page: how to enter a bot, who leads, and what is being played."""

from typing import Final, NamedTuple

from paddock_ladder.row import LadderRow
from paddock_server.basics.contact import SOME_HOST, Contact
from paddock_server.lobby.presence import Presence
from paddock_server.projects.starters import STARTERS
from paddock_server.standings.tables import OVERALL
from paddock_server.store import pages, store, tournaments
from paddock_server.store.database import Database
from paddock_server.store.pages import Counts
from paddock_server.store.rows import MatchFilter
from paddock_server.tables.tables import Tables
from paddock_server.visitors.cache import Cache
from paddock_server.web.contract import contract
from paddock_server.web.page import Page
from paddock_server.web.pages.ladder import Ladder
from paddock_server.web.pages.matches import MatchLine, match_line
from paddock_server.web.pages.rules import all_rules
from paddock_server.web.visit import Visit

_COUNT_SECONDS: Final = 10.0  # counting a million matches takes a moment
_LEADERS: Final = 5
_RECENT: Final = 8
_OPEN: Final = 8


class Going(NamedTuple):
    """A tournament that runs."""

    name: str
    schedule: str
    formats: tuple[str, ...]


class ProjectLink(NamedTuple):
    """A new project for a bot, ready to build and play."""

    language: str
    address: str


class EntryHelp(NamedTuple):
    """The commands that connect a bot to this server; names in capitals are placeholders."""

    server: str  # PADDOCK_SERVER
    tokens: bool  # whether a bot needs a token
    tls: bool
    client_certificates: bool
    python: str  # a command for a bot in Python
    bridge: str  # and for one in any other language
    contract: tuple[str, ...]  # addresses of the .proto files
    projects: tuple[ProjectLink, ...]


class RulesLink(NamedTuple):
    """A game and where its rules are."""

    title: str
    address: str


class HomeValues(NamedTuple):
    """The state of the server: numbers, leaders, tournaments and matches."""

    bots: int
    connected: int
    finished: int
    open: int
    waiting: int
    leaders: tuple[LadderRow, ...]
    running: tuple[Going, ...]
    live: tuple[MatchLine, ...]
    recent: tuple[MatchLine, ...]
    entry: EntryHelp
    games: tuple[RulesLink, ...]


class Home:
    """The first page of a server."""

    def __init__(
        self,
        database: Database,
        presence: Presence,
        tables: Tables,
        ladder: Ladder,
        contact: Contact,
    ) -> None:
        self._database = database
        self._presence = presence
        self._tables = tables
        self._ladder = ladder
        self._contact = contact
        self._counts: Cache[Counts] = Cache(_COUNT_SECONDS)

    async def values(self, visit: Visit) -> HomeValues:
        """The state of the server."""
        read = self._database.read
        counted = await self._counts.get("", lambda: read(pages.counts))
        running = await read(tournaments.list_tournaments, _OPEN, None, "running")
        recent = await read(store.list_matches, None, _RECENT, MatchFilter("finished"))
        live = await read(store.list_matches, None, _OPEN, MatchFilter("open"))
        ranking = await self._ladder.table(OVERALL)
        return HomeValues(
            bots=counted.bots,
            connected=len(self._presence),
            finished=counted.finished,
            open=len(self._tables),
            waiting=counted.waiting,
            leaders=tuple(ranking.rows[:_LEADERS]),
            running=tuple(
                Going(row.name, row.definition.schedule, row.definition.formats) for row in running
            ),
            live=tuple(map(match_line, live)),
            recent=tuple(map(match_line, recent)),
            entry=self._entry(visit.host or SOME_HOST),
            games=tuple(RulesLink(each.title, each.address) for each in all_rules()),
        )

    def _entry(self, host: str) -> EntryHelp:
        contact = self._contact
        return EntryHelp(
            server=contact.server(host),
            tokens=contact.tokens,
            tls=contact.tls,
            client_certificates=contact.client_certificates,
            python=contact.command("python mybot.py", host),
            bridge=contact.command(
                "python -m paddock.bridge --name mine", host, rest="-- perl mybot.pl"
            ),
            contract=tuple(f"/proto/{path}" for path in contract()),
            projects=tuple(
                ProjectLink(starter.title, f"/new-bot/{name}.zip")
                for name, starter in STARTERS.items()
            ),
        )

    def pages(self) -> list[Page]:
        """The home page."""
        summary = "The home page: how many play, who leads, what runs, what was just played."
        return [
            Page("/", summary, HomeValues, self.values, "home.html", by_host=True,
                 api_address="/api/home"),
        ]  # fmt: skip
