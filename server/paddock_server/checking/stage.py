"""The stage: a gRPC server that does only what the script says."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count
from math import inf
from typing import Any, Final, NamedTuple

import grpc
from grpc_health.v1 import health_pb2_grpc

from paddock.v1 import arena_pb2
from paddock_server.api.health import Health
from paddock_server.calls.call_server import CallServer
from paddock_server.checking.exchange import Exchange
from paddock_server.checking.fair_time import FairTime
from paddock_server.checking.line import Line
from paddock_server.checking.report import Failed
from paddock_server.checking.stream import Stream
from paddock_server.wire.answers import clean_reason
from paddock_wire import CODECS, Unreadable

_SERVICE: Final = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name
_METHOD: Final = f"/{_SERVICE}/Play"
_HEALTH: Final = "/grpc.health.v1.Health/"
_LATE_SECONDS: Final = 5.0  # what is waited for something that the referee would not wait for


class Asked(NamedTuple):
    """An ask that the bot got: its game and its legal choices."""

    game: str
    legal: Sequence[Any]


class _Late:
    """The time in which nonces were late."""

    def __init__(self) -> None:
        self.ended = inf  # when the first late one came
        self.longest = 0.0  # seconds that one took, in the present point


class Stage:
    """A gRPC server for one bot: it takes the bot's streams and remembers all its asks."""

    def __init__(self) -> None:
        self.exchange = Exchange()
        self.time = FairTime()
        self.asked: dict[int, Asked] = {}
        self.numbers = count(1)  # of matches
        self.elsewhere = ""  # a method that was called and is not Play
        self._late: _Late | None = None  # the one time that nonces were late
        self._streams: asyncio.Queue[Stream] = asyncio.Queue()
        self._server = CallServer()  # as bots meet it in the arena
        server: Any = self._server
        health_pb2_grpc.add_HealthServicer_to_server(Health(()), server)
        self._server.add_generic_rpc_handlers((_Methods(self),))
        self._lines: tuple[Line, ...] = ()

    async def start(self) -> None:
        """Listen on free ports of this machine: the usual one, and another one to move bots to."""
        port = await self._server.listen("127.0.0.1:0")
        await self._server.start()
        self._lines = Line(port), Line(port)
        for line in self._lines:
            await line.open()
        self.time.start()

    async def stop(self) -> None:
        """Stop the server."""
        self.time.stop()
        for line in self._lines:
            await line.close()
        await self._server.stop(None)

    @property
    def line(self) -> Line:
        """The line that bots are started with."""
        return self._lines[0]

    @property
    def other_line(self) -> Line:
        """Another line to the same script, at another address."""
        return self._lines[1]

    @property
    def calls(self) -> int:
        """The number of connections so far."""
        return sum(line.calls for line in self._lines)

    @property
    def waiting(self) -> int:
        """The number of streams that wait to be taken."""
        return self._streams.qsize()

    def cut(self) -> None:
        """Cut the connection, as a broken network does."""
        self.exchange.remark("the connection was cut")
        for line in self._lines:
            line.cut()

    async def stream(self, seconds: float) -> Stream | None:
        """The next call of Play; None if none comes in time."""
        try:
            async with asyncio.timeout(seconds):
                return await self._streams.get()
        except TimeoutError:
            return None

    async def nonce_in_time(self, stream: Stream, came: Callable[[], bool], wait: float) -> bool:
        """Whether a nonce, or its digest, comes before the referee deals without it.

        To be late is forgiven once in a check, because a machine can delay everybody some time:
        to the first nonce, and to all that were waited for before that one came. One that never
        comes is not forgiven.
        """
        began = self.time.now()
        if await stream.until(came, wait):
            return True
        self._late = late = self._late or _Late()
        if began.at > late.ended:
            return False
        self.exchange.remark(f"the nonce is late: the referee waits for {wait:g} s")
        if not await stream.until(came, _LATE_SECONDS):
            return False
        now = self.time.now()
        late.ended = min(late.ended, now.at)
        late.longest = max(late.longest, now.since(began))
        return True

    def forget(self) -> None:
        """Forget what belongs to an earlier point."""
        self.exchange.clear()
        self.time.forget()
        if self._late is not None:
            self._late.longest = 0.0

    @property
    def forgiven(self) -> str:
        """What was forgiven in this point, to be added to its sentence."""
        sentence = ""
        if self._late is not None and self._late.longest:
            sentence += f"; a nonce took {self._late.longest:.1f} s, which is forgiven once"
        if self.time.made_up:
            sentence += f"; a wait was {self.time.made_up:.2f} s longer, as the machine was busy"
        return sentence

    async def play(self, _requests: Any, context: Any) -> None:
        """Serve one call of Play."""
        stream = Stream(self.exchange, self.time, self._judge, _port(context.peer()))
        self._streams.put_nowait(stream)
        await stream.serve(context)

    def _judge(self, choice: arena_pb2.Choice) -> Any:
        """The legal choice in an answer; raises Failed where a referee would refuse it."""
        asked = self.asked.get(choice.ask_id)
        if asked is None:
            raise Failed(f"it answered ask {choice.ask_id}, an unknown one; repeat the ask_id")
        if choice.fallback:
            raise Failed(
                f"it made no choice of its own for ask {choice.ask_id}: its client fell back on "
                f"the default, {clean_reason(choice.fallback)}"
            )
        where = f"to ask {choice.ask_id}, which has {len(asked.legal)} choices"
        kind = choice.WhichOneof("answer")
        if kind == "number":
            if choice.number < len(asked.legal):
                return asked.legal[choice.number]
            most = len(asked.legal) - 1
            raise Failed(f"it answered {choice.number} {where}; numbers go from 0 to {most}")
        if kind is None or choice.choice.WhichOneof("game") != asked.game:
            raise Failed(f"it sent an unreadable answer {where}; send a number")
        try:
            meant = CODECS[asked.game].read_choice(choice.choice)
        except Unreadable:
            raise Failed(f"it sent a choice that does not exist {where}; send a number") from None
        if meant not in asked.legal:
            raise Failed(f"it answered {meant} {where}, but not this one; send a legal choice")
        return meant


def _port(peer: str) -> int:
    """The port of a peer, such as ipv4:127.0.0.1:40000; 0 where there is none."""
    port = peer.rpartition(":")[2]
    return int(port) if port.isdigit() else 0


class _Methods(grpc.GenericRpcHandler):
    """The methods of the server: Play, and a note of other calls."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._play: Any = grpc.stream_stream_rpc_method_handler(stage.play)  # bytes both ways

    def service(self, handler_call_details: Any) -> Any:
        """The handler of a method; None where it is unknown."""
        method = handler_call_details.method
        if method == _METHOD:
            return self._play
        if not method.startswith(_HEALTH):
            self._stage.elsewhere = method
        return None
