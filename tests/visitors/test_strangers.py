"""What needs no token and reaches the event loop by another way than pages and queries."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from paddock_server.api.strangers import Strangers
from paddock_server.visitors.admission import Most
from paddock_server.visitors.gate import Gate
from paddock_server.visitors.share import Share
from tests.lobby.test_budget import Clock
from tests.server.organiser import Organiser
from tests.server.process import CALM, Server
from tests.server.raw import Bot, Ending, Raw, anything, connected, hello, nothing, number

MANY = Most(together=1000, per_address=1000)
CONFIG = f"""{CALM}
[visitors]
watchers_per_address = 2
share = 1e-9
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, config=CONFIG) as server:
        yield server


def test_who_comes_from_where_many_were_refused_waits_and_others_do_not() -> None:
    async def come() -> None:
        clock = Clock()
        gate = Gate(Share(1e-9, 0.0, lambda: True, clock), MANY)
        gate._share.spend(1.0)  # no visitor enters any more
        strangers = Strangers(gate, clock)
        for _ in range(20):
            strangers.refused("a", "auth/bad_token")
            strangers.refused("b", "session/too_soon")  # of a bot that is known
        await strangers.enter("a")
        strangers.refused("a", "bot/bad_name")
        waiting = asyncio.create_task(strangers.enter("a"))
        for _ in range(3):
            await strangers.enter("b")
            await strangers.enter("c")
        assert not waiting.done()
        clock.now += 61
        await strangers.enter("a")  # it behaved for a while
        waiting.cancel()

    asyncio.run(come())


async def refused(channel: Any) -> Raw:
    """A stranger's stream."""
    stranger = Raw(channel)
    await stranger.say(hello("NO NAME"))
    stranger.listen()
    return stranger


def test_hellos_of_strangers_wait_while_others_play(server: Server) -> None:
    async def play() -> None:
        async with connected(server.address) as channel, connected(server.address) as other:
            here = [Bot(channel, name, nothing) for name in ("ada", "bob")]
            for bot in here:
                await bot.enter()
            await Organiser(channel).start("two-player", ["ada", "bob"])
            asks = [await bot.next("ask") for bot in here]
            for _ in range(21):
                (await (await refused(other)).ended()).must_be("bot/bad_name")
            strangers = [await refused(other) for _ in range(10)]  # the gate lets in four
            for bot, ask in zip(here, asks, strict=True):  # others play on meanwhile
                bot.answer = anything(bot.name)
                bot.put(number(ask.ask_id, 0))
            for bot in here:
                await bot.next("ask", 5)
            assert not all(stranger.call.done() for stranger in strangers)
            for bot in here:
                await bot.next("match_ended")
                await bot.close()
            for stranger in strangers:
                await stranger.close()

    asyncio.run(play())


async def ends(call: Any) -> Ending:
    """How a call ended that was refused."""
    code = await call.code()
    metadata = dict(await call.trailing_metadata() or ())
    return Ending(code, metadata.get("paddock-reason", ""), await call.details())


def test_streams_that_need_no_token_are_limited_by_address(server: Server) -> None:
    async def watch() -> None:
        async with connected(server.address) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            ask: Any = channel
            reflection: Any = reflection_pb2_grpc.ServerReflectionStub(ask)
            asked = reflection_pb2.ServerReflectionRequest(list_services="")
            first = health.Watch(health_pb2.HealthCheckRequest())
            assert (await first.read()).status == health_pb2.HealthCheckResponse.SERVING
            second = reflection.ServerReflectionInfo()
            await second.write(asked)
            assert (await second.read()).list_services_response.service
            (await ends(health.Watch(health_pb2.HealthCheckRequest()))).must_be("visit/too_many")
            third = reflection.ServerReflectionInfo()
            await third.write(asked)
            (await ends(third)).must_be("visit/too_many")
            first.cancel()
            second.cancel()

    asyncio.run(watch())
