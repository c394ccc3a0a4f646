"""Matches under way, as those without a seat see them: what lies open, nothing else."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from paddock_server.arena.arena import Arena
from paddock_server.arena.table import Table
from paddock_server.store import store
from paddock_server.web.drawing import drawing_of
from paddock_server.web.drawing.frame import Frame
from paddock_server.web.events import Events, Notice, event
from paddock_server.web.page import Page
from paddock_server.web.pages.match import ID, UNKNOWN
from paddock_server.web.pages.matches import NOT_OVER, MatchLine, SeatLine, match_line
from paddock_server.web.rendering import Templates
from paddock_server.web.visit import Missing, Visit, Wrong, read_visit

_LISTED: Final = 100
_FRAME_SECONDS: Final = 0.5  # between two pictures of a match
_ALIVE_SECONDS: Final = 20.0


class LiveLine(NamedTuple):
    """A match under way in a list."""

    match: MatchLine
    steps: int  # that are over
    totals: tuple[int, ...]  # as the table stands


class LiveValues(NamedTuple):
    """What is being played."""

    open: int
    matches: tuple[LiveLine, ...]  # the newest first, at most 100


class WatchedValues(NamedTuple):
    """One match as it stands."""

    match: MatchLine
    game: str
    frame: Frame | None  # null: not dealt yet, or no longer under way


class _Show:
    """A match under way, drawn once for all who watch it."""

    def __init__(self, table: Table, templates: Templates) -> None:
        self.table = table
        self.notice = Notice()
        self.watching = 0
        self.over = False
        self.shown = ""  # the last event
        self._templates = templates
        self._watcher = table.watchers.add(None)
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        items, over = self._watcher.items, False
        while not self.over:
            state, line = self.table.referee.state, live_match(self.table)
            # Both at once: whoever wakes must not take an older picture for the last.
            self.shown, self.over = await asyncio.to_thread(self._drawn, line, state, over), over
            self.notice.tell()
            if not over:
                await asyncio.sleep(_FRAME_SECONDS)
                last = await items.get()
                while last is not None and not items.empty():
                    last = items.get_nowait()
                over = last is None

    def _drawn(self, line: MatchLine, state: Any, over: bool) -> str:
        game = self.table.match.game.name
        frame = None if state is None else drawing_of(game).open(_open(state))
        text = self._templates.fragment("watched.html", line=line, game=game, frame=frame)
        return event("end" if over else "table", text)

    def close(self) -> None:
        """Nobody watches any more."""
        self._task.cancel()
        self.table.watchers.remove(self._watcher)


class Live:
    """The pages of what is under way."""

    def __init__(self, arena: Arena, events: Events, templates: Templates) -> None:
        self._arena = arena
        self._events = events
        self._templates = templates
        self._shows: dict[str, _Show] = {}

    async def values(self, _visit: Visit) -> LiveValues:
        """What is being played."""
        tables = list(self._arena.tables.values())
        newest = tables[: -_LISTED - 1 : -1]
        return LiveValues(len(tables), tuple(map(_line, newest)))

    async def watched(self, visit: Visit) -> WatchedValues:
        """One match as it stands."""
        table = self._table(visit.path["match"])
        if table is None:
            found = await self._arena.database.read(store.find_match, visit.path["match"])
            if found is None:
                raise Missing(UNKNOWN)
            line = match_line(found[0])
            return WatchedValues(line, "", None)
        line, game, state = live_match(table), table.match.game.name, table.referee.state
        frame = None
        if state is not None:
            frame = await asyncio.to_thread(lambda: drawing_of(game).open(_open(state)))
        return WatchedValues(line, game, frame)

    def _table(self, match_id: str) -> Table | None:
        return self._arena.tables.get(self._arena.numbers.get(match_id, 0))

    async def events(self, request: Request) -> Response:
        """A match as it happens."""
        match_id = read_visit(request, (ID,), (), request.url.path).path["match"]
        table = self._table(match_id)
        if table is None:
            raise Missing("this match is not under way; look for it among the matches")
        show = self._shows.get(match_id)
        if show is not None and show.watching >= self._arena.limits.watchers_per_match:
            raise Wrong("too many watch this match; come back later", "watch/too_many")
        return self._events.stream(request, self._seen(match_id, table))

    async def _seen(self, match_id: str, table: Table) -> AsyncIterator[str]:
        show = self._shows.get(match_id)
        if show is None:
            show = self._shows[match_id] = _Show(table, self._templates)
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
                    yield ": it thinks\n\n"
        finally:
            show.watching -= 1
            if not show.watching:
                self._shows.pop(match_id, None)
                show.close()

    def pages(self) -> list[Page]:
        """What is under way, and one of it."""
        return [
            Page("/live", "Matches under way, the newest first.", LiveValues, self.values,
                 "live.html"),
            Page("/live/{match}", "A match under way: what lies open.", WatchedValues,
                 self.watched, "live_match.html", (ID,)),
        ]  # fmt: skip


def live_match(table: Table) -> MatchLine:
    """A match under way, as a line; how it ended, once it has."""
    plan, match = table.plan, table.match
    results = table.results or [NOT_OVER] * len(match.seats)
    seats = tuple(
        SeatLine(seated.bot, seated.version, seated.owner, **result)
        for seated, result in zip(match.seats, results, strict=True)
    )
    return MatchLine(
        match.id, match.format, "finished" if table.results else "open", seats, match.started, "",
        plan.tournament, plan.block, plan.round, plan.rated, "",
    )  # fmt: skip


def _line(table: Table) -> LiveLine:
    """A line of the list: cheap, because it is made on the event loop."""
    state = table.referee.state
    totals = (0,) * len(table.match.seats) if state is None else state.result().totals
    return LiveLine(live_match(table), len(table.referee.steps), totals)


def _open(state: Any) -> Any:
    """The part of a state that lies open: hands and deal stay behind."""
    return state.table
