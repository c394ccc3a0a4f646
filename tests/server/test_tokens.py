"""Tokens: each is good for one bot, the organiser's for the organiser, and none is ever kept."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import grpc.aio
import pytest

from paddock.v1 import bot_pb2, match_pb2
from tests.server.organiser import Organiser
from tests.server.process import Server, sdk_bot
from tests.server.raw import Bot, Ending, Raw, connected, hello

ORGANISER = "organiser-0123456789-of-the-token-tests"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(
        tmp_path_factory.mktemp("tokens"),
        *("--log-level", "debug"),
        env={"PADDOCK_ORGANISER_TOKEN": ORGANISER},
    ) as server:
        yield server


def _as(token: str | None) -> Any:
    return (("authorization", f"Bearer {token}"),) if token else ()


async def _add(channel: grpc.aio.Channel, name: str) -> str:
    request = bot_pb2.AddBotRequest(name=name)
    added = await Organiser(channel).bots.AddBot(request, metadata=_as(ORGANISER))
    return str(added.token)


async def _knock(channel: grpc.aio.Channel, name: str, token: str | None) -> Ending:
    raw = Raw(channel, token)
    raw.listen()
    await raw.say(hello(name))
    ending = await raw.ended()
    await raw.close()
    return ending


def test_a_bot_gets_in_with_its_own_token_only(server: Server) -> None:
    async def knock() -> None:
        async with connected(server.address) as channel:
            mine, other = await _add(channel, "mine"), await _add(channel, "other")
            assert re.fullmatch(r"pdk_[A-Za-z0-9_-]{43}", mine)
            assert mine != other
            (await _knock(channel, "mine", None)).must_be("auth/missing_token")
            (await _knock(channel, "mine", other)).must_be("auth/other_bot")
            for token in ("pdk_wrong", mine + "x", mine[:-1], ORGANISER, "x" * 5000):
                ending = await _knock(channel, "mine", token)
                ending.must_be("auth/bad_token")
                assert token not in ending.details
            # A bot that nobody added is refused in the same words as a wrong token.
            (await _knock(channel, "unknown", "pdk_wrong")).must_be("auth/bad_token")
            (await _knock(channel, "unknown", mine)).must_be("auth/other_bot")
            bot = Bot(channel, "mine", token=mine)
            await bot.enter()
            await bot.close()

    asyncio.run(knock())


def test_a_rotated_token_is_worthless_at_once_and_so_is_a_removed_bots(server: Server) -> None:
    async def rotate() -> None:
        async with connected(server.address) as channel:
            organiser = Organiser(channel, ORGANISER)
            old = await _add(channel, "turning")
            bot = Bot(channel, "turning", token=old)
            await bot.enter()
            request = bot_pb2.RotateTokenRequest(name="turning")
            made = await organiser.bots.RotateToken(request, metadata=_as(ORGANISER))
            (await bot.ended()).must_be("auth/bad_token")
            await bot.close()
            (await _knock(channel, "turning", old)).must_be("auth/bad_token")
            again = Bot(channel, "turning", token=made.token)
            await again.enter()
            remove = bot_pb2.RemoveBotRequest(name="turning")
            await organiser.bots.RemoveBot(remove, metadata=_as(ORGANISER))
            (await again.ended()).must_be("session/removed")
            await again.close()
            (await _knock(channel, "turning", made.token)).must_be("auth/bad_token")

    asyncio.run(rotate())


CALLS = (
    ("bots", "AddBot"),
    ("bots", "ListBots"),
    ("bots", "GetBot"),
    ("bots", "RotateToken"),
    ("bots", "RemoveBot"),
    ("stub", "StartMatches"),
)


@pytest.mark.parametrize(("stub", "method"), CALLS)
def test_organisers_calls_need_the_organisers_token(server: Server, stub: str, method: str) -> None:
    async def call() -> None:
        async with connected(server.address) as channel:
            bots_own = await _add(channel, f"bot-of-{method}")
            made = getattr(bot_pb2 if stub == "bots" else match_pb2, f"{method}Request")()
            for token, reason in (
                (None, "auth/missing_token"),
                ("wrong", "auth/organiser_only"),
                (bots_own, "auth/organiser_only"),
            ):
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await getattr(getattr(Organiser(channel), stub), method)(
                        made, metadata=_as(token)
                    )
                Ending.of(caught.value).must_be(reason)

    asyncio.run(call())


def test_odd_metadata_is_a_missing_token(server: Server) -> None:
    async def call() -> None:
        async with connected(server.address) as channel:
            for value in ("", "Bearer", "Bearer ", ORGANISER, f"Basic {ORGANISER}"):
                with pytest.raises(grpc.aio.AioRpcError, match="auth/missing_token"):
                    await Organiser(channel).bots.ListBots(
                        bot_pb2.ListBotsRequest(), metadata=(("authorization", value),)
                    )
            listed = await Organiser(channel).bots.ListBots(
                bot_pb2.ListBotsRequest(), metadata=(("authorization", f"bearer {ORGANISER}"),)
            )
            assert listed.bots is not None

    asyncio.run(call())


def test_no_token_is_ever_kept_or_logged(server: Server) -> None:
    async def play() -> set[str]:
        async with connected(server.address) as channel:
            organiser = Organiser(channel, ORGANISER)
            tokens = {name: await _add(channel, name) for name in ("ann", "ben")}
            with (
                sdk_bot(server, "ann", PADDOCK_TOKEN=tokens["ann"]),
                sdk_bot(server, "ben", PADDOCK_TOKEN=tokens["ben"]),
            ):
                for match_id in await organiser.start("two-player", ["ann", "ben"], 3):
                    assert (await organiser.finished(match_id)).clean()
            wrong = "pdk_mistyped-but-nearly-right"
            await _knock(channel, "ann", wrong)
            return {*tokens.values(), wrong, ORGANISER}

    secrets = asyncio.run(play())
    kept = b"".join(path.read_bytes() for path in server.folder.iterdir() if path.is_file())
    assert b"ann" in kept
    for secret in secrets:
        assert secret.encode() not in kept
        assert secret.removeprefix("pdk_").encode() not in kept
