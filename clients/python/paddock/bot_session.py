"""The session of a bot class: each match is a sitting."""

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final

from paddock.bot import Bot
from paddock.dice import match_seed, own_secret
from paddock.match import Refusal, read_match
from paddock.outbox import Outbox
from paddock.part import Part
from paddock.pool import Pool
from paddock.session import Session
from paddock.sitting import Own, Sitting
from paddock.v1 import arena_pb2

log = logging.getLogger("paddock")

_FAREWELL_S: Final = 5.0  # for the hooks of the last matches, when the bot is stopped


class BotSession(Session):
    """A session whose matches are played by a bot class."""

    def __init__(self, bot: Bot, hello: arena_pb2.Hello, idle: Callable[[], None]) -> None:
        super().__init__(hello)
        self._bot = bot
        self._pool = Pool(hello.max_matches)
        self._idle = idle
        self._secret = own_secret()
        self._sittings: dict[str, Sitting] = {}
        self._current: set[str] = set()  # the matches that started on the present stream
        self._ending: set[asyncio.Task[None]] = set()  # matches whose `ended` hook still runs

    def connect(self) -> Outbox:
        """The outbox of a new stream, with Hello in it."""
        self._current.clear()
        return super().connect()

    async def close(self) -> None:
        """Wait for the hooks of ended matches, and call no other method of the bot."""
        tasks = set(self._ending)
        for sitting in self._sittings.values():
            worker = sitting.stop()
            if worker is not None:
                tasks.add(worker)
        if tasks:
            await asyncio.wait(tasks, timeout=_FAREWELL_S)
        self._pool.close()

    def _known(self) -> Collection[str]:
        return self._sittings

    def _forget(self, match_id: str) -> None:
        self._sittings.pop(match_id).stop()

    def _part(self, match_id: str) -> Part | None:
        sitting = self._sittings.get(match_id)
        return None if sitting is None else sitting.part

    def _match_started(self, message: arena_pb2.MatchStarted) -> None:
        sitting = self._sittings.get(message.match_id)
        if sitting is None:
            match = read_match(message)
            seed = match_seed(self._secret, match.dice, match.seat)
            own = Own(Part(match.id, match.seat), seed)
            sitting = Sitting(self._bot, match, own, self._pool, self._send)
            self._sittings[match.id] = sitting
            names = ", ".join(seat.bot for seat in match.seats)
            log.info(
                "match started: %s, %s, seat %d of %s", match.id, match.format, match.seat, names
            )
            sitting.begin()
        self._current.add(message.match_id)
        self._send_part(sitting.part, message)

    def _ask(self, message: arena_pb2.Ask) -> None:
        sitting = self._sittings.get(message.match_id)
        if sitting is None:
            log.error("ask ignored: %d is of unknown match %s", message.ask_id, message.match_id)
            return
        sitting.ask(message)

    def _happened(self, message: arena_pb2.Happened) -> None:
        sitting = self._sittings.get(message.match_id)
        if sitting is not None:
            sitting.happened(message)

    def _refused(self, message: arena_pb2.Refused) -> None:
        refusal = Refusal(message.ask_id, message.reason, message.sentence)
        log.warning("answer refused: ask %d: %s: %s", *refusal)
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
