"""The simulated network: streams with delays that can be cut, and one end of them for `Play`."""

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, NoReturn

import grpc

from paddock.v1 import arena_pb2
from paddock_server.calls.call import END


class Aborted(Exception):
    """Raised where gRPC would end the handler of a call that was aborted."""


class _Way:
    """One direction of a stream: what goes in comes out later, in order."""

    def __init__(self, chance: Random, deliver: Callable[[bytes], None]) -> None:
        self._chance = chance
        self._deliver = deliver
        self._last = 0.0
        self._under_way: deque[bytes] = deque()  # timers of one moment fire in no fixed order
        self.cut = False

    def send(self, frame: bytes) -> None:
        loop = asyncio.get_running_loop()
        delay = self._chance.choice((0.0, 0.001, 0.005, 0.03))
        self._last = max(self._last, loop.time() + delay)
        self._under_way.append(frame)
        loop.call_at(self._last, self._arrive)

    def _arrive(self) -> None:
        frame = self._under_way.popleft()
        if not self.cut:
            self._deliver(frame)


class Stream:
    """A stream between a bot and `Play`: the bot's end and the server's end."""

    def __init__(self, chance: Random, receive: Callable[[arena_pb2.PlayResponse], None]) -> None:
        self.over = asyncio.Event()  # the bot's end is closed
        self.refusal = ""  # why the server ended it; empty: it just ended
        self._arrived: asyncio.Queue[bytes] = asyncio.Queue()  # an empty one is the end
        self._take: Callable[[bytes], None] | None = None
        self._ended: Callable[[], None] | None = None
        self._to_server = _Way(chance, self._hear)
        self._to_bot = _Way(chance, lambda frame: receive(arena_pb2.PlayResponse.FromString(frame)))

    # --- the bot's end ----------------------------------------------------------------------

    def say(self, frame: bytes) -> None:
        """Send a frame to the server."""
        if not self.over.is_set():
            self._to_server.send(frame)

    def cut(self) -> None:
        """Break the line: both ends see the end of the stream, and nothing under way arrives."""
        self._to_server.cut = self._to_bot.cut = True
        asyncio.get_running_loop().call_soon(self._hear, b"")
        self.over.set()

    # --- the server's end: what `Play` uses of a call and its context ---------------------------

    @property
    def call(self) -> "Stream":
        """The call, which is its own context here."""
        return self

    @property
    def ready(self) -> bool:
        """True: a frame always leaves at once."""
        return True

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """The metadata of the call: there is no token."""
        return ()

    def peer(self) -> str:
        """The address of the bot."""
        return "ipv4:127.0.0.1:1"

    async def read(self) -> Any:
        """The next frame, or END."""
        return await self._arrived.get() or END

    def listen(
        self, take: Callable[[bytes], None], ended: Callable[[], None], _sendable: object
    ) -> None:
        """Have the frames that come handed over."""
        self._take, self._ended = take, ended
        while not self._arrived.empty():
            self._hear(self._arrived.get_nowait())

    def _hear(self, frame: bytes) -> None:
        if self._take is None or self._ended is None:
            self._arrived.put_nowait(frame)
        elif frame:
            self._take(frame)
        else:
            self._ended()

    def send(self, frame: bytes) -> None:
        """Send a frame to the bot, if it is there."""
        if not self.over.is_set():
            self._to_bot.send(frame)

    async def abort(self, _code: grpc.StatusCode, details: str, _metadata: object = ()) -> NoReturn:
        """End the call with a status."""
        self.refusal = details
        self.over.set()
        raise Aborted(details)

    def close(self) -> None:
        """The server has ended the call; what it wrote before still arrives."""
        asyncio.get_running_loop().call_later(0.1, self.over.set)
