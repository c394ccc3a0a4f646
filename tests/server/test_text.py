"""Text that clients send: cleaned or refused before anything is kept."""

import asyncio
from pathlib import Path

import grpc.aio
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paddock.v1 import bot_pb2
from paddock_server.basics.name import is_guest, is_name, skeleton
from paddock_server.basics.printable import is_printable, printable
from paddock_server.store import ratings
from tests.server.organiser import Organiser
from tests.server.process import Server, patiently
from tests.server.raw import Bot, Ending, Raw, connected, hello
from tests.store.opened import opened, read

DIRTY = "1\0.2\x1b[2J\u202e\u200b\u2028\u3164\ue000 rc"
CLEAN = "1 .2 [2J rc"


@given(text=st.text(), most=st.integers(1, 40))
@example(DIRTY, 40)
@example("\ud800", 5)
@example("e\u0301" * 100, 40)
def test_what_is_kept_is_one_printable_line(text: str, most: int) -> None:
    kept = printable(text, most)
    assert len(kept) <= most
    assert is_printable(kept)
    assert kept == " ".join(kept.split(" ")) == kept.strip()
    assert printable(kept, most) == kept
    kept.encode()  # any database takes it


def test_what_can_not_be_seen_is_left_out() -> None:
    assert printable(DIRTY, 40) == CLEAN
    assert printable("Zoë 漢字 🦖", 40) == "Zoë 漢字 🦖"
    assert printable("\0" * 60_000 + "x", 40) == ""
    assert not is_printable("a\u202eb")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ada"),
        ("b0b", "bob"),
        ("rexI", "rexl"),
        ("rex1", "REXL"),
        ("barn", "Bam"),
        ("vvin", "win"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    "name", ["house-x", "House-x", "H0USE-random", "\u0430da", "ada\0", "ada\n"]
)
def test_no_guest_has_such_a_name(name: str) -> None:
    assert not is_guest(name)
    assert is_name(name) == ("use-" in name.lower())


def test_a_server_keeps_clean_text_only(tmp_path: Path) -> None:
    async def talk(server: Server) -> None:
        async with connected(server.address) as channel:
            organiser = Organiser(channel)
            bot = Bot(channel, "Ada", version=DIRTY, language=DIRTY, client=DIRTY)
            await bot.enter()
            async for _ in patiently():  # it is stored soon after Welcome
                (found,) = await organiser.connected("Ada")
                if found.version:
                    break
            assert found.version == CLEAN
            other = Raw(channel)
            await other.say(hello("ada"))
            other.listen()
            (await other.ended()).must_be("bot/exists")
            add = bot_pb2.AddBotRequest(name="bob", owner=DIRTY)
            assert (await organiser.bots.AddBot(add)).bot.owner == CLEAN
            for name in ("bob", "BOB", "b0b", "ADA"):
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await organiser.bots.AddBot(bot_pb2.AddBotRequest(name=name))
                Ending.of(caught.value).must_be("bot/exists")
            await bot.close()

    with Server(tmp_path, "--log", "json") as server:
        asyncio.run(talk(server))
    assert CLEAN in server.said()
    assert "\\u0000" not in server.said()


def test_a_zero_byte_in_a_version_stops_no_match(tmp_path: Path, postgresql_place: str) -> None:
    """PostgreSQL takes no zero bytes: ratings were kept under another version than was read."""

    async def play(server: Server) -> None:
        async with connected(server.address) as channel:
            organiser = Organiser(channel)
            players = [Bot(channel, name, version="1\0") for name in ("ada", "bob")]
            for bot in players:
                await bot.enter()
            for match_id in await organiser.start("two-player", ["ada", "bob"], 3):
                await organiser.finished(match_id)
            for bot in players:
                await bot.close()

    with Server(tmp_path, "--db", postgresql_place) as server:
        asyncio.run(play(server))
        assert server.terminate() == 0
    with opened(postgresql_place, reading=True) as database:
        found = read(database, ratings.standings, "two-player")
        assert [(row.bot, row.version, row.totals.matches) for row in found] == [
            ("ada", "1", 3), ("bob", "1", 3),
        ]  # fmt: skip
