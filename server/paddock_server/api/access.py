"""Access to the services: bots and organisers show their tokens, except on an open server."""

import hmac
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from paddock_server.api.guesses import Guesses
from paddock_server.api.refusal import Refusal
from paddock_server.basics.identity import hash_token, new_token, stamp, token_fits
from paddock_server.basics.name import HOUSE, RULE, is_guest
from paddock_server.lobby.hosted import Hosted
from paddock_server.lobby.hosted_session import Run
from paddock_server.store import leases, owners, store
from paddock_server.store.database import Database
from paddock_server.store.leases import RunnerRow
from paddock_server.store.owners import OwnerRow
from paddock_server.store.rows import BotRow
from paddock_server.tournaments.log import OPERATOR, ORGANISER
from paddock_server.visitors.address import visitor_of_peer

SHORTEST_TOKEN: Final = 16  # of an organiser, in characters


class Admitted(NamedTuple):
    """A bot that may open a session."""

    bot: BotRow
    run: Run | None = None  # of a bot that the arena runs


class TokenHolder(NamedTuple):
    """The holder of a token: the organiser, an owner, or a bot alone."""

    organiser: bool = False
    owner: OwnerRow | None = None
    bot: BotRow | None = None

    def may_see(self, bot: str, owner: str) -> bool:
        """Whether what belongs to this bot of this owner is the holder's."""
        if self.bot is not None:
            return self.bot.name == bot
        return self.organiser or (self.owner is not None and self.owner.name == owner)


class Access:
    """A check of tokens against their stored hashes."""

    def __init__(
        self, database: Database, organiser_token: str | None, hosted: Hosted | None = None
    ) -> None:
        """Without an organiser's token nobody needs one: for loopback only."""
        self._hosted = hosted or Hosted()
        self._database = database
        self._organiser = organiser_token
        self._guesses = Guesses()
        self.open = organiser_token is None

    @property
    def who(self) -> str:
        """The name of the organiser in the logs of tournaments."""
        return OPERATOR if self.open else ORGANISER

    async def session(self, metadata: Any, name: str) -> Admitted:
        """The bot that opens a session; raises Refusal where its token does not allow that."""
        token = _token(metadata)
        run = self._hosted.run_of(hash_token(token)) if token else None
        if run is None:
            row = await self.bot(metadata, name)
            if self._hosted.is_hosted(name):
                raise Refusal(
                    "session/hosted",
                    f"the arena runs {name} itself; hand in a new version with: paddock submit",
                )
            return Admitted(row)
        if name != run.bot:
            raise Refusal("auth/other_bot", f"this run is of {run.bot}; say that name in Hello")
        found = await self._database.read(store.find_bot, name)
        if found is None:
            raise Refusal("auth/bad_token", f"there is no bot {name} any more")
        return Admitted(found, run)

    async def holder(self, context: Any) -> TokenHolder:
        """Who holds the token of a call; raises Refusal where it is nobody's."""
        token = _token(context.invocation_metadata())
        if token is None:
            if self.open:
                return TokenHolder(organiser=True)
            raise Refusal(
                "auth/missing_token",
                "the token is missing; set PADDOCK_TOKEN to the token of the owner or the bot",
            )
        address = visitor_of_peer(context.peer())
        self._guesses.check(address)
        holder = await self.holder_of(token)
        if holder is None:
            self._guesses.wrong(address)
            raise Refusal(
                "auth/bad_token",
                "this is the token of nobody, or no longer; ask the organiser for a new one",
            )
        return holder

    async def holder_of(self, token: str) -> TokenHolder | None:
        """Who holds a token; None: nobody."""
        hashed = hash_token(token)
        if self._organiser and hmac.compare_digest(hashed, hash_token(self._organiser)):
            return TokenHolder(organiser=True)
        owner = await self._database.read(owners.owner_of_token, hashed)
        if owner is not None:
            return TokenHolder(owner=owner)
        bot = await self._database.read(store.bot_of_token, hashed)
        return None if bot is None else TokenHolder(bot=bot)

    async def runner(self, context: Any) -> RunnerRow:
        """The runner whose token a call has; raises Refusal where it is no runner's."""
        token = _token(context.invocation_metadata())
        address = visitor_of_peer(context.peer())
        self._guesses.check(address)
        if token is not None:
            row = await self._database.read(leases.runner_of_token, hash_token(token))
            if row is not None:
                return row
            self._guesses.wrong(address)
        raise Refusal(
            "runner/bad_token",
            "this is not the token of a runner; make one with: paddock runner add NAME",
        )

    async def bot(self, metadata: Any, name: str) -> BotRow:
        """The bot of this name; raises Refusal where the token is missing or not its own."""
        if not is_guest(name):
            raise bad_name(name)
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
        await add_bot(self._database, row)
        return row

    def organiser(self, context: Any) -> None:
        """Raise Refusal unless the token of a call is the organiser's."""
        if self._organiser is None:
            return
        token = _token(context.invocation_metadata())
        if token is None:
            raise Refusal(
                "auth/missing_token",
                "the organiser's token is missing; set PADDOCK_ORGANISER_TOKEN or give --token",
            )
        address = visitor_of_peer(context.peer())
        self._guesses.check(address)
        if hmac.compare_digest(hash_token(token), hash_token(self._organiser)):
            self._guesses.right(address)
        else:
            self._guesses.wrong(address)
            raise Refusal(
                "auth/organiser_only",
                "the token is not the organiser's; set PADDOCK_ORGANISER_TOKEN",
            )


def bad_name(name: str) -> Refusal:
    """The refusal of a name that no bot may have."""
    sentence = f"name {name[:60]!r} is invalid: {RULE}, and nothing like {HOUSE} at the beginning"
    return Refusal("bot/bad_name", sentence)


async def add_bot(database: Database, row: BotRow) -> None:
    """Add a bot; raises Refusal where its name, or one that looks like it, is taken."""
    if await database.writer.write(lambda connection: store.add_bot(connection, row)):
        return
    taken = await database.read(store.find_alike, row.name) or row.name
    sentence = f"bot {row.name} exists already; choose another name"
    if taken != row.name:
        sentence = f"{row.name} looks like {taken}, which exists already; choose another name"
    raise Refusal("bot/exists", sentence)


def _token(metadata: Iterable[tuple[str, str | bytes]] | None) -> str | None:
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str):
            kind, _, token = value.partition(" ")
            if kind.lower() == "bearer" and token:
                return token
    return None
