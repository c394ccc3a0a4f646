"""The tables of all ladders, kept for a moment for everybody who asks."""

from paddock_server.standings import tables
from paddock_server.standings.tables import Kind, Ranking, Superiority
from paddock_server.store.database import Database
from paddock_server.visitors.cache import Cache


class Ladders:
    """The ladders of a database; a thousand who ask in the same second cost one query."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tables: Cache[Ranking] = Cache()
        self._superiority: Cache[list[Superiority]] = Cache()

    async def table(self, format_name: str, kind: Kind = Kind.STANDING) -> Ranking:
        """A table of a format, or of all together."""
        return await self._tables.get(
            f"{format_name} {kind}", lambda: self._database.read(tables.table, format_name, kind)
        )

    async def superiority(self, format_name: str, most: int) -> list[Superiority]:
        """The best bots of a format against each other, by the standing."""
        return await self._superiority.get(
            f"{format_name} {most}",
            lambda: self._database.read(tables.superiority, format_name, most),
        )
