"""The pages of a tournament as a folder of files, with links that stay in the folder."""

from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from paddock_games import GAMES
from paddock_server.standings.ladders import Ladders
from paddock_server.store import pages as looks
from paddock_server.store import tournament_matches
from paddock_server.store.database import Database
from paddock_server.tournaments.telling import Telling
from paddock_server.web.links import Target, relinked
from paddock_server.web.menu import Menu, MenuLink
from paddock_server.web.page import Page
from paddock_server.web.pages.bot import Bots
from paddock_server.web.pages.entrant import Entrants
from paddock_server.web.pages.ladder import Ladder
from paddock_server.web.pages.match import MatchPages
from paddock_server.web.pages.matches import SIZE, Matches
from paddock_server.web.pages.rules import RulesPages, slug
from paddock_server.web.pages.tournament import BLOCKS, Tournaments
from paddock_server.web.rendering import STATIC, Templates
from paddock_server.web.visit import Visit

INDEX: Final = "index.html"
_STATIC: Final = "/static/"


class File(NamedTuple):
    """A file of the folder."""

    name: str  # from the folder on, with slashes
    content: bytes


class _Leaf(NamedTuple):
    """A page that becomes a file."""

    file: str
    page: Page
    visit: Visit


class Publication:
    """The pages of one tournament."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        home = f"/tournaments/{name}"
        links = (
            MenuLink(home, "Tournament"),
            MenuLink(f"/matches?tournament={name}", "Matches"),
            MenuLink("/rules", "Rules"),
        )
        self._templates = Templates(Menu(home, links, served=False))
        telling = Telling(database)
        self._match = MatchPages(database, telling)
        self._tournaments = Tournaments(database, None)
        bots = Bots(database, frozenset(), telling, Ladder(database, Ladders(database)))
        self._pages = {
            page.address: page
            for page in (
                *self._tournaments.pages(), *Matches(database).pages(), *self._match.pages(),
                *Entrants(database, self._tournaments, bots).pages(), *RulesPages().pages(),
            )
        }  # fmt: skip
        self._leaves: list[_Leaf] = []
        self._records: list[str] = []  # ids of matches whose record may be shown
        self._links: dict[str, str] = {}  # from an address to its file
        self.matches = 0

    async def plan(self) -> int:
        """Decide what is in the folder, and return how many files that is."""
        report = await self._tournaments.report(self._name)
        read = self._database.read
        matches = await read(tournament_matches.all_matches, self._name)
        bots = await read(tournament_matches.entrants, self._name)
        bots.update(line.placed.bot for line in report.overall.lines)
        self.matches = len(matches)
        self._plan_tournament(await read(looks.count_blocks, self._name))
        self._plan_lists([match.number for match in matches])
        for bot, file in _file_names(bots).items():
            address = "/tournaments/{tournament}/bots/{bot}"
            self._add(f"bots/{file}", address, {"tournament": self._name, "bot": bot})
            self._links[f"/bots/{bot}"] = f"bots/{file}"
        for match in matches:
            self._add(f"matches/{match.id}.html", "/matches/{match}/turns", {"match": match.id})
            for address in (f"/matches/{match.id}", f"/live/{match.id}"):
                self._links[address] = f"matches/{match.id}.html"
            if await self._match.published_record(match.id):
                self._records.append(match.id)
                self._links[f"/matches/{match.id}/record.jsonl"] = f"matches/{match.id}.jsonl"
        self._add("rules/index.html", "/rules", {})
        for game in GAMES:
            self._add(f"rules/{slug(game)}.html", "/rules/{game}", {"game": slug(game)})
        return len(self._leaves) + len(self._records) + len(list(STATIC.iterdir()))

    def _plan_tournament(self, blocks: int) -> None:
        address = "/tournaments/{tournament}"
        for page in range(1, max(1, -(-blocks // BLOCKS)) + 1):
            file = INDEX if page == 1 else f"blocks-{page}.html"
            self._add(file, address, {"tournament": self._name}, blocks=page)
        self._links[f"/tournaments/{self._name}"] = INDEX

    def _plan_lists(self, numbers: list[int]) -> None:
        """The list of matches, page by page; the newest first."""
        for page, first in enumerate(range(0, max(1, len(numbers)), SIZE), start=1):
            file = "matches.html" if page == 1 else f"matches-{page}.html"
            before = numbers[first - 1] if first else 0
            self._add(file, "/matches", {}, tournament=self._name, before=before)

    def _add(self, file: str, address: str, path: Mapping[str, Any], **query: Any) -> None:
        page = self._pages[address]
        visit = page.visit(path, query)
        self._leaves.append(_Leaf(file, page, visit))
        self._links[visit.with_query()] = file

    async def files(self) -> AsyncIterator[File]:
        """All planned files, one by one."""
        for static in sorted(STATIC.iterdir()):
            yield File(f"static/{static.name}", static.read_bytes())
        for leaf in self._leaves:
            values = await leaf.page.values(leaf.visit)
            html = self._templates.page(leaf.page, leaf.visit, values).decode()
            yield File(leaf.file, relinked(html, self._from(leaf.file)).encode())
        for match_id in self._records:
            record = await self._match.published_record(match_id)
            yield File(f"matches/{match_id}.jsonl", f"{record}\n".encode())

    def _from(self, file: str) -> Target:
        """The function that turns an address into a link from this file."""
        up = "../" * (len(PurePosixPath(file).parts) - 1)

        def target(address: str) -> str | None:
            if address.startswith(_STATIC):
                return up + address.partition("?")[0].removeprefix("/")
            page, mark, part = address.partition("#")
            file = self._links.get(page)
            return None if file is None else f"{up}{file}{mark}{part}"

        return target


def _file_names(bots: Iterable[str]) -> dict[str, str]:
    """A file name for every bot; names that differ only in case get a number."""
    files: dict[str, str] = {}
    taken: dict[str, int] = {}
    for bot in sorted(bots):
        count = taken[bot.lower()] = taken.get(bot.lower(), 0) + 1
        files[bot] = f"{bot}.html" if count == 1 else f"{bot}~{count}.html"
    return files
