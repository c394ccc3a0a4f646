"""The stream of ArenaService: frames between a bot and the server."""

import asyncio
import logging
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from grpc import aio

from paddock.v1 import arena_pb2
from paddock_server.api.access import Access
from paddock_server.api.offer import formats_of, welcome
from paddock_server.api.refusal import Refusal, abort, refuse
from paddock_server.basics.errors import ServerError
from paddock_server.lobby.limits import PROTOCOL, Limits
from paddock_server.lobby.lobby import Lobby
from paddock_server.lobby.session import Session
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.house import HOUSE
from paddock_server.referee.plan import Entrant
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.tables.tables import Tables
from paddock_server.tournaments.desk import Desk
from paddock_server.tournaments.waiting import WAITING_LOG
from paddock_server.wire import items
from paddock_server.wire.answers import read_answer

_LOG = logging.getLogger("paddock.play")
_VERSION: Final = version("paddock")


class Play:
    """The streams of bots: they carry frames between bots, the lobby and the tables."""

    def __init__(
        self,
        database: Database,
        lobby: Lobby,
        tables: Tables,
        *,
        desk: Desk,
        access: Access,
        limits: Limits,
        metrics: Metrics,
    ) -> None:
        self._database = database
        self._lobby = lobby
        self._tables = tables
        self._desk = desk
        self._access = access
        self._limits = limits
        self._metrics = metrics

    async def stream(self, _requests: Any, context: Any) -> None:
        """Serve one stream from Hello to its end."""
        try:
            session, rest = await self._hello(context)
        except ServerError as refusal:
            self._metrics.refusals.labels(refusal.reason).inc()
            await refuse(context, refusal)
        reader = asyncio.create_task(self._read(session, context, rest))
        writer = asyncio.create_task(self._write(session, context))
        try:
            await session.over.wait()
            if session.ended and session.ended.reason:
                await asyncio.wait([writer], timeout=0.2)  # time for Goodbye to leave
        finally:
            for task in (reader, writer):
                task.cancel()
            self._lobby.left(session)
            _LOG.info("session closed", extra={"bot": session.bot, "session": session.id})
        if session.ended and session.ended.reason:
            self._metrics.refusals.labels(session.ended.reason).inc()
            await abort(context, session.ended.reason, session.ended.sentence)

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
        first, *rest = self._items(frame)
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
        if hello.bot.startswith(HOUSE):
            sentence = f"name {hello.bot[:60]!r} is invalid: only house bots begin with {HOUSE}"
            raise Refusal("bot/bad_name", sentence)
        formats = formats_of(hello)
        row = await self._access.bot(context.invocation_metadata(), hello.bot)
        lobby, limits = self._lobby, self._limits
        if lobby.draining and not lobby.open_matches_of(hello.bot):  # open matches are to finish
            raise Refusal("server/draining", "the server is about to stop; come back in a moment")
        most = max(1, min(hello.max_matches, limits.matches_per_bot))
        entrant = Entrant(hello.bot, hello.version[:40], row.owner, hello.sends_nonces)
        session = Session(entrant, formats, most, limits)
        notices = self._desk.notices(session.bot, session.formats)
        session.send(self._welcome(session, notices))
        resumed = lobby.entered(session, hello.resume_token)
        self._database.writer.submit(
            lambda connection: store.change_bot(
                connection,
                session.bot,
                version=entrant.version,
                formats=session.formats,
                language=hello.language[:24],
            ),
            sync=False,
        )
        _LOG.info(
            "session resumed" if resumed else "session opened",
            extra={"bot": session.bot, "session": session.id, "client": hello.client[:80]},
        )
        for notice in notices:
            WAITING_LOG.warning("%s", notice, extra={"bot": session.bot, "session": session.id})
        return session

    def _welcome(self, session: Session, notices: Sequence[str]) -> bytes:
        message = welcome(self._limits, session.formats)
        message.session = session.id
        message.resume_token = session.resume_token
        message.server = _VERSION
        message.probation = self._lobby.presence.probation(session.bot)
        message.open_matches.match_ids.extend(self._tables.matches_of(session.bot))
        message.open_matches.SetInParent()  # an empty list is sent too
        message.notices.extend(notices)
        return items.welcome(message)

    # --- both ways --------------------------------------------------------------------------

    def _items(self, frame: bytes) -> list[arena_pb2.BotItem]:
        if len(frame) > self._limits.frame_bytes:
            most = self._limits.frame_bytes
            sentence = f"the frame has {len(frame)} bytes; send at most {most} in one frame"
            raise Refusal("frame/too_large", sentence)
        try:
            received = list(arena_pb2.PlayRequest.FromString(frame).items)
        except DecodeError:
            sentence = "the frame is not a PlayRequest; see arena.proto"
            raise Refusal("frame/malformed", sentence) from None
        return received or [arena_pb2.BotItem()]

    async def _read(self, session: Session, context: Any, rest: list[arena_pb2.BotItem]) -> None:
        """Handle the items of the bot until its stream ends."""
        try:
            for item in rest:
                self._take(session, item)
            while session.ended is None:
                frame = await context.read()
                if frame is aio.EOF:
                    break
                for item in self._items(frame):
                    self._take(session, item)
        except Refusal as refusal:
            session.end(refusal.reason, refusal.sentence)
        except (grpc.RpcError, asyncio.InvalidStateError):
            pass  # the connection broke
        except asyncio.CancelledError:
            raise
        except Exception:  # noqa: BLE001 -- the failure of one stream must not end others
            _LOG.exception("session failed", extra={"bot": session.bot, "session": session.id})
        finally:
            session.end("", "")

    def _take(self, session: Session, item: arena_pb2.BotItem) -> None:
        kind = item.WhichOneof("item")
        if kind == "choice":
            self._tables.choice(session, item.choice.ask_id, read_answer(item.choice))
        elif kind == "pong":
            session.pong(item.pong.id)
        elif kind == "nonce":
            self._tables.nonce(session, item.nonce.match_id, item.nonce.nonce)
        elif kind == "resign":
            self._tables.resign(session, item.resign.match_id)
        elif kind == "hello":
            raise Refusal("hello/repeated", "Hello was sent before; open a new stream to change it")
        else:
            session.useless()  # from a newer client: Welcome told it the protocol of this server

    async def _write(self, session: Session, context: Any) -> None:
        """Send the waiting items, frame by frame."""
        try:
            while True:
                await context.write(await session.frame())
        except (grpc.RpcError, asyncio.InvalidStateError):
            session.end("", "")
