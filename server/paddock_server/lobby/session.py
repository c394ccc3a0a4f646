"""A session: the connection of one bot, the items that wait for it, and its lag."""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable
from math import ceil, inf
from typing import NamedTuple, Protocol

from paddock_server.basics.wording import lasting
from paddock_server.lobby.budget import Budget
from paddock_server.lobby.guest import Guest, Offer
from paddock_server.lobby.limits import Limits
from paddock_server.referee.plan import Entrant
from paddock_server.wire import items

_LAST_PINGS = 5


class SessionEnd(NamedTuple):
    """The reason why a session ended; empty: the bot closed its stream."""

    reason: str
    sentence: str


class Outlet(Protocol):
    """The way to a bot: frames leave by it, one at a time."""

    @property
    def ready(self) -> bool:
        """Whether a frame would leave at once."""

    def send(self, message: bytes) -> None:
        """Send a frame."""


class Session(Guest):
    """A bot's stream, for any number of matches: the player that tables know."""

    def __init__(
        self,
        entrant: Entrant,
        formats: tuple[str, ...],
        max_matches: int,
        limits: Limits,
        budget: Budget,
    ) -> None:
        super().__init__(
            secrets.token_hex(6), secrets.token_urlsafe(18), entrant, Offer(formats, max_matches)
        )
        self.ended: SessionEnd | None = None
        self.over = asyncio.Event()
        self._limits = limits
        self._budget = budget
        self._waiting: list[bytes] = []
        self._outlet: Outlet | None = None
        self._loop: asyncio.AbstractEventLoop | None = None  # from when there is an outlet
        self._leaving = False  # whether what waits leaves in the next turn of the event loop
        self._pings: dict[int, float] = {}
        self._ping_id = 0
        self._pinged = -inf  # when the last ping was sent
        self._round_trips: deque[float] = deque(maxlen=_LAST_PINGS)

    @property
    def waiting(self) -> int:
        """How many items wait for the bot to read."""
        return len(self._waiting)

    def send(self, item: bytes) -> None:
        """Queue an item for the bot."""
        if self.ended is not None:
            return
        self._waiting.append(item)
        if not self._leaving and self._loop is not None:
            # A turn of the event loop later, so that more items go into the same frame.
            self._leaving = True
            self._loop.call_soon(self.flush)
        most = self._limits.waiting_items
        if len(self._waiting) > most:
            self.flush()  # much may be said in one turn of the event loop
        if len(self._waiting) > most:
            self._waiting.clear()
            self.end("reader/too_slow", f"{most} items wait unread; read the stream faster")

    def connect(self, outlet: Outlet) -> None:
        """Send what waits by this way from now on."""
        self._outlet = outlet
        self._loop = asyncio.get_running_loop()
        self.flush()

    def disconnect(self) -> None:
        """Send nothing more: the stream is over."""
        self._outlet = self._loop = None

    def flush(self) -> None:
        """Send the waiting items, as long as a frame leaves at once."""
        self._leaving = False
        outlet = self._outlet
        while self._waiting and outlet is not None and outlet.ready:
            outlet.send(self._frame())

    def _frame(self) -> bytes:
        """The waiting items as one frame, or as many as fit."""
        waiting = self._waiting
        if len(waiting) == 1:
            return waiting.pop()
        size = count = 0
        for item in waiting:
            size += len(item)
            if count and size > self._limits.frame_bytes:
                break
            count += 1
        frame = b"".join(waiting[:count])
        del waiting[:count]
        return frame

    def end(self, reason: str, sentence: str) -> None:
        """Close the session; the first reason counts."""
        if self.ended is None:
            self.ended = SessionEnd(reason, sentence)
            self.over.set()

    def refuse(self, reason: str, sentence: str, frame_bytes: int) -> None:
        """Close the session because of a frame that can't be taken; that is not free either."""
        self._budget.waste(self.entrant, self._budget.refusal(frame_bytes))
        self.end(reason, sentence)

    def received(self, frame_bytes: int, item_count: int) -> None:
        """Count a frame whose items are about to be handled."""
        bulk = self._budget.bulk(frame_bytes, item_count)
        if bulk:
            self.useless(bulk)

    def useless(self, cost: float = 1.0) -> None:
        """Count a useless item or what costs as much; too many of them end the session."""
        if self.ended is not None:
            return
        wait = self._budget.waste(self.entrant, cost)
        if wait:
            sentence = (
                f"more than {self._limits.useless_items} useless items in ten seconds; "
                f"answer each ask once, and come back in {lasting(wait)}"
            )
            self.send(items.goodbye("frame/flood", sentence, ceil(wait * 1000)))
            self.end("frame/flood", sentence)

    def vouches(self, later: Callable[[bool], None]) -> bool:
        """True: the stream is in this process, which notices when it breaks."""
        del later
        return True

    def ping(self) -> None:
        """Measure the round-trip time to the bot."""
        self._ping_id += 1
        self._pinged = time.monotonic()
        self._pings = {self._ping_id: self._pinged}  # one at a time: a late pong measures nothing
        self.send(items.ping(self._ping_id))

    def ping_after(self, seconds: float) -> None:
        """Measure the round-trip time, unless that was begun less than this many seconds ago."""
        if time.monotonic() - self._pinged >= seconds:
            self.ping()

    def pong(self, ping_id: int) -> None:
        """Handle the answer to a ping."""
        sent = self._pings.pop(ping_id, None)
        if sent is None:
            self.useless()
            return
        self._round_trips.append(time.monotonic() - sent)
        self.lag = min(self._round_trips)
