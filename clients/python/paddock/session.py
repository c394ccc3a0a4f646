"""The session of a client: its matches and its resume token, over any number of streams."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import Any, Final

from paddock.outbox import Outbox
from paddock.part import Part
from paddock.v1 import arena_pb2
from paddock_games import GAMES
from paddock_wire import Unreadable

log = logging.getLogger("paddock")

PROTOCOL: Final = 1


class Session(ABC):
    """A session over any number of streams; `receive` handles items in order and never waits.

    Subclasses play the matches: with a bot class, or with a program.
    """

    def __init__(self, hello: arena_pb2.Hello) -> None:
        self.welcomed = False  # on the present stream
        self.goodbye: arena_pb2.Goodbye | None = None  # said on the present stream
        self._hello = hello
        self._outbox: Outbox | None = None
        self._taking: dict[str, Callable[[Any], None]] = {
            "welcome": self._welcome,
            "match_started": self._match_started,
            "ask": self._ask,
            "happened": self._happened,
            "refused": self._refused,
            "match_ended": self._match_ended,
            "ping": self._ping,
            "goodbye": self._goodbye,
            "nonce_commitments": self._nonce_commitments,
        }

    def connect(self) -> Outbox:
        """The outbox of a new stream, with Hello in it."""
        self._outbox = Outbox()
        self.welcomed = False
        self.goodbye = None
        self._outbox.put(arena_pb2.BotItem(hello=self._hello))
        return self._outbox

    def disconnect(self) -> None:
        """Send nothing from now on; answers are sent when their asks are repeated."""
        self._outbox = None

    def receive(self, item: arena_pb2.RefereeItem) -> None:
        """Handle one item of the server."""
        kind = item.WhichOneof("item")
        take = self._taking.get(kind) if kind is not None else None
        if kind is None or take is None:
            return  # from a newer server, which expects no answer
        try:
            take(getattr(item, kind))
        except Unreadable as problem:
            log.error("%s unreadable: %s", kind, problem)  # noqa: TRY400 -- a sentence will do
        except Exception:
            log.exception("%s failed", kind)  # the other matches go on

    def _send(self, item: arena_pb2.BotItem) -> None:
        if self._outbox is not None:
            self._outbox.put(item)

    def _send_part(self, part: Part, message: arena_pb2.MatchStarted) -> None:
        """Answer MatchStarted with this seat's nonce or its digest."""
        item = part.begin(commit=message.commit_nonces)
        if item is not None:
            self._send(item)

    def _nonce_commitments(self, message: arena_pb2.NonceCommitments) -> None:
        part = self._part(message.match_id)
        if part is None:
            return
        item = part.opening(message.digests)
        if item is None:
            log.warning("nonce kept secret: match %s: digests wrong", message.match_id)
        else:
            self._send(item)

    def _ping(self, ping: arena_pb2.Ping) -> None:
        self._send(arena_pb2.BotItem(pong=arena_pb2.Pong(id=ping.id)))

    def _goodbye(self, goodbye: arena_pb2.Goodbye) -> None:
        self.goodbye = goodbye
        log.info("goodbye received: %s", goodbye.sentence or goodbye.reason)

    def _welcome(self, welcome: arena_pb2.Welcome) -> None:
        self.welcomed = True
        self._hello.resume_token = welcome.resume_token
        played = [form.name for form in welcome.formats if form.plays] or self._hello.formats
        log.info(
            "session opened: %s on paddock %s, session %s, plays %s",
            self._hello.bot,
            welcome.server,
            welcome.session,
            ", ".join(played),
        )
        for game in welcome.games:
            known = GAMES.get(game.name)
            if known is not None and known.rules_version < game.rules_version:
                log.warning(
                    "rules too old: the server plays version %d of %s, and this is version %d; "
                    "install a newer paddock",
                    game.rules_version,
                    game.name,
                    known.rules_version,
                )
        if welcome.probation:
            log.warning(
                "on probation: %s gets trial matches only: %s", self._hello.bot, welcome.probation
            )
        for notice in welcome.notices:
            log.warning("%s", notice)
        if welcome.HasField("open_matches"):
            for match_id in set(self._known()).difference(welcome.open_matches.match_ids):
                log.info("match ended without a connection: %s", match_id)
                self._forget(match_id)

    @abstractmethod
    def _known(self) -> Collection[str]:
        """The ids of the matches that are not over, as far as this client knows."""

    @abstractmethod
    def _forget(self, match_id: str) -> None:
        """Forget a match that ended while there was no stream."""

    @abstractmethod
    def _part(self, match_id: str) -> Part | None:
        """This seat's part in the deal of a match; None: the match is unknown."""

    @abstractmethod
    def _match_started(self, message: arena_pb2.MatchStarted) -> None:
        """A match begins, or is repeated on a new stream."""

    @abstractmethod
    def _ask(self, message: arena_pb2.Ask) -> None:
        """An ask, or an open one that is repeated."""

    @abstractmethod
    def _happened(self, message: arena_pb2.Happened) -> None:
        """What everybody chose."""

    @abstractmethod
    def _refused(self, message: arena_pb2.Refused) -> None:
        """An answer did not count."""

    @abstractmethod
    def _match_ended(self, message: arena_pb2.MatchEnded) -> None:
        """A match is over."""
