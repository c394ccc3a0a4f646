"""What can be seen of a running server: metrics, reflection, logs."""

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from prometheus_client.parser import text_string_to_metric_families

from paddock.v1 import arena_pb2
from tests.server.organiser import Organiser
from tests.server.process import Server, patiently
from tests.server.raw import anything, bots, connected, nothing, number


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("observing"), "--log", "json") as server:
        yield server


def _metrics(server: Server) -> dict[str, float]:
    """Every sample, by its name and its labels."""
    with urllib.request.urlopen(f"http://{server.http}/metrics") as page:
        assert page.headers["Content-Type"].startswith("text/plain")
        text = page.read().decode()
    return {
        ",".join([sample.name, *(f"{k}={v}" for k, v in sample.labels.items())]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_tell_what_goes_on(server: Server) -> None:
    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["one", "two"], nothing, max_matches=1) as players,
        ):
            organiser = Organiser(channel)
            before = _metrics(server)
            assert before["paddock_sessions"] == 2
            ids = await organiser.start("two-player", ["one", "two"], 3)
            asks = [await bot.next("ask") for bot in players]
            during = _metrics(server)
            assert during["paddock_open_matches"] == 1
            assert during["paddock_waiting_matches"] == 2
            assert during["paddock_asks_total"] - before["paddock_asks_total"] == 2
            for name in (
                "paddock_loop_lag_seconds",
                "paddock_write_queue",
                "paddock_unread_items",
            ):
                assert during[name] >= 0
            players[0].put(number(1, 0))
            await players[0].next("refused")
            resign = arena_pb2.Resign(match_id=asks[0].match_id)
            players[0].put(arena_pb2.BotItem(resign=resign))
            for bot, ask in zip(players, asks, strict=True):
                bot.answer = anything(bot.name)
                if bot is players[1]:
                    bot.put(*bot.answer(ask))
            matches = [await organiser.finished(match_id) for match_id in ids]
            decisions = sum(len(s.choices) for match in matches for s in match.replay.steps)
            assert decisions == 3 * 2 * (12 + 12)
            async for _ in patiently():
                after = _metrics(server)
                if after["paddock_open_matches"] == 0:
                    break
            assert after["paddock_waiting_matches"] == 0
            assert after["paddock_matches_total"] - before["paddock_matches_total"] == 3
            assert after["paddock_faults_total,kind=RESIGNED"] == 1
            seconds = "paddock_answer_seconds"
            assert after[f"{seconds}_count"] - before[f"{seconds}_count"] == decisions
            assert after[f"{seconds}_bucket,le=+Inf"] == after[f"{seconds}_count"]
            assert after[f"{seconds}_sum"] >= 0
        async for _ in patiently():
            if _metrics(server)["paddock_sessions"] == 0:
                break

    asyncio.run(play())


def test_reflection_tells_the_contract(server: Server) -> None:
    with grpc.insecure_channel(server.address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        assert set(database.get_services()) == {
            "paddock.v1.ArenaService",
            "paddock.v1.BotService",
            "paddock.v1.LadderService",
            "paddock.v1.MatchService",
            "paddock.v1.OwnerService",
            "paddock.v1.RunnerService",
            "paddock.v1.SubmissionService",
            "paddock.v1.TournamentService",
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
        }
        pool = DescriptorPool(database)
        service: Any = pool.FindServiceByName("paddock.v1.ArenaService")
        (play,) = service.methods
        assert (play.name, play.client_streaming, play.server_streaming) == ("Play", True, True)
        assert play.input_type.full_name == "paddock.v1.PlayRequest"


def test_a_log_line_is_json_with_the_ids(server: Server) -> None:
    async def play() -> str:
        async with connected(server.address) as channel, bots(server.address, ["loud", "quiet"]):
            organiser = Organiser(channel)
            (match_id,) = await organiser.start("two-player", ["loud", "quiet"])
            await organiser.finished(match_id)
            (again,) = await organiser.start("two-player", ["quiet", "loud"])
            await organiser.finished(again)
            return match_id

    async def hostile() -> None:
        name = 'x"} \x1b[2J\n{"level": "forged"'
        async with bots(server.address, ["injector"], client=name, version=name):
            pass

    asyncio.run(play())
    asyncio.run(hostile())
    lines = [line for line in server.said().splitlines() if line.startswith("{")]
    entries = [json.loads(line) for line in lines]
    assert "forged" not in {entry["level"] for entry in entries}
    opened = [entry for entry in entries if entry["message"] == "session opened"]
    assert {"loud", "quiet", "injector"} <= {entry["bot"] for entry in opened}
    for entry in opened:
        assert entry["session"]
        assert entry["time"]
    assert "\x1b" not in server.said()


@pytest.mark.parametrize("path", ["/nothing", "/metrics/x", "/../etc/passwd"])
def test_http_has_nothing_else(server: Server, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404") as caught:
        urllib.request.urlopen(f"http://{server.http}{path}")
    caught.value.close()
