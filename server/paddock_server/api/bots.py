"""BotService: bots and their tokens."""

from typing import Any

from paddock.v1 import bot_pb2, bot_pb2_grpc
from paddock_server.api.access import Access, add_bot, bad_name
from paddock_server.api.refusal import Refusal
from paddock_server.basics.identity import hash_token, new_token, stamp
from paddock_server.basics.name import is_guest
from paddock_server.basics.printable import printable
from paddock_server.lobby.hall import Hall
from paddock_server.lobby.presence import Presence
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import BotRow
from paddock_server.tournaments.changes import Changes

_PAGE = 100
_OWNER_LETTERS = 80


class Bots(bot_pb2_grpc.BotServiceServicer):
    """BotService, for organisers: adds, lists and removes bots, and changes their tokens."""

    def __init__(
        self,
        database: Database,
        hall: Hall,
        presence: Presence,
        access: Access,
        changes: Changes,
    ) -> None:
        self._database = database
        self._hall = hall
        self._presence = presence
        self._access = access
        self._changes = changes

    async def AddBot(self, request: bot_pb2.AddBotRequest, context: Any) -> bot_pb2.AddBotResponse:
        """Add a bot and make its token."""
        self._access.organiser(context)
        if not is_guest(request.name):
            raise bad_name(request.name)
        token = new_token()
        owner = printable(request.owner, _OWNER_LETTERS) or request.name
        row = BotRow(request.name, owner, hash_token(token), stamp())
        await add_bot(self._database, row)
        return bot_pb2.AddBotResponse(bot=self._message(row), token=token)

    async def ListBots(
        self, request: bot_pb2.ListBotsRequest, context: Any
    ) -> bot_pb2.ListBotsResponse:
        """A page of bots by name."""
        self._access.organiser(context)
        size = min(request.page_size or _PAGE, _PAGE)
        rows = await self._database.read(store.list_bots, request.page_token, size + 1)
        more = rows[size - 1].name if len(rows) > size else ""
        return bot_pb2.ListBotsResponse(
            bots=[self._message(row) for row in rows[:size]], next_page_token=more
        )

    async def GetBot(self, request: bot_pb2.GetBotRequest, context: Any) -> bot_pb2.GetBotResponse:
        """One bot."""
        self._access.organiser(context)
        row = await self._database.read(store.find_bot, request.name)
        if row is None:
            raise _unknown(request.name)
        return bot_pb2.GetBotResponse(bot=self._message(row))

    async def RotateToken(
        self, request: bot_pb2.RotateTokenRequest, context: Any
    ) -> bot_pb2.RotateTokenResponse:
        """A new token for a bot; the session that it opened with the old one ends."""
        self._access.organiser(context)
        token = new_token()
        changed = await self._database.writer.write(
            lambda connection: store.change_bot(
                connection, request.name, token_hash=hash_token(token)
            )
        )
        if not changed:
            raise _unknown(request.name)
        self._hall.dismiss(request.name, "auth/bad_token", "the token was changed; use the new one")
        return bot_pb2.RotateTokenResponse(token=token)

    async def RemoveBot(
        self, request: bot_pb2.RemoveBotRequest, context: Any
    ) -> bot_pb2.RemoveBotResponse:
        """Remove a bot, also from the tournaments that it is entered in."""
        self._access.organiser(context)
        if await self._database.read(store.find_bot, request.name) is None:
            raise _unknown(request.name)
        entered = await self._changes.entered_in(request.name)
        if entered and not request.withdraw:
            why = f"{request.name} is entered in {', '.join(entered)}; withdraw it with --withdraw"
            raise Refusal("bot/entered", why)
        for name in entered:
            why = "the bot was removed"
            work = self._changes.withdraw(name, request.name, self._access.who, why)
            await work
        removed = await self._database.writer.write(
            lambda connection: store.remove_bot(connection, request.name)
        )
        if not removed:
            raise _unknown(request.name)
        self._hall.dismiss(request.name, "session/removed", "the bot was removed by the organiser")
        return bot_pb2.RemoveBotResponse()

    def _message(self, row: BotRow) -> bot_pb2.Bot:
        return bot_pb2.Bot(
            name=row.name,
            owner=row.owner,
            added=row.added,
            version=row.version,
            formats=row.formats,
            connected=row.name in self._presence,
            open_matches=self._presence.open_matches_of(row.name),
            probation=self._presence.probation(row.name),
        )


def _unknown(name: str) -> Refusal:
    return Refusal("bot/unknown", f"there is no bot {name[:40]!r}; see: paddock bot list")
