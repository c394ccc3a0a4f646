"""The load side of the referee's benchmark: processes full of bots with nothing in their heads.

A bot here finds in a frame what it must answer and answers at once: any number that is legal, a
nonce, a pong. It reads the bytes itself, because making messages of them would cost more than
everything else it does, and the cores are few.
"""

import asyncio
import os
import random
from collections.abc import Awaitable, Sequence
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple, TypeAlias

from grpc import aio

from paddock.v1 import arena_pb2
from paddock_games.chance import NONCE_BYTES

PLAY: Final = "/paddock.v1.ArenaService/Play"
PING_PONG: Final = "/bench.PingPong/Play"
_AT_ONCE: Final = 64  # connections being made
_OPTIONS: Final = (("grpc.use_local_subchannel_pool", 1),)  # a connection of its own each

Call: TypeAlias = "aio.StreamStreamCall[bytes, bytes]"

# --- bytes ----------------------------------------------------------------------------------

_VARINT, _LENGTH = 0, 2
_ASK, _PING, _STARTED = (
    field << 3 | _LENGTH
    for field in (
        arena_pb2.RefereeItem.ASK_FIELD_NUMBER,
        arena_pb2.RefereeItem.PING_FIELD_NUMBER,
        arena_pb2.RefereeItem.MATCH_STARTED_FIELD_NUMBER,
    )
)
_CHOICE, _PONG, _NONCE = (
    field << 3 | _LENGTH
    for field in (
        arena_pb2.BotItem.CHOICE_FIELD_NUMBER,
        arena_pb2.BotItem.PONG_FIELD_NUMBER,
        arena_pb2.BotItem.NONCE_FIELD_NUMBER,
    )
)
_ITEMS: Final = arena_pb2.PlayRequest.ITEMS_FIELD_NUMBER << 3 | _LENGTH
_CHOICES: Final = arena_pb2.Ask.CHOICES_FIELD_NUMBER << 3 | _LENGTH
_ASK_ID: Final = arena_pb2.Ask.ASK_ID_FIELD_NUMBER << 3 | _VARINT
_CHOSEN_ID: Final = bytes((arena_pb2.Choice.ASK_ID_FIELD_NUMBER << 3 | _VARINT,))
_NUMBER: Final = bytes((arena_pb2.Choice.NUMBER_FIELD_NUMBER << 3 | _VARINT,))
_MOST: Final = 127  # numbers up to here are one byte


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = shift = 0
    while (byte := data[at]) > _MOST:
        value |= (byte & _MOST) << shift
        shift += 7
        at += 1
    return value | byte << shift, at + 1


def _item(kind: int, payload: bytes) -> bytes:
    size = len(payload)  # short: answers, pongs and nonces are
    return bytes((_ITEMS, size + 2, kind, size)) + payload


def _choice(ask: bytes, at: int, end: int) -> bytes:
    """Any of an ask's choices."""
    choices = 0
    asked = b""
    while at < end:
        tag, value, after = ask[at], ask[at + 1], at + 2
        if value > _MOST:
            value, after = _varint(ask, at + 1)
        if tag == _CHOICES:
            choices += 1
        elif tag == _ASK_ID:
            asked = ask[at + 1 : after]
        at = after + value if tag & 7 == _LENGTH else after
    number = int(random.random() * min(choices, _MOST))
    return _item(_CHOICE, _CHOSEN_ID + asked + _NUMBER + bytes((number,)))


def answers(frame: bytes) -> bytes:
    """The answers to all that a frame asks, as a frame; nothing where it asks nothing."""
    made = []
    at, size = 0, len(frame)
    while at < size:
        length, begin = _varint(frame, at + 1)
        at = begin + length
        kind = frame[begin]
        length, begin = _varint(frame, begin + 1)
        if kind == _ASK:
            made.append(_choice(frame, begin, at))
        elif kind == _PING:
            made.append(_item(_PONG, frame[begin:at]))
        elif kind == _STARTED:
            match_id = frame[begin : begin + 2 + frame[begin + 1]]  # the first field of both
            nonce = bytes((2 << 3 | _LENGTH, NONCE_BYTES)) + os.urandom(NONCE_BYTES)
            made.append(_item(_NONCE, match_id + nonce))
    return b"".join(made)


# --- bots -----------------------------------------------------------------------------------


class Bots(NamedTuple):
    """Bots that are to connect, each over a connection of its own."""

    address: str
    names: Sequence[str]
    format: str
    max_matches: int


class Pongs(NamedTuple):
    """Streams that send something back for whatever comes: so many on each connection."""

    address: str
    connections: int
    streams: int
    lane: int  # which streams are to be used together
    answer: bytes


def connection(address: str) -> aio.Channel:
    """A connection that is shared with nobody."""
    return aio.insecure_channel(address, options=_OPTIONS)


class Crowd:
    """The bots of one process."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._channels: list[aio.Channel] = []
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def connect(self, wanted: Bots | Pongs) -> None:
        """Have them all connected."""
        coming: list[Awaitable[None]] = []
        if isinstance(wanted, Bots):
            coming = [self._bot(wanted, name) for name in wanted.names]
        else:
            for _ in range(wanted.connections):
                channel = connection(wanted.address)
                self._channels.append(channel)
                coming += [self._pong(channel, wanted) for _ in range(wanted.streams)]
        await asyncio.gather(*coming)

    def leave(self) -> None:
        """Go, all of them."""
        for task in self._running:
            task.cancel()

    def _run(self, coroutine: Any) -> None:
        self._running.add(asyncio.get_running_loop().create_task(coroutine))

    async def _bot(self, wanted: Bots, name: str) -> None:
        hello = arena_pb2.Hello(
            bot=name,
            version="1",
            client="bench",
            protocol=1,
            formats=[wanted.format],
            max_matches=wanted.max_matches,
            sends_nonces=True,
        )
        frame = arena_pb2.PlayRequest(items=[arena_pb2.BotItem(hello=hello)])
        async with self._room:
            channel = connection(wanted.address)
            self._channels.append(channel)
            call: Call = channel.stream_stream(PLAY)()
            await call.write(frame.SerializeToString())
            welcome = await call.read()
            if not isinstance(welcome, bytes):
                raise ConnectionError(f"{name} was not let in: {await call.details()}")
        self._run(_play(call, welcome))

    async def _pong(self, channel: aio.Channel, wanted: Pongs) -> None:
        async with self._room:
            call: Call = channel.stream_stream(PING_PONG)()
            await call.write(b"%d" % wanted.lane)
        self._run(_pong(call, wanted.answer))


async def _play(call: Call, frame: object) -> None:
    while isinstance(frame, bytes):  # it is no bytes when the stream is over
        if answer := answers(frame):
            await call.write(answer)
        frame = await call.read()


async def _pong(call: Call, answer: bytes) -> None:
    while isinstance(await call.read(), bytes):
        await call.write(answer)


def crowd(orders: Connection) -> None:
    """What a process does: connects whom it is told to, and stays until it is told None."""
    asyncio.run(_crowd(orders))


async def _crowd(orders: Connection) -> None:
    mine = Crowd()
    while (wanted := await asyncio.to_thread(orders.recv)) is not None:
        await mine.connect(wanted)
        orders.send("connected")
    mine.leave()
