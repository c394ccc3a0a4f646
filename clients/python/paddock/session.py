"""All that a bot is in the middle of, whatever the stream does: its matches, its resume token."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Any, Final

from paddock.bot import Bot
from paddock.errors import Unreadable
from paddock.match import Refusal, read_match
from paddock.outbox import Outbox
from paddock.pool import Pool
from paddock.sitting import Sitting
from paddock.v1 import arena_pb2
from paddock_games.chance import NONCE_BYTES

log = logging.getLogger("paddock")

PROTOCOL: Final = 1
_FAREWELL_S: Final = 5.0  # for the bot to be told of its last matches, when it is stopped


class Session:
    """What outlives a stream; `receive` takes what the referee says, in order, and never waits."""

    def __init__(self, bot: Bot, hello: arena_pb2.Hello, idle: Callable[[], None]) -> None:
        self.pool: Final = Pool(hello.max_matches)
        self.welcomed = False  # on the present stream
        self.goodbye: arena_pb2.Goodbye | None = None  # said on the present stream
        self._bot = bot
        self._hello = hello
        self._idle = idle
        self._outbox: Outbox | None = None
        self._sittings: dict[str, Sitting] = {}
        self._current: set[str] = set()  # the matches that were told of on the present stream
        self._ending: set[asyncio.Task[None]] = set()  # matches whose bot is still being told
        self._taking: dict[str, Callable[[Any], None]] = {
            "welcome": self._welcome,
            "match_started": self._match_started,
            "ask": self._ask,
            "happened": self._happened,
            "refused": self._refused,
            "match_ended": self._match_ended,
            "ping": self._ping,
            "goodbye": self._goodbye,
        }

    def connect(self) -> Outbox:
        """The outbox of a new stream, with Hello in it."""
        self._outbox = Outbox()
        self.welcomed = False
        self.goodbye = None
        self._current.clear()
        self._outbox.put(arena_pb2.BotItem(hello=self._hello))
        return self._outbox

    def disconnect(self) -> None:
        """Send nothing: what is chosen from now on is sent when its ask is repeated."""
        self._outbox = None

    async def close(self) -> None:
        """Call nothing of the bot any more, once it has been told what ended."""
        tasks = set(self._ending)
        for sitting in self._sittings.values():
            worker = sitting.stop()
            if worker is not None:
                tasks.add(worker)
        if tasks:
            await asyncio.wait(tasks, timeout=_FAREWELL_S)
        self.pool.close()

    def receive(self, item: arena_pb2.RefereeItem) -> None:
        """Take in one thing that the referee said."""
        kind = item.WhichOneof("item")
        take = self._taking.get(kind) if kind is not None else None
        if kind is None or take is None:
            return  # from a newer server, which does not count on an answer
        try:
            take(getattr(item, kind))
        except Unreadable as problem:
            log.error("%s can't be read: %s", kind, problem)  # noqa: TRY400 -- a sentence will do
        except Exception:
            log.exception("%s can't be taken in", kind)  # and the other matches go on

    def _ping(self, ping: arena_pb2.Ping) -> None:
        self._send(arena_pb2.BotItem(pong=arena_pb2.Pong(id=ping.id)))

    def _goodbye(self, goodbye: arena_pb2.Goodbye) -> None:
        self.goodbye = goodbye
        log.info("the server says goodbye: %s", goodbye.sentence or goodbye.reason)

    def _send(self, item: arena_pb2.BotItem) -> None:
        if self._outbox is not None:
            self._outbox.put(item)

    def _welcome(self, welcome: arena_pb2.Welcome) -> None:
        self.welcomed = True
        self._hello.resume_token = welcome.resume_token
        log.info(
            "%s is connected to paddock %s (session %s) and plays %s",
            self._hello.bot,
            welcome.server,
            welcome.session,
            ", ".join(self._hello.formats),
        )
        if welcome.probation:
            log.warning("%s gets trial matches only: %s", self._hello.bot, welcome.probation)
        if welcome.HasField("open_matches"):
            for match_id in set(self._sittings).difference(welcome.open_matches.match_ids):
                log.info("match %s ended while there was no connection", match_id)
                self._sittings.pop(match_id).stop()

    def _match_started(self, message: arena_pb2.MatchStarted) -> None:
        sitting = self._sittings.get(message.match_id)
        if sitting is None:
            match = read_match(message)
            nonce = secrets.token_bytes(NONCE_BYTES)
            sitting = Sitting(self._bot, match, nonce, self.pool, self._send)
            self._sittings[match.id] = sitting
            names = ", ".join(seat.bot for seat in match.seats)
            log.info("match %s: %s, seat %d of %s", match.id, match.format, match.seat, names)
            sitting.begin()
        self._current.add(message.match_id)
        sitting.send_nonce()

    def _ask(self, message: arena_pb2.Ask) -> None:
        sitting = self._sittings.get(message.match_id)
        if sitting is None:
            log.error("ask %d is of unknown match %s", message.ask_id, message.match_id)
            return
        sitting.ask(message)

    def _happened(self, message: arena_pb2.Happened) -> None:
        sitting = self._sittings.get(message.match_id)
        if sitting is not None:
            sitting.happened(message)

    def _refused(self, message: arena_pb2.Refused) -> None:
        refusal = Refusal(message.ask_id, message.reason, message.sentence)
        log.warning("ask %d: %s: %s", *refusal)
        for sitting in self._sittings.values():
            if sitting.asked(message.ask_id):
                sitting.refused(refusal)

    def _match_ended(self, message: arena_pb2.MatchEnded) -> None:
        self._current.discard(message.match_id)
        sitting = self._sittings.pop(message.match_id, None)
        if sitting is not None:
            telling = sitting.end(message)
            if telling is not None:
                self._ending.add(telling)
                telling.add_done_callback(self._ending.discard)
        if not self._current:
            self._idle()
