"""The stream of MatchService: a match under way, for watchers."""

from collections.abc import AsyncIterator
from typing import Any, Final

from paddock.v1 import match_pb2
from paddock_server.api.refusal import Refusal
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.tables.tables import Tables
from paddock_server.tables.watching import WITHHELD
from paddock_server.visitors.address import visitor_of_peer
from paddock_server.visitors.admission import Kind
from paddock_server.visitors.gate import ITEM_SECONDS
from paddock_server.visitors.visitors import Visitors

_UNKNOWN: Final = "there is no such match; see: paddock match list"


class Watching:
    """The gRPC streams of watchers."""

    def __init__(
        self, database: Database, tables: Tables, visitors: Visitors, most_per_match: int
    ) -> None:
        self._database = database
        self._tables = tables
        self._visitors = visitors
        self._most_per_match = most_per_match

    async def WatchMatch(
        self, request: match_pb2.WatchMatchRequest, context: Any
    ) -> AsyncIterator[bytes]:
        """A match under way, without what only the seats know."""
        match_id = request.match_id
        address = visitor_of_peer(context.peer())
        await self._visitors.gate.enter(address)
        match = self._tables.open_match(match_id)
        if match is not None and match.withheld:
            raise Refusal("watch/withheld", WITHHELD)
        crowded = self._tables.watchers(match_id) >= self._most_per_match
        if crowded and match is not None:
            raise Refusal("watch/too_many", "there are too many watchers; try again later")
        watcher = self._tables.watch(match_id)
        if watcher is None:
            if await self._database.read(store.find_match, match_id) is None:
                raise Refusal("match/unknown", _UNKNOWN)
            return  # it is over, or has not begun: there is nothing to see
        try:
            with self._visitors.admission.admitted(Kind.WATCH, address):
                async for item in watcher.items():
                    await self._visitors.gate.enter(address, ITEM_SECONDS)
                    yield item
        finally:
            watcher.leave()
        if watcher.too_slow:
            raise Refusal("reader/too_slow", "too many items wait unread; read the stream faster")
