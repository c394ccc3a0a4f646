"""Who may do what: bots by their tokens, organisers by theirs, and a first try without any."""

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
    """Checks tokens against what is stored of them."""

    def __init__(self, database: Database, organiser_token: str | None) -> None:
        """Without an organiser's token nobody needs one: for loopback only."""
        self._database = database
        self._organiser = organiser_token
        self.open = organiser_token is None

    @property
    def who(self) -> str:
        """Who an organiser is in the logs of tournaments."""
        return OPERATOR if self.open else ORGANISER

    async def bot(self, metadata: Any, name: str) -> BotRow:
        """The bot that says it is called this, if its token says so too."""
        if not BOT_NAME.fullmatch(name):
            raise Refusal(
                "bot/bad_name",
                "a name is up to 40 letters, digits, dots, dashes and underscores",
            )
        token = _token(metadata)
        row = await self._database.read(store.find_bot, name)
        if self.open and token is None:
            return row or await self._add_unasked(name)
        if token is None:
            raise Refusal(
                "auth/missing_token",
                f"{name} needs its token here; set PADDOCK_TOKEN (on the wire it is the metadata "
                "`authorization: Bearer TOKEN`)",
            )
        if row is None or not token_fits(token, row.token_hash):
            if await self._database.read(store.has_token, hash_token(token)):
                raise Refusal("auth/other_bot", f"this token belongs to another bot than {name}")
            raise Refusal(
                "auth/bad_token",
                f"this is not the token of {name}; make a new one with: paddock bot rotate-token",
            )
        return row

    async def _add_unasked(self, name: str) -> BotRow:
        """On an open server whoever comes is known from then on."""
        row = BotRow(name, name, hash_token(new_token()), stamp())
        await self._database.writer.write(lambda connection: store.add_bot(connection, row))
        return row

    def organiser(self, metadata: Any) -> None:
        """Refuse whoever is not the organiser."""
        if self._organiser is None:
            return
        token = _token(metadata)
        if token is None:
            raise Refusal(
                "auth/missing_token",
                "this needs the organiser's token; set PADDOCK_ORGANISER_TOKEN or give --token",
            )
        if not hmac.compare_digest(hash_token(token), hash_token(self._organiser)):
            raise Refusal(
                "auth/organiser_only",
                "this is not the organiser's token; set PADDOCK_ORGANISER_TOKEN",
            )


def _token(metadata: Iterable[tuple[str, str | bytes]] | None) -> str | None:
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str):
            kind, _, token = value.partition(" ")
            if kind.lower() == "bearer" and token:
                return token
    return None
