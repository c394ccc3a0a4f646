"""The pages of matches under way: what lies open, and no hands."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from paddock_games import FORMATS
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.tables.open_match import OpenMatch
from paddock_server.tables.tables import Tables
from paddock_server.tables.watching import WITHHELD, Watcher
from paddock_server.visitors.pool import aside
from paddock_server.web.drawing import drawing_of
from paddock_server.web.drawing.frame import Frame
from paddock_server.web.events import Events, Notice, event
from paddock_server.web.page import Page
from paddock_server.web.pages.match import ID, UNKNOWN
from paddock_server.web.pages.matches import MatchLine, match_line, seat_lines
from paddock_server.web.rendering import Templates
from paddock_server.web.visit import Missing, Visit, Wrong, read_visit

_LISTED: Final = 100
_FRAME_SECONDS: Final = 0.5  # between two pictures of a match
_ALIVE_SECONDS: Final = 20.0


class LiveLine(NamedTuple):
    """A match under way in a list."""

    match: MatchLine
    steps: int  # that are over
    totals: tuple[int, ...]  # as the table stands; empty: others are to play the same deal


class LiveValues(NamedTuple):
    """The matches under way."""

    open: int
    matches: tuple[LiveLine, ...]  # the newest first, at most 100


class WatchedValues(NamedTuple):
    """A match under way, as it stands."""

    match: MatchLine
    game: str
    frame: Frame | None  # null: not dealt yet, no longer under way, or withheld
    withheld: bool  # whether it is under way, and others are to play the same deal


class _Show:
    """A match under way, drawn once for all who watch it."""

    def __init__(self, watcher: Watcher, templates: Templates) -> None:
        self.notice = Notice()
        self.watching = 0
        self.over = False
        self.shown = ""  # the last event
        self._templates = templates
        self._watcher = watcher
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        over = False
        while not self.over:
            match = self._watcher.match
            # Both at once: whoever wakes must not take an older picture for the last.
            self.shown, self.over = await aside(self._drawn, match, over), over
            self.notice.tell()
            if not over:
                await asyncio.sleep(_FRAME_SECONDS)
                over = not await self._watcher.moved()

    def _drawn(self, match: OpenMatch, over: bool) -> str:
        values = _watched(match)
        text = self._templates.fragment(
            "watched.html",
            line=values.match,
            game=values.game,
            frame=values.frame,
            withheld=values.withheld,
        )
        return event("end" if over else "table", text)

    def close(self) -> None:
        """Stop drawing: nobody watches any more."""
        self._task.cancel()
        self._watcher.leave()


class Live:
    """The pages of matches under way."""

    def __init__(
        self,
        database: Database,
        tables: Tables,
        events: Events,
        templates: Templates,
        *,
        most_per_match: int,
    ) -> None:
        self._database = database
        self._tables = tables
        self._events = events
        self._templates = templates
        self._most_per_match = most_per_match
        self._shows: dict[str, _Show] = {}

    async def values(self, _visit: Visit) -> LiveValues:
        """The matches under way."""
        newest = self._tables.open_matches(_LISTED)
        lines = (
            LiveLine(live_line(match), match.steps, () if match.withheld else match.points)
            for match in newest
        )
        return LiveValues(len(self._tables), tuple(lines))

    async def watched(self, visit: Visit) -> WatchedValues:
        """A match under way, as it stands."""
        match_id = visit.path["match"]
        match = self._tables.open_match(match_id)
        if match is not None:
            return await aside(_watched, match)
        stored = await self._database.read(store.find_match, match_id)
        if stored is None:
            raise Missing(UNKNOWN)
        return WatchedValues(match_line(stored[0]), "", None, withheld=False)

    async def events(self, request: Request) -> Response:
        """A stream of the pictures of a match."""
        match_id = read_visit(request, (ID,), (), request.url.path).path["match"]
        match = self._tables.open_match(match_id)
        if match is None:
            raise Missing("this match is not under way; look for it among the matches")
        if match.withheld:
            raise Wrong(WITHHELD, "watch/withheld")
        show = self._shows.get(match_id)
        if show is not None and show.watching >= self._most_per_match:
            raise Wrong("too many watchers of this match; come back later", "watch/too_many")
        return self._events.stream(request, self._seen(match_id))

    async def _seen(self, match_id: str) -> AsyncIterator[str]:
        show = self._shows.get(match_id)
        if show is None:
            watcher = self._tables.watch(match_id, from_now=True)
            if watcher is None:  # it has just ended
                return
            show = self._shows[match_id] = _Show(watcher, self._templates)
        show.watching += 1
        try:
            seen = 0
            while not self._events.closing:
                if await show.notice.after(seen, _ALIVE_SECONDS):
                    seen = show.notice.number
                    yield show.shown
                    if show.over:
                        return
                else:
                    yield ": nothing new\n\n"
        finally:
            show.watching -= 1
            if not show.watching:
                self._shows.pop(match_id, None)
                show.close()

    def pages(self) -> list[Page]:
        """The list of matches under way, and the page of each."""
        return [
            Page(
                "/live",
                "Matches under way, the newest first.",
                LiveValues,
                self.values,
                "live.html",
            ),
            Page(
                address="/live/{match}",
                summary="A match under way: what lies open.",
                kind=WatchedValues,
                values=self.watched,
                template="live_match.html",
                in_path=(ID,),
            ),
        ]


def live_line(match: OpenMatch) -> MatchLine:
    """A match under way, as a line; how it ended, once it has."""
    plan = match.plan
    return MatchLine(
        match=match.id,
        format=plan.format,
        state="finished" if match.results else "open",
        seats=seat_lines(match.entrants, match.results),
        started=match.started,
        ended="",
        tournament=plan.tournament,
        block=plan.block,
        round=plan.round,
        rated=plan.rated,
        void="",
    )


def _watched(match: OpenMatch) -> WatchedValues:
    game = FORMATS[match.plan.format].game
    frame = None if match.table is None else drawing_of(game).open(match.table)
    return WatchedValues(live_line(match), game, frame, match.withheld)
