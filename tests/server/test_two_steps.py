"""Nonces in two steps over the wire: nobody chooses after the others' digests were told."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from paddock.v1 import arena_pb2
from paddock_games.chance import NO_NONCE, digest_of
from tests.server.organiser import Organiser
from tests.server.process import CALM, Server, quiet_port, sdk_bot
from tests.server.raw import Bot, Raw, bots, connected, hello

PATIENT = CALM + "nonce_wait = 30.0\n"  # nobody's nonce is late by accident


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("two-steps"), config=PATIENT) as server:
        yield server


def test_every_kind_of_client_plays_at_one_table(server: Server) -> None:
    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["one"], sends_nonces=True) as (one,),
            bots(server.address, ["none"]) as (none,),
            bots(server.address, ["two"], commits_nonces=True) as (two,),
        ):
            organiser = Organiser(channel)
            await organiser.connected("sdk")
            ids = await organiser.start("summer", ["sdk", "one", "none", "two"], 2)
            for match_id in ids:
                match = await organiser.finished(match_id)
                assert match.clean(), match.faults
                seats = {seated.bot: seated for seated in match.replay.match.seats}
                order = list(seats)
                assert seats["one"].nonce == one.nonces[match_id]
                assert seats["two"].nonce == two.nonces[match_id]
                assert seats["none"].nonce == NO_NONCE
                assert seats["sdk"].nonce_digest == digest_of(seats["sdk"].nonce)
                assert seats["two"].nonce_digest == digest_of(seats["two"].nonce)
                assert seats["one"].nonce_digest is seats["none"].nonce_digest is None
                assert not any(seated.nonce_late for seated in seats.values())
                for bot in (one, none, two):  # everybody was told the same
                    (told,) = (
                        said for said in bot.of("nonce_commitments") if said.match_id == match_id
                    )
                    digests = [digest_of(seats[name].nonce) for name in order]
                    assert list(told.digests) == digests

    with sdk_bot(server, "sdk"):
        asyncio.run(play())
    assert "nonces wrong" not in (server.folder / "sdk.log").read_text()


def test_a_nonce_is_not_opened_while_a_digest_is_missing(server: Server) -> None:
    async def play() -> None:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["prompt"], commits_nonces=True) as (prompt,),
        ):
            organiser = Organiser(channel)
            slow = Raw(channel)
            slow.listen()
            await slow.say(hello("slow", commits_nonces=True))
            await slow.next("welcome")
            (match_id,) = await organiser.start("two-player", ["prompt", "slow"])
            await slow.next("match_started")
            await prompt.until(lambda: match_id in prompt.nonces)
            await organiser.all()  # a call later nothing was told
            assert not prompt.of("nonce_commitments")
            digest = arena_pb2.NonceCommitment(match_id=match_id, digest=digest_of(b"s" * 16))
            await slow.say(arena_pb2.BotItem(nonce_commitment=digest))
            told = await slow.next("nonce_commitments")
            assert set(told.digests) == {digest.digest, digest_of(prompt.nonces[match_id])}
            nonce = arena_pb2.Nonce(match_id=match_id, nonce=b"s" * 16)
            resign = arena_pb2.Resign(match_id=match_id)
            await slow.say(arena_pb2.BotItem(nonce=nonce), arena_pb2.BotItem(resign=resign))
            match = await organiser.finished(match_id)
            assert {seated.nonce for seated in match.replay.match.seats} == {
                b"s" * 16,
                prompt.nonces[match_id],
            }
            await slow.close()

    asyncio.run(play())


def test_after_kill_9_between_the_steps_nobody_can_choose_again(tmp_path: Path) -> None:
    async def first(server: Server) -> tuple[str, list[bytes], dict[str, bytes]]:
        async with (
            connected(server.address) as channel,
            bots(server.address, ["ada", "bob"], commits_nonces=True) as both,
        ):
            for bot in both:
                bot.opens = False
            (match_id,) = await Organiser(channel).start("two-player", ["ada", "bob"])
            for bot in both:
                await bot.next("nonce_commitments")
            digests = list(both[0].of("nonce_commitments")[0].digests)
            server.kill()
            return match_id, digests, {bot.name: bot.nonces[match_id] for bot in both}

    async def again(
        server: Server, match_id: str, digests: list[bytes], nonces: dict[str, bytes]
    ) -> None:
        async with connected(server.address) as channel:
            organiser = Organiser(channel)
            both = [Bot(channel, name, commits_nonces=True) for name in ("ada", "bob")]
            for bot in both:
                bot.nonces[match_id] = b"another nonce..."  # it would like to choose again
                await bot.enter()
                await bot.next("nonce_commitments")
                assert list(bot.of("nonce_commitments")[0].digests) == digests
                bot.nonces[match_id] = nonces[bot.name]
                bot.open_nonce(match_id)
            match = await organiser.finished(match_id)
            assert match.clean()
            for seated in match.replay.match.seats:
                assert seated.nonce == nonces[seated.bot]
                assert seated.nonce_digest == digest_of(seated.nonce)
            for bot in both:
                await bot.close()

    with ExitStack() as stack:
        grpc = f"127.0.0.1:{quiet_port()}"
        server = stack.enter_context(Server(tmp_path / "server", config=PATIENT, grpc=grpc))
        match_id, digests, nonces = asyncio.run(first(server))
        server.start()
        asyncio.run(again(server, match_id, digests, nonces))
