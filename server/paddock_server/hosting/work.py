"""The stream of work: a runner dials the server, hears its orders, and says what came of them.

What a runner says is kept until the server has stored it, so that a lost connection loses nothing.
"""

import asyncio
import logging
import random
from collections import deque
from itertools import count
from typing import Any, Final, Protocol

import grpc
from grpc import aio

from paddock.v1 import runner_pb2, runner_pb2_grpc
from paddock_server.basics.errors import ServerError
from paddock_wire.address import Address

_LOG = logging.getLogger("paddock.runner")
_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 5.0
_KEPT: Final = 2000  # messages that wait for a connection; the oldest logs go first
_FOR_GOOD: Final = ("runner/bad_token", "auth/missing_token", "auth/bad_token", "session/replaced")


class RunnerRefused(ServerError):
    """Raised when the server does not want this runner; the text is the server's."""

    reason = "runner/refused"


class WorkListener(Protocol):
    """A listener to what the server says on the stream."""

    def ready(self) -> runner_pb2.WorkReady:
        """What this runner says first on a stream."""

    def welcome(self, welcome: runner_pb2.WorkWelcome) -> None:
        """The server's first word on a stream."""

    def take(self, order: runner_pb2.WorkResponse) -> None:
        """An order."""

    def noted(self, said: runner_pb2.WorkRequest, sent: float) -> None:
        """The server stored what was said; `sent` is when, by the clock of the event loop."""


class Work:
    """The stream to the server, which is opened again whenever it ends."""

    def __init__(self, address: Address, token: str, listener: WorkListener) -> None:
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._listener = listener
        self._unsaid: deque[runner_pb2.WorkRequest] = deque()
        self._said: dict[int, tuple[runner_pb2.WorkRequest, float]] = {}  # not stored yet
        self._something = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()

    def say(self, **said: Any) -> None:
        """Say something about a lease, as soon as there is a connection."""
        if "heartbeat" in said:  # the newest is enough
            self._unsaid = deque(each for each in self._unsaid if not each.HasField("heartbeat"))
        if len(self._unsaid) >= _KEPT:
            logs = [each for each in self._unsaid if each.WhichOneof("said") == "log"]
            if logs:
                self._unsaid.remove(logs[0])
        self._unsaid.append(runner_pb2.WorkRequest(**said))
        self._empty.clear()
        self._something.set()

    async def settled(self, seconds: float) -> None:
        """Wait until the server has stored all that was said, but not longer than this."""
        try:
            async with asyncio.timeout(seconds):
                await self._empty.wait()
        except TimeoutError:
            pass

    async def run(self) -> None:
        """Hold the stream until it is cancelled; raises RunnerRefused where it is not wanted."""
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._hold()
                pause = _FIRST_PAUSE
            except aio.AioRpcError as error:
                reason = dict(error.trailing_metadata() or ()).get("paddock-reason", "")
                if reason in _FOR_GOOD or error.code() is grpc.StatusCode.UNAUTHENTICATED:
                    raise RunnerRefused(str(error.details())) from None
                _LOG.warning("no stream to the server: %s; trying again", error.details())
            again = [each for each, _ in self._said.values() if not each.HasField("heartbeat")]
            self._unsaid.extendleft(reversed(again))
            self._said.clear()
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _hold(self) -> None:
        """One stream, until it ends."""
        async with self._address.channel() as channel:
            call = runner_pb2_grpc.RunnerServiceStub(channel).Work(metadata=self._metadata)
            numbers = count(1)
            ready = runner_pb2.WorkRequest(number=next(numbers), ready=self._listener.ready())
            await call.write(ready)
            first: Any = await call.read()
            if first is aio.EOF or first.WhichOneof("said") != "welcome":
                await self._end(call)
                return
            self._listener.welcome(first.welcome)
            _LOG.info("connected: this runner is %s", first.welcome.runner)
            writer = asyncio.create_task(self._write(call, numbers))
            try:
                while True:
                    order: Any = await call.read()
                    if order is aio.EOF:
                        break
                    self._hear(order)
            finally:
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)
            await self._end(call)

    async def _end(self, call: Any) -> None:
        """Raise how a stream ended, if not well."""
        code = await call.code()
        if code is not grpc.StatusCode.OK:
            raise aio.AioRpcError(
                code, await call.initial_metadata(), await call.trailing_metadata(),
                details=await call.details(),
            )  # fmt: skip

    async def _write(self, call: Any, numbers: "count[int]") -> None:
        loop = asyncio.get_running_loop()
        while True:
            while self._unsaid:
                said = self._unsaid.popleft()
                said.number = next(numbers)
                self._said[said.number] = said, loop.time()
                await call.write(said)
            self._something.clear()
            await self._something.wait()

    def _hear(self, order: runner_pb2.WorkResponse) -> None:
        if order.WhichOneof("said") != "noted":
            self._listener.take(order)
            return
        said, sent = self._said.pop(order.noted.number, (None, 0.0))
        if said is not None and not order.noted.lost:
            self._listener.noted(said, sent)
        if not self._said and not self._unsaid:
            self._empty.set()
