"""The stream of ArenaService: frames between a bot and the server."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from math import ceil
from typing import Any, Final

from paddock.v1 import arena_pb2
from paddock_server.api.access import Access
from paddock_server.api.frames import check_size, items_of
from paddock_server.api.hearing import Hearing
from paddock_server.api.offer import formats_of, welcome
from paddock_server.api.refusal import Refusal, abort, refuse
from paddock_server.api.strangers import Strangers
from paddock_server.basics.errors import ServerError
from paddock_server.basics.identity import stamp_of
from paddock_server.basics.printable import printable
from paddock_server.basics.wording import lasting
from paddock_server.lobby.drain import Draining
from paddock_server.lobby.hosted_session import HostedSession
from paddock_server.lobby.limits import PROTOCOL, Limits
from paddock_server.lobby.reception import Reception
from paddock_server.lobby.session import Session
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.plan import Entrant
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.versions import note_version
from paddock_server.tables.tables import Tables
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.waiting import WAITING_LOG
from paddock_server.visitors.address import visitor_of_peer
from paddock_server.wire import items

_LOG = logging.getLogger("paddock.play")
_VERSION: Final = version("paddock")
_VERSION_LETTERS: Final = 40
_LANGUAGE_LETTERS: Final = 24
_CLIENT_LETTERS: Final = 80


class TooSoon(ServerError):
    """Raised when a bot that has to stay away for a while comes back before."""

    reason = "session/too_soon"

    def __init__(self, wait: float) -> None:
        super().__init__(
            "this bot or its owner flooded the server, or connected too often; "
            f"come back in {lasting(max(1, ceil(wait)))}"
        )
        self.return_after_ms = ceil(wait * 1000)


class Play:
    """The streams of bots: they carry frames between bots, the lobby and the tables."""

    def __init__(
        self,
        database: Database,
        lobby: Reception,
        tables: Tables,
        *,
        desk: Desk,
        access: Access,
        strangers: Strangers,
        limits: Limits,
        metrics: Metrics,
    ) -> None:
        self._database = database
        self._lobby = lobby
        self._tables = tables
        self._desk = desk
        self._access = access
        self._strangers = strangers
        self._limits = limits
        self._metrics = metrics

    async def stream(self, _requests: Any, context: Any) -> None:
        """Serve one stream from Hello to its end."""
        address = visitor_of_peer(context.peer())
        try:
            await self._strangers.enter(address)
            session, rest = await self._hello(context)
        except ServerError as refusal:
            self._strangers.refused(address, refusal.reason)
            self._metrics.refusals.labels(refusal.reason).inc()
            if isinstance(refusal, TooSoon):
                self._say_goodbye(context, refusal)
            await refuse(context, refusal)
        hearing = Hearing(session, self._tables, self._limits)
        try:
            session.connect(context.call)
            hearing.take_rest(rest)
            context.call.listen(hearing.take, hearing.end, session.flush)
            await session.over.wait()
            session.flush()  # Goodbye
        finally:
            session.disconnect()
            self._lobby.left(session)
            _LOG.info("session closed", extra={"bot": session.bot, "session": session.id})
        if session.ended and session.ended.reason:
            self._metrics.refusals.labels(session.ended.reason).inc()
            await abort(context, session.ended.reason, session.ended.sentence)

    def _say_goodbye(self, context: Any, early: TooSoon) -> None:
        """Tell a bot that is not let in when to come back."""
        goodbye = items.goodbye(early.reason, early.sentence, early.return_after_ms)
        context.call.send(goodbye)

    # --- coming in --------------------------------------------------------------------------

    async def _hello(self, context: Any) -> tuple[Session, list[arena_pb2.BotItem]]:
        """The session that Hello asks for, and the other items of its frame."""
        try:
            async with asyncio.timeout(self._limits.hello_seconds):
                frame = await context.read()
        except TimeoutError:
            frame = b""
        if not isinstance(frame, bytes) or not frame:
            raise Refusal("hello/missing", "no Hello arrived; send Hello first")
        check_size(frame, self._limits)
        first, *rest = items_of(frame, self._limits)
        if first.WhichOneof("item") != "hello":
            raise Refusal("hello/missing", "the first item is not Hello; send Hello first")
        return await self._enter(first.hello, context), rest

    async def _enter(self, hello: arena_pb2.Hello, context: Any) -> Session:
        if hello.protocol < PROTOCOL:
            sentence = f"the client speaks protocol {hello.protocol}, not {PROTOCOL}; update it"
            raise Refusal("protocol/too_old", sentence)
        if hello.protocol > PROTOCOL:
            sentence = (
                f"the client speaks protocol {hello.protocol}, not {PROTOCOL}; use an older one"
            )
            raise Refusal("protocol/too_new", sentence)
        formats = formats_of(hello)
        row, run = await self._access.session(context.invocation_metadata(), hello.bot)
        lobby, limits = self._lobby, self._limits
        if lobby.draining and not lobby.open_matches_of(hello.bot):  # open matches are to finish
            raise Draining
        most = max(1, min(hello.max_matches, limits.matches_per_bot))
        version = run.version if run else printable(hello.version, _VERSION_LETTERS)
        language = run.language if run else printable(hello.language, _LANGUAGE_LETTERS)
        entrant = Entrant(hello.bot, version, row.owner, hello.sends_nonces, hello.commits_nonces)
        # A hosted bot connects as often as the arena starts it.
        wait = 0.0 if run else lobby.budget.connect(entrant, lobby.open_matches_of(hello.bot))
        if wait:
            raise TooSoon(wait)
        if version != row.version:
            await self._note_version(entrant, limited=run is None)
        if run is None:
            session = Session(entrant, formats, most, limits, lobby.budget)
        else:
            session = HostedSession(
                entrant, formats, min(most, run.max_matches), limits, lobby.budget
            )
            session.run = run
        session.order = await lobby.next_order()
        notices = self._desk.notices(session.bot, session.formats)
        session.send(self._welcome(session, notices))
        resumed = lobby.entered(session, hello.resume_token)
        self._database.writer.submit(
            lambda connection: store.change_bot(
                connection,
                session.bot,
                version=entrant.version,
                formats=session.formats,
                language=language,
            ),
            sync=False,
        )
        _LOG.info(
            "session resumed" if resumed else "session opened",
            extra={
                "bot": session.bot,
                "session": session.id,
                "client": printable(hello.client, _CLIENT_LETTERS),
            },
        )
        for notice in notices:
            WAITING_LOG.warning("%s", notice, extra={"bot": session.bot, "session": session.id})
        return session

    async def _note_version(self, entrant: Entrant, *, limited: bool) -> None:
        """Note the version of a bot; raises Refusal where too many are new today."""
        most, bot = self._limits.versions_per_day, entrant.bot
        most = most if limited else sys.maxsize
        now = datetime.now(UTC)
        yesterday = stamp_of(now - timedelta(days=1))
        if not await self._database.writer.write(
            lambda connection: note_version(
                connection, bot, entrant.version, stamp_of(now), since=yesterday, most=most
            )
        ):
            raise Refusal(
                "bot/too_many_versions",
                f"{bot} came with {most} new versions within a day; come back with an earlier "
                "one, or tomorrow",
            )

    def _welcome(self, session: Session, notices: Sequence[str]) -> bytes:
        message = welcome(self._limits, session.formats)
        message.session = session.id
        message.resume_token = session.resume_token
        message.server = _VERSION
        message.probation = self._lobby.presence.probation(session.bot)
        playing = self._tables.matches_of(session.bot)
        if playing is not None:
            message.open_matches.match_ids.extend(playing)
            message.open_matches.SetInParent()  # an empty list is sent too
        message.notices.extend(notices)
        return items.welcome(message)
