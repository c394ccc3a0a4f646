"""Access to the services: bots and organisers show their tokens, except on an open server."""

import hmac
from collections.abc import Iterable
from typing import Any

from paddock_server.api.refusal import Refusal
from paddock_server.basics.identity import BOT_NAME, hash_token, new_token, stamp, token_fits
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import BotRow
from paddock_server.tournaments.log import OPERATOR, ORGANISER


class Access:
    """A check of tokens against their stored hashes."""

    def __init__(self, database: Database, organiser_token: str | None) -> None:
        """Without an organiser's token nobody needs one: for loopback only."""
        self._database = database
        self._organiser = organiser_token
        self.open = organiser_token is None

    @property
    def who(self) -> str:
        """The name of the organiser in the logs of tournaments."""
        return OPERATOR if self.open else ORGANISER

    async def bot(self, metadata: Any, name: str) -> BotRow:
        """The bot of this name; raises Refusal where the token is missing or not its own."""
        if not BOT_NAME.fullmatch(name):
            raise Refusal(
                "bot/bad_name",
                f"name {name[:60]!r} is invalid: use up to 40 letters, digits, dots, dashes and "
                "underscores",
            )
        token = _token(metadata)
        row = await self._database.read(store.find_bot, name)
        if self.open and token is None:
            return row or await self._add_unasked(name)
        if token is None:
            raise Refusal(
                "auth/missing_token",
                f"the token of {name} is missing; set PADDOCK_TOKEN (on the wire it is the "
                "metadata `authorization: Bearer TOKEN`)",
            )
        if row is None or not token_fits(token, row.token_hash):
            if await self._database.read(store.has_token, hash_token(token)):
                raise Refusal(
                    "auth/other_bot",
                    f"the token belongs to another bot; set PADDOCK_TOKEN to the token of {name}",
                )
            raise Refusal(
                "auth/bad_token",
                f"this is not the token of {name}; make a new one with: paddock bot rotate-token",
            )
        return row

    async def _add_unasked(self, name: str) -> BotRow:
        """Add a bot that connects to an open server for the first time."""
        row = BotRow(name, name, hash_token(new_token()), stamp())
        await self._database.writer.write(lambda connection: store.add_bot(connection, row))
        return row

    def organiser(self, metadata: Any) -> None:
        """Raise Refusal unless the token is the organiser's."""
        if self._organiser is None:
            return
        token = _token(metadata)
        if token is None:
            raise Refusal(
                "auth/missing_token",
                "the organiser's token is missing; set PADDOCK_ORGANISER_TOKEN or give --token",
            )
        if not hmac.compare_digest(hash_token(token), hash_token(self._organiser)):
            raise Refusal(
                "auth/organiser_only",
                "the token is not the organiser's; set PADDOCK_ORGANISER_TOKEN",
            )


def _token(metadata: Iterable[tuple[str, str | bytes]] | None) -> str | None:
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str):
            kind, _, token = value.partition(" ")
            if kind.lower() == "bearer" and token:
                return token
    return None
