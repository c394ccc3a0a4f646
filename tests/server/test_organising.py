"""What organisers can get wrong, and how lists are paged."""

import asyncio
from collections.abc import Iterator
from typing import Any

import grpc.aio
import pytest

from paddock.v1 import bot_pb2, match_pb2
from tests.server.organiser import Organiser
from tests.server.process import Server
from tests.server.raw import Ending, connected

START = match_pb2.StartMatchesRequest
REFUSED: list[tuple[str, Any]] = [
    ("format/unknown", START(format="chess", bots=["a"])),
    ("bot/unknown", START(format="summer")),
    ("bot/unknown", START(format="summer", bots=["nobody"])),
    ("bot/unknown", START(format="summer", bots=["house-x"])),
    ("seats/wrong", START(format="two-player", bots=["a"])),
    ("seats/wrong", START(format="two-player", bots=["a", "a"])),
    ("seats/wrong", START(format="two-player", bots=["a", "b"], seats=3)),
    ("rules/unknown", START(format="two-player", bots=["a", "b"], rules="mine")),
    ("rules/unknown", START(format="two-player", bots=["a", "b"], rules="{")),
    ("rules/unknown", START(format="two-player", bots=["a", "b"], rules='{"x": 1}')),
    ("rules/unknown", START(format="two-player", bots=["a", "b"], rules="{" * 5000)),
    ("rules/unknown", START(format="two-player", bots=["a", "b"], count=10_001)),
    (
        "rules/unknown",
        START(format="dino-twist", bots=["a", "b"], seats=2, rules='{"small_seats": "2"}'),
    ),
    (
        "rules/unknown",
        START(format="dino-twist-small", bots=["a", "b"], seats=2, rules='{"small_seats": "0"}'),
    ),
    ("match/unknown", match_pb2.GetMatchRequest(match_id="none")),
    ("page/bad_token", match_pb2.ListMatchesRequest(page_token="-1")),  # noqa: S106
    ("page/bad_token", match_pb2.ListMatchesRequest(page_token="\u0661")),  # noqa: S106
    ("bot/exists", bot_pb2.AddBotRequest(name="a")),
    ("bot/bad_name", bot_pb2.AddBotRequest()),
    ("bot/bad_name", bot_pb2.AddBotRequest(name="a b")),
    ("bot/bad_name", bot_pb2.AddBotRequest(name="house-x")),
    ("bot/unknown", bot_pb2.GetBotRequest(name="nobody")),
    ("bot/unknown", bot_pb2.RotateTokenRequest(name="nobody")),
    ("bot/unknown", bot_pb2.RemoveBotRequest(name="nobody")),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("organising")) as server:
        yield server


def test_what_organisers_get_wrong(server: Server) -> None:
    async def talk() -> None:
        async with connected(server.address) as channel:
            organiser = Organiser(channel)
            for name in ("a", "b"):
                await organiser.bots.AddBot(bot_pb2.AddBotRequest(name=name))
            for reason, request in REFUSED:
                method = type(request).__name__.removesuffix("Request")
                stub = organiser.bots if hasattr(organiser.bots, method) else organiser.stub
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await getattr(stub, method)(request)
                Ending.of(caught.value).must_be(reason)
            watch = organiser.stub.WatchMatch(match_pb2.WatchMatchRequest(match_id="none"))
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await anext(aiter(watch))
            Ending.of(caught.value).must_be("match/unknown")
            assert await organiser.all() == []  # nothing came of any of it

    asyncio.run(talk())


def test_lists_come_in_pages(server: Server) -> None:
    async def talk() -> None:
        async with connected(server.address) as channel:
            organiser = Organiser(channel)
            names = [f"page-{number:03}" for number in range(130)]
            for name in names:
                await organiser.bots.AddBot(bot_pb2.AddBotRequest(name=name))
            found, token, pages = [], "", 0
            while pages == 0 or token:
                request = bot_pb2.ListBotsRequest(page_token=token, page_size=1000)
                page = await organiser.bots.ListBots(request)
                assert len(page.bots) <= 100
                found += [bot.name for bot in page.bots if bot.name.startswith("page-")]
                token, pages = page.next_page_token, pages + 1
            assert found == names
            ids = await organiser.start("two-player", names[:2], 205)
            waiting = await organiser.all(match_pb2.MATCH_STATE_WAITING)
            assert [each.match_id for each in waiting] == ids[::-1]
            assert [seat.bot for seat in waiting[-1].seats] == names[:2]
            assert await organiser.all(match_pb2.MATCH_STATE_FINISHED) == []
            of_bot = match_pb2.ListMatchesRequest(bot=names[1], page_size=7)
            assert len((await organiser.stub.ListMatches(of_bot)).matches) == 7
            of_nobody = match_pb2.ListMatchesRequest(bot=names[5])
            assert not (await organiser.stub.ListMatches(of_nobody)).matches

    asyncio.run(talk())
