"""Floods: what costs the server much and answers nothing ends a session, and is remembered."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from paddock.v1 import arena_pb2, dino_twist_pb2
from paddock_server.referee.answers import MALFORMED
from paddock_server.wire.answers import read_answer
from tests.server.organiser import Organiser
from tests.server.process import Server
from tests.server.raw import Bot, Raw, bots, connected, hello, number

PATIENT = """
[clock]
base = 30.0
bank = 0.0
[policy]
flood_seconds = 600.0
flood_most_seconds = 600.0
[limits]
versions_per_day = 2
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("floods"), config=PATIENT) as server:
        yield server


def test_a_choice_that_is_far_too_large_is_not_decoded() -> None:
    cards = [dino_twist_pb2.DinoTwistCard(strength=1)] * 9000
    choice = arena_pb2.GameChoice(dino_twist=dino_twist_pb2.DinoTwistChoice(cards=cards))
    assert read_answer(arena_pb2.Choice(ask_id=1, choice=choice)) is MALFORMED


def test_a_frame_of_countless_items_is_refused_whole(server: Server) -> None:
    async def flood() -> None:
        async with connected(server.address) as channel:
            bot = Bot(channel, "countless")
            await bot.enter()
            await bot.write(b"\x0a\x00" * 30_000)
            (await bot.ended()).must_be("frame/too_large")
            await bot.close()

    asyncio.run(flood())
    assert "Traceback" not in server.said()


def choices_by_number(size: int) -> bytes:
    """A frame of at most this size with nothing else in it."""
    one = arena_pb2.PlayRequest(items=[number(2**62, 1)]).SerializeToString()
    return one * (size // len(one))


@pytest.mark.parametrize(
    ("reason", "frame"),
    [
        ("frame/too_large", choices_by_number(1000 * 1024)),  # nearly what gRPC takes
        ("frame/too_large", choices_by_number(60 * 1024)),
        ("frame/malformed", b"\xff" * 60 * 1024),
        (
            "hello/repeated",
            arena_pb2.PlayRequest(items=[hello("bot", version="1" * 25_000)]).SerializeToString(),
        ),
    ],
    ids=["long", "many", "malformed", "hello"],
)
def test_a_frame_that_can_not_be_taken_is_paid_for(
    tmp_path: Path, reason: str, frame: bytes
) -> None:
    async def flood(server: Server) -> None:
        async with connected(server.address) as channel:
            bot = Bot(channel, "bot")
            await bot.enter()
            await bot.write(frame)
            (await bot.ended()).must_be(reason)
            await bot.close()
            again = Raw(channel)
            await again.say(hello("bot"))
            again.listen()
            (await again.ended()).must_be("session/too_soon")

    with Server(tmp_path, config=f"{PATIENT}useless_items = 40\n") as server:
        asyncio.run(flood(server))


def test_who_flooded_stays_away_and_nobody_else_notices(server: Server) -> None:
    async def flood() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["good-1", "good-2"]) as good,
        ):
            organiser = Organiser(channel)
            beside = await organiser.start("two-player", [bot.name for bot in good], 5)
            bot = Bot(channel, "flooding")
            await bot.enter()
            for _ in range(3):
                await bot.say(*[number(1, 0)] * 1000)
            (await bot.ended()).must_be("frame/flood")
            (goodbye,) = bot.of("goodbye")
            assert goodbye.reason == "frame/flood"
            assert goodbye.return_after_ms == 600_000
            await bot.close()
            for _ in range(2):  # a new connection is no new beginning
                again = Raw(channel)
                await again.say(hello("flooding"))
                again.listen()
                (await again.ended()).must_be("session/too_soon")
                (goodbye,) = again.of("goodbye")
                assert 0 < goodbye.return_after_ms <= 600_000
                assert not again.of("welcome")
            for match_id in beside:
                assert (await organiser.finished(match_id)).clean()

    asyncio.run(flood())


def test_an_honest_bot_with_64_matches_touches_no_limit(server: Server) -> None:
    """It answers each ask alone and at once, and loses its connection a few times."""

    def first(ask: arena_pb2.Ask) -> Sequence[arena_pb2.BotItem]:
        return [number(ask.ask_id, 0)]

    async def play() -> None:
        async with connected(server.address) as channel:
            organiser = Organiser(channel)
            other = Bot(channel, "busy-2", first, sends_nonces=True)
            await other.enter()
            bot = Bot(channel, "busy-1", first, sends_nonces=True)
            welcome = await bot.enter()
            assert welcome.limits.frame_items == 1024
            ids = await organiser.start("two-player", ["busy-1", "busy-2"], 64)
            for _ in range(3):
                await bot.next("happened", 20)
                await bot.close()
                nonces = bot.nonces
                bot = Bot(channel, "busy-1", first, sends_nonces=True)
                bot.nonces = nonces
                await bot.enter()
            for match_id in ids:
                assert (await organiser.finished(match_id)).clean()
            assert not bot.of("goodbye")
            assert not other.of("goodbye")
            await bot.close()
            await other.close()

    asyncio.run(play())


def test_a_bot_has_few_new_versions_a_day(server: Server) -> None:
    async def connect() -> None:
        async with connected(server.address) as channel:
            for version in ("1", "2", "1", "2"):
                bot = Bot(channel, "changing", version=version)
                await bot.enter()
                await bot.close()
            other = Raw(channel)
            await other.say(hello("changing", version="3"))
            other.listen()
            (await other.ended()).must_be("bot/too_many_versions")
            known = Bot(channel, "changing", version="1")
            await known.enter()
            await known.close()

    asyncio.run(connect())
