"""A session: the connection of one bot, the items that wait for it, and its lag."""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from paddock_server.lobby.limits import Limits
from paddock_server.referee.plan import Entrant
from paddock_server.wire import items

_LAST_PINGS = 5
_USELESS_SECONDS = 10.0


class Ended(NamedTuple):
    """The reason why a session ended; empty: the bot closed its stream."""

    reason: str
    sentence: str


class Session:
    """A bot's stream, for any number of matches: the player that tables know."""

    def __init__(
        self, entrant: Entrant, formats: tuple[str, ...], max_matches: int, limits: Limits
    ) -> None:
        self.id = secrets.token_hex(6)
        self.resume_token = secrets.token_urlsafe(18)
        self.entrant = entrant
        self.formats = formats
        self.max_matches = max_matches
        self.lag = 0.0  # seconds: the quickest of the last round trips
        self.ended: Ended | None = None
        self.over = asyncio.Event()
        self._limits = limits
        self._waiting: list[bytes] = []
        self._some: asyncio.Future[None] | None = None  # the writer that waits for an item
        self._pings: dict[int, float] = {}
        self._ping_id = 0
        self._round_trips: deque[float] = deque(maxlen=_LAST_PINGS)
        self._useless: deque[float] = deque()

    @property
    def bot(self) -> str:
        """The bot's name."""
        return self.entrant.bot

    @property
    def waiting(self) -> int:
        """How many items wait for the bot to read."""
        return len(self._waiting)

    def send(self, item: bytes) -> None:
        """Queue an item for the bot."""
        if self.ended is not None:
            return
        self._waiting.append(item)
        if self._some is not None and not self._some.done():
            self._some.set_result(None)
        if len(self._waiting) > self._limits.waiting_items:
            self._waiting.clear()
            most = self._limits.waiting_items
            self.end("reader/too_slow", f"{most} items wait unread; read the stream faster")

    async def frame(self) -> bytes:
        """The waiting items as one frame, or as many as fit; it waits for the first item."""
        while not self._waiting:
            self._some = asyncio.get_running_loop().create_future()
            await self._some
        size = count = 0
        for item in self._waiting:
            size += len(item)
            if count and size > self._limits.frame_bytes:
                break
            count += 1
        frame = b"".join(self._waiting[:count])
        del self._waiting[:count]
        return frame

    def end(self, reason: str, sentence: str) -> None:
        """Close the session; the first reason counts."""
        if self.ended is None:
            self.ended = Ended(reason, sentence)
            self.over.set()

    def useless(self) -> None:
        """Count a useless item; too many of them end the session."""
        now = time.monotonic()
        self._useless.append(now)
        while self._useless[0] < now - _USELESS_SECONDS:
            self._useless.popleft()
        if len(self._useless) > self._limits.useless_items:
            most = self._limits.useless_items
            self.end(
                "frame/flood",
                f"more than {most} useless items in ten seconds; answer each ask once",
            )

    def vouches(self, later: Callable[[bool], None]) -> bool:
        """True: the stream is in this process, which notices when it breaks."""
        del later
        return True

    def ping(self) -> None:
        """Measure the round-trip time to the bot."""
        self._ping_id += 1
        self._pings = {
            self._ping_id: time.monotonic()
        }  # one at a time: a late pong measures nothing
        self.send(items.ping(self._ping_id))

    def pong(self, ping_id: int) -> None:
        """Handle the answer to a ping."""
        sent = self._pings.pop(ping_id, None)
        if sent is None:
            self.useless()
            return
        self._round_trips.append(time.monotonic() - sent)
        self.lag = min(self._round_trips)
