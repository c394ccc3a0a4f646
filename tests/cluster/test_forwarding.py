"""Calls that a node hands on: one hop, to the steward or to nobody."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import grpc.aio

from paddock.v1 import bot_pb2
from paddock_server.cluster.callers import Callers
from paddock_server.cluster.cluster_server import ClusterServing, ClusterSettings
from paddock_server.cluster.messages import Leads
from paddock_server.serving.settings import Settings
from tests.chaos.line import Line
from tests.cluster.memory_bus import MemoryBus, Weather
from tests.server.organiser import Organiser
from tests.server.process import GUARD_S, patiently
from tests.server.raw import connected

TOKEN = "organiser-0123456789-of-the-forwarding"  # noqa: S105


@asynccontextmanager
async def two_nodes(place: str) -> AsyncIterator[tuple[ClusterServing, ClusterServing]]:
    """Two nodes in this process; the first one leads."""
    weather, made = Weather(), []
    async with AsyncExitStack() as stack:
        for _ in range(2):
            settings = Settings(place, "127.0.0.1:0", organiser_token=TOKEN, drain_seconds=0)
            bus = MemoryBus(weather)
            serving = ClusterServing(settings, ClusterSettings("nats://127.0.0.1:4222"), bus)
            await serving.start()
            stack.push_async_callback(serving.stop)
            made.append(serving)
            async for _ in patiently():
                if made[0].node.parts.tables.leading and serving.node.steward is not None:
                    break
        yield made[0], made[1]


@asynccontextmanager
async def stranger(address: str) -> AsyncIterator[str]:
    """An address where a server is reached as if from another machine."""
    line = Line(address, "127.0.0.2")
    await line.open()
    yield line.address
    await line.close()


async def reason(
    address: str, token: str = TOKEN, more: Sequence[tuple[str, str]] = ()
) -> tuple[grpc.StatusCode, str]:
    """How a call of an organiser ends."""
    async with connected(address) as channel:
        call: Any = Organiser(channel).bots.ListBots
        metadata = (("authorization", f"Bearer {token}"), *more)
        try:
            await call(bot_pb2.ListBotsRequest(), metadata=metadata, timeout=GUARD_S)
        except grpc.aio.AioRpcError as error:
            return error.code(), dict(error.trailing_metadata() or ()).get("paddock-reason", "")
        return grpc.StatusCode.OK, ""


def run(work: Coroutine[Any, Any, None]) -> None:
    async def main() -> None:
        async with asyncio.timeout(GUARD_S):
            await work

    asyncio.run(main())


NOBODY = grpc.StatusCode.UNAVAILABLE, "cluster/no_steward"


def test_a_steward_that_drains_answers_that_nobody_leads(postgresql_place: str) -> None:
    async def test() -> None:
        async with two_nodes(postgresql_place) as (steward, other):
            assert await reason(other.address) == (grpc.StatusCode.OK, "")
            await other.drain()  # so that it does not lead afterwards
            await steward.drain()
            assert await reason(steward.address) == NOBODY

    run(test())


def test_a_call_goes_no_second_hop(postgresql_place: str) -> None:
    """Each of two nodes takes the other for the steward, as it can for a moment."""

    async def test() -> None:
        async with two_nodes(postgresql_place) as (steward, other):
            await other.drain()
            await steward.drain()
            for one, another in ((steward, other), (other, steward)):
                one.node.hear(another.node.link.me, Leads())
                assert one.node.steward is not None
            for each in (steward, other):
                assert await reason(each.address) == NOBODY

    run(test())


async def guess(address: str, more: Sequence[tuple[str, str]] = ()) -> None:
    """Say wrong tokens until nobody is heard at this address."""
    for _ in range(200):
        _, why = await reason(address, "wrong", more)
        if why == "auth/too_many_guesses":
            return
        assert why == "auth/organiser_only"
    raise AssertionError("nobody stops it")


HEARD = grpc.StatusCode.OK, ""


def test_who_guesses_at_one_node_locks_nobody_else_out_there(postgresql_place: str) -> None:
    async def test() -> None:
        async with two_nodes(postgresql_place) as (steward, other):
            async with stranger(other.address) as address:
                await guess(address)
            assert await reason(other.address) == HEARD
            assert await reason(steward.address) == HEARD

    run(test())


def test_only_nodes_can_name_a_caller(postgresql_place: str) -> None:
    async def test() -> None:
        async with two_nodes(postgresql_place) as (steward, other):
            named = Callers(TOKEN).name("ipv4:127.0.0.1:5000")
            forged = Callers("a guess of the organiser's token").name("ipv4:127.0.0.1:5000")
            assert Callers(TOKEN).named(named) == "ipv4:127.0.0.1:5000"
            for caller in (forged, named[:1]):
                assert Callers(TOKEN).named(caller) is None
                async with stranger(steward.address) as address:
                    await guess(address, caller)
            assert await reason(steward.address) == HEARD
            assert await reason(other.address) == HEARD

    run(test())
