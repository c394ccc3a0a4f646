"""The hearing of a bot: what it says on its stream goes to its session or to the tables at once."""

import logging
from collections.abc import Sequence
from typing import Final

from paddock.v1 import arena_pb2
from paddock_server.api.frames import check_size, items_of
from paddock_server.api.refusal import Refusal
from paddock_server.lobby.hosted_session import HostedSession
from paddock_server.lobby.limits import Limits
from paddock_server.lobby.session import Session
from paddock_server.tables.tables import Tables
from paddock_server.wire.answers import read_answer
from paddock_server.wire.numbers import read_numbers

_LOG: Final = logging.getLogger("paddock.play")


class Hearing:
    """The listener of one session. A frame that can't be taken ends it, and nothing is raised."""

    def __init__(self, session: Session, tables: Tables, limits: Limits) -> None:
        self._session = session
        self._tables = tables
        self._limits = limits

    def take(self, frame: bytes) -> None:
        """Handle the items of a frame."""
        session = self._session
        if session.ended is not None:
            return
        try:
            self._take(frame)
        except Refusal as refusal:
            session.refuse(refusal.reason, refusal.sentence, len(frame))
        except Exception:  # noqa: BLE001 -- the failure of one stream must not end others
            self._failed()

    def take_rest(self, received: Sequence[arena_pb2.BotItem]) -> None:
        """Handle the items that came in one frame with Hello."""
        try:
            self._take_all(received)
        except Refusal as refusal:
            self._session.refuse(refusal.reason, refusal.sentence, 0)
        except Exception:  # noqa: BLE001 -- as above
            self._failed()

    def end(self) -> None:
        """End the session: the bot says no more."""
        self._session.end("", "")

    def _failed(self) -> None:
        session = self._session
        _LOG.exception("session failed", extra={"bot": session.bot, "session": session.id})
        session.end("", "")

    def _take(self, frame: bytes) -> None:
        session, limits = self._session, self._limits
        check_size(frame, limits)  # before anything is done that takes as long as it is
        if isinstance(session, HostedSession):
            frame = session.note_host_delay(frame)
            if not frame:
                return  # its runner alone says something
        numbers = read_numbers(frame, limits.frame_items)  # these cost nothing
        if numbers:
            for ask_id, number in numbers:
                if session.ended is None:
                    self._tables.choice(session, ask_id, number)
            return
        received = items_of(frame, limits)
        session.received(len(frame), len(received))
        self._take_all(received)

    def _take_all(self, received: Sequence[arena_pb2.BotItem]) -> None:
        for item in received:
            if self._session.ended is not None:
                return  # the rest of a flood
            self._take_item(item)

    def _take_item(self, item: arena_pb2.BotItem) -> None:
        session = self._session
        kind = item.WhichOneof("item")
        if kind == "choice":
            self._tables.choice(session, item.choice.ask_id, read_answer(item.choice))
        elif kind == "pong":
            session.pong(item.pong.id)
        elif kind == "nonce_commitment":
            said = item.nonce_commitment
            self._tables.digest(session, said.match_id, said.digest)
        elif kind == "nonce":
            self._tables.nonce(session, item.nonce.match_id, item.nonce.nonce)
        elif kind == "resign":
            self._tables.resign(session, item.resign.match_id)
        elif kind == "hello":
            raise Refusal("hello/repeated", "Hello was sent before; open a new stream to change it")
        else:
            session.useless()  # from a newer client: Welcome told it the protocol of this server
