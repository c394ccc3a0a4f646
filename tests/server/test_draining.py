"""SIGTERM: no new work; open matches finish, or are left to the journal; the server ends well."""

import asyncio
import signal
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.server.deaf import Deaf
from tests.server.organiser import Organiser
from tests.server.process import CALM, GUARD_S, Server, patiently, quiet_port
from tests.server.raw import Bot, Ending, Raw, anything, bots, connected, hello, nothing

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
WATCH = "/grpc.health.v1.Health/Watch"


async def _health(channel: grpc.aio.Channel, service: str = "") -> int:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=service))
    return int(answer.status)


def _page(server: Server, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://{server.http}{path}") as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as problem:
        with problem:
            return problem.code, problem.read().decode()


async def _refused_at_the_door(channel: grpc.aio.Channel, name: str) -> Ending:
    raw = Raw(channel)
    raw.listen()
    await raw.say(hello(name))
    ending = await raw.ended()
    await raw.close()
    return ending


def test_sigterm_lets_open_matches_finish(tmp_path: Path) -> None:
    async def drain(server: Server) -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["one", "two"], nothing, max_matches=2) as players,
        ):
            organiser = Organiser(channel)
            assert await _health(channel) == SERVING
            assert _page(server, "/health") == (200, "serving\n")
            open_ = await organiser.start("two-player", ["one", "two"], 2)
            waiting = await organiser.start("two-player", ["one", "two"])
            asks = [(bot, await bot.next("ask", n)) for bot in players for n in range(2)]
            server.signal(signal.SIGTERM)
            async for _ in patiently():
                if await _health(channel) == NOT_SERVING:
                    break
            for service in ("ArenaService", "BotService", "MatchService"):
                assert await _health(channel, f"paddock.v1.{service}") == NOT_SERVING
            async for _ in patiently():
                if _page(server, "/health") == (503, "draining\n"):
                    break
            (await _refused_at_the_door(channel, "newcomer")).must_be("server/draining")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await organiser.start("two-player", ["house-random", "house-greedy"])
            Ending.of(caught.value).must_be("server/draining")
            await players[1].close()  # who has an open match may come back to it
            back = Bot(channel, "two")
            await back.enter()
            for bot, ask in asks:
                bot.answer = anything(bot.name)
                if bot is players[0]:
                    bot.put(*bot.answer(ask))
            for bot in (players[0], back):
                await bot.next("match_ended", 1)
                (await bot.ended()).must_be("server/draining")
                (goodbye,) = bot.of("goodbye")
                assert goodbye.reason == "server/draining"
                assert goodbye.return_after_ms > 0
            await back.close()
        assert await asyncio.to_thread(server.wait) == 0
        server.start()
        async with connected(server.address) as channel:
            organiser = Organiser(channel)
            for match_id in open_:
                assert (await organiser.finished(match_id)).clean()
            assert [(await organiser.get(each)).match.state for each in waiting] == [1]
            async with bots(server.address, ["one", "two"]):
                assert (await organiser.finished(waiting[0])).clean()

    with Server(tmp_path) as server:
        asyncio.run(drain(server))
        assert server.terminate() == 0
        assert "Traceback" not in server.said()


def test_a_watcher_of_health_that_never_reads_holds_up_nobody(tmp_path: Path) -> None:
    async def drain(server: Server) -> None:
        async with (
            connected(server.address) as channel,
            Deaf(server.address, WATCH) as deaf,
        ):
            await asyncio.wait_for(deaf.answered(), GUARD_S)
            stub: Any = health_pb2_grpc.HealthStub(channel)
            watch = stub.Watch(health_pb2.HealthCheckRequest())
            heard = await asyncio.wait_for(watch.read(), GUARD_S)
            assert heard.status == SERVING
            unknown = stub.Watch(health_pb2.HealthCheckRequest(service="paddock.v1.None"))
            assert (await unknown.read()).status == UNKNOWN
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await _health(channel, "paddock.v1.None")
            assert caught.value.code() == grpc.StatusCode.NOT_FOUND
            # A match that stays open keeps the server there while it drains.
            async with bots(server.address, ["one", "two"], nothing) as players:
                await Organiser(channel).start("two-player", ["one", "two"])
                for bot in players:
                    await bot.next("ask", 0)
                server.signal(signal.SIGTERM)
                heard = await asyncio.wait_for(watch.read(), GUARD_S)
                assert heard.status == NOT_SERVING
                (await _refused_at_the_door(channel, "newcomer")).must_be("server/draining")
                server.signal(signal.SIGTERM)
                assert await asyncio.to_thread(server.wait) == 0

    with Server(tmp_path, config=CALM) as server:
        asyncio.run(drain(server))
        assert "Traceback" not in server.said()


HURRIED = {
    "no time to drain": ("drain_seconds = 0\n", 1),
    "a second signal": ("drain_seconds = 600\n", 2),
}


@pytest.mark.parametrize("case", HURRIED)
def test_what_is_not_finished_in_time_goes_on_after_a_restart(tmp_path: Path, case: str) -> None:
    config, signals = HURRIED[case]

    async def play(server: Server) -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["one", "two"], nothing, sends_nonces=True) as players,
        ):
            organiser = Organiser(channel)
            (match_id,) = await organiser.start("two-player-winter", ["one", "two"])
            for number in range(5):
                for bot in players:
                    bot.put(*anything(number)(await bot.next("ask", number)))
            left = [await bot.next("ask", 5) for bot in players]
            players[0].put(*anything(5)(left[0]))  # the answer of one of them is in
            for _ in range(signals):
                server.signal(signal.SIGTERM)
                assert server.process is not None
                await server.process.will_say("draining: no match begins")
            assert await asyncio.to_thread(server.wait) == 0
        server.start()
        async with (
            connected(server.address) as channel,
            bots(server.address, ["one", "two"], nothing, sends_nonces=True) as players,
        ):
            for bot, before in zip(players, left, strict=True):
                again = await bot.next("ask")
                assert again.ask_id == before.ask_id  # the same decision, and all its time
                assert (again.view, again.choices) == (before.view, before.choices)
                assert again.time_ms > 20_000
                bot.answer = anything(bot.name)
                bot.put(*bot.answer(again))
            assert (await Organiser(channel).finished(match_id)).clean()

    with Server(tmp_path, config=config + CALM, grpc=f"127.0.0.1:{quiet_port()}") as server:
        asyncio.run(play(server))
        assert server.terminate() == 0
        assert "Traceback" not in server.said()
