"""Guesses of the organiser's token: they cost time, and never the organiser's own access."""

import asyncio
from pathlib import Path

import grpc.aio
import pytest

from paddock.v1 import bot_pb2
from paddock_server.api.guesses import Guesses
from paddock_server.api.refusal import Refusal
from paddock_server.serving.settings import CannotServe, Settings, check
from tests.server.organiser import Organiser
from tests.server.process import Server, patiently
from tests.server.raw import Ending, connected

TOKEN = "organiser-0123456789-of-the-guess-tests"  # noqa: S105


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def guess(guesses: Guesses, address: str, most: int = 100_000) -> int:
    """How many wrong tokens are looked at."""
    for number in range(most):
        try:
            guesses.check(address)
        except Refusal:
            return number
        guesses.wrong(address)
    return most


def heard(guesses: Guesses, address: str) -> bool:
    try:
        guesses.check(address)
    except Refusal as refusal:
        return refusal.reason != "auth/too_many_guesses"
    return True


def test_an_address_that_guesses_waits_and_others_do_not() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    assert guess(guesses, "192.0.2.1") == 31
    assert not heard(guesses, "192.0.2.1")
    assert heard(guesses, "192.0.2.2")
    clock.now += 1.5
    assert guess(guesses, "192.0.2.1") == 1  # and the next wait is longer
    clock.now += 1.5
    assert not heard(guesses, "192.0.2.1")


def test_in_a_day_an_address_has_few_guesses() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    looked_at = 0
    for _ in range(24 * 3600):
        clock.now += 1.0
        looked_at += guess(guesses, "192.0.2.1")
    assert looked_at < 20_000


def test_guesses_from_everywhere_do_not_lock_the_organiser_out() -> None:
    guesses = Guesses(Clock())
    guesses.right("198.51.100.7")
    for number in range(400):
        guess(guesses, f"192.0.2.{number}", 1)
    assert not heard(guesses, "203.0.113.5")  # that of a stranger
    assert heard(guesses, "198.51.100.7")


def test_where_the_organiser_is_known_the_wait_stays_short() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    guesses.right("198.51.100.7")
    for _ in range(20):
        guess(guesses, "198.51.100.7")
        clock.now += 1.1
        assert heard(guesses, "198.51.100.7")


@pytest.mark.parametrize("token", ["x", "x" * 15])
@pytest.mark.parametrize("grpc_address", ["127.0.0.1:0", "0.0.0.0:7911"])
def test_a_token_that_can_be_guessed_is_refused(token: str, grpc_address: str) -> None:
    with pytest.raises(CannotServe, match=r"PADDOCK_ORGANISER_TOKEN has .* use at least 16"):
        check(Settings(grpc=grpc_address, organiser_token=token))
    check(Settings(organiser_token="x" * 16))


def test_a_server_makes_guessers_wait_and_then_hears_the_organiser(tmp_path: Path) -> None:
    async def talk(server: Server) -> None:
        async with connected(server.address) as channel:
            bots = Organiser(channel).bots

            async def reason(token: str) -> str:
                metadata = (("authorization", f"Bearer {token}"),)
                try:
                    await bots.ListBots(bot_pb2.ListBotsRequest(), metadata=metadata)
                except grpc.aio.AioRpcError as error:
                    ending = Ending.of(error)
                    ending.must_be(ending.reason)
                    return ending.reason
                return ""

            while (why := await reason("wrong")) == "auth/organiser_only":
                pass
            assert why == "auth/too_many_guesses"
            async for _ in patiently():
                if await reason(TOKEN) == "":
                    break

    with Server(tmp_path, env={"PADDOCK_ORGANISER_TOKEN": TOKEN}) as server:
        asyncio.run(talk(server))
