"""Bad input at the door and on the stream: a status, a reason that stays the same, a sentence."""

import asyncio
from collections.abc import Iterator

import grpc
import grpc.aio
import pytest

from paddock.v1 import arena_pb2, bot_pb2
from tests.server.organiser import Organiser
from tests.server.process import Server, patiently
from tests.server.raw import Bot, Ending, Raw, bots, connected, hello, number

CONFIG = """
[clock]
base = 5.0
bank = 0.0
max_faults = 1
[limits]
hello_seconds = 5.0
sessions_per_owner = 2
waiting_items = 300
useless_items = 10_000_000
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("refusals"), config=CONFIG) as server:
        yield server


def _frame(*items: arena_pb2.BotItem) -> bytes:
    return arena_pb2.PlayRequest(items=items).SerializeToString()


async def _talk(address: str, *frames: bytes, hang_up: bool = False) -> tuple[Ending, Raw]:
    """How a stream ends on which these frames are sent."""
    async with connected(address) as channel:
        raw = Raw(channel)
        raw.listen()
        for frame in frames:
            await raw.write(frame)
        if hang_up:
            await raw.call.done_writing()
        ending = await raw.ended()
        await raw.close()
        return ending, raw


TOO_LARGE = _frame(hello("large", client="x" * 70_000))
PONG = arena_pb2.BotItem(pong=arena_pb2.Pong(id=1))
NOT_UTF_8 = b"\x0a\x08\x0a\x06\x0a\x02\xff\xfe\x20\x01"  # a Hello from a bot with a broken name
AT_THE_DOOR: dict[str, tuple[bytes, str]] = {
    "nothing in the frame": (b"", "hello/missing"),
    "an item of nothing": (b"\x0a\x00", "hello/missing"),
    "a pong": (_frame(PONG), "hello/missing"),
    "a choice before Hello": (_frame(number(1, 0), hello("late")), "hello/missing"),
    "an empty Hello": (_frame(arena_pb2.BotItem(hello=arena_pb2.Hello())), "protocol/too_old"),
    "protocol 0": (_frame(hello("x", protocol=0)), "protocol/too_old"),
    "protocol 99": (_frame(hello("x", protocol=99)), "protocol/too_new"),
    "a client that knows no format of ours": (
        _frame(hello("x", formats=[], known_formats=["chess"])),
        "format/unknown",
    ),
    "a format that its client does not know": (
        _frame(hello("x", formats=["summer"], known_formats=["winter", "chess"])),
        "format/unknown",
    ),
    "an unknown format": (_frame(hello("x", formats=["summer", "chess"])), "format/unknown"),
    "a name of the house": (_frame(hello("house-x")), "bot/bad_name"),
    "Hello twice": (_frame(hello("twice"), hello("twice")), "hello/repeated"),
    "a large frame": (TOO_LARGE, "frame/too_large"),
    "no protobuf": (b"GET / HTTP/1.1\r\n\r\n", "frame/malformed"),
    "a broken tail": (_frame(hello("x")) + b"\x0a\xff", "frame/malformed"),
    "a name that is no text": (NOT_UTF_8, "frame/malformed"),
    **{
        f"the name {name!r}": (_frame(hello(name)), "bot/bad_name")
        for name in ("", "a b", "n\u00e4me", "x" * 41, "../x", "-x", "x\n", "x\0", "[red]x")
    },
}


@pytest.mark.parametrize("case", AT_THE_DOOR)
def test_at_the_door(server: Server, case: str) -> None:
    frame, reason = AT_THE_DOOR[case]
    ending, raw = asyncio.run(_talk(server.address, frame))
    ending.must_be(reason)
    assert not raw.of("match_started")


def test_who_says_nothing_is_sent_away(server: Server) -> None:
    async def talk() -> None:
        silent = asyncio.create_task(_talk(server.address))
        gone, _ = await _talk(server.address, hang_up=True)
        waited, _ = await silent
        for ending in (gone, waited):
            ending.must_be("hello/missing")

    asyncio.run(talk())


def test_whoever_is_refused_leaves_nothing_behind(server: Server) -> None:
    """On a server without tokens who comes is known from then on, but not who is sent away."""

    async def talk() -> None:
        for refused in (hello("house-guest"), hello("chess-player", formats=["chess"])):
            await _talk(server.address, _frame(refused))
        async with connected(server.address) as channel:
            for name in ("house-guest", "chess-player"):
                with pytest.raises(grpc.aio.AioRpcError, match="bot/unknown"):
                    await Organiser(channel).bots.GetBot(bot_pb2.GetBotRequest(name=name))

    asyncio.run(talk())


WELCOME = _frame(hello("guest"))
ON_THE_STREAM: dict[str, tuple[bytes, str]] = {
    "Hello again": (_frame(hello("guest")), "hello/repeated"),
    "a large frame": (TOO_LARGE, "frame/too_large"),
    "no protobuf": (b"\xff" * 100, "frame/malformed"),
}


@pytest.mark.parametrize("case", ON_THE_STREAM)
def test_on_the_stream(server: Server, case: str) -> None:
    frame, reason = ON_THE_STREAM[case]
    ending, raw = asyncio.run(_talk(server.address, WELCOME, frame))
    ending.must_be(reason)
    assert len(raw.of("welcome")) == 1


def test_a_frame_that_grpc_itself_refuses(server: Server) -> None:
    frame = _frame(hello("guest", client="x" * 2**21))
    ending, _ = asyncio.run(_talk(server.address, WELCOME, frame))
    assert ending.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    ending, _ = asyncio.run(_talk(server.address, frame))
    assert ending.code is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_more_sessions_than_an_owner_may_have(server: Server) -> None:
    async def talk() -> None:
        async with connected(server.address) as channel:
            organiser = Organiser(channel)
            for name in ("club-1", "club-2", "club-3"):
                await organiser.bots.AddBot(bot_pb2.AddBotRequest(name=name, owner="club"))
            async with bots(server.address, ["club-1", "club-2"]) as (first, _):
                ending, _ = await _talk(server.address, _frame(hello("club-3")))
                ending.must_be("session/too_many")
                again = Bot(channel, "club-1")  # who comes back takes nobody's place
                await again.enter()
                (await first.ended()).must_be("session/replaced")
                await again.close()

    asyncio.run(talk())


def test_a_client_from_the_future_plays_on(server: Server) -> None:
    """Items, fields and frames that this server does not know are passed over."""
    unknown_item = b"\x0a\x05\x9a\x06\x02hi"  # items { 99: "hi" }
    unknown_field = b"\x9a\x06\x02hi"  # 99: "hi", of the frame itself

    class Future(Bot):
        async def write(self, frame: bytes) -> None:
            await super().write(unknown_field + frame + unknown_item)

    async def play() -> None:
        async with connected(server.address) as channel, bots(server.address, ["present"]):
            organiser = Organiser(channel)
            future = Future(channel, "future")
            await future.enter()
            await future.write(b"")
            (match_id,) = await organiser.start("two-player", ["present", "future"])
            assert (await organiser.finished(match_id)).clean()
            assert not future.of("refused")
            await future.close()

    asyncio.run(play())


NARROW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 65_535))


def test_a_client_that_never_reads_harms_only_itself(server: Server) -> None:
    async def play() -> None:
        async with (
            connected(server.address) as channel,
            connected(server.address, *NARROW) as deaf,
            bots(server.address, ["reader-1", "reader-2"]),
        ):
            organiser = Organiser(channel)
            raw = Raw(deaf)  # and no listen(): not one frame is read
            await raw.say(hello("deaf"))
            await organiser.connected("deaf")
            (its_own,) = await organiser.start("two-player", ["reader-1", "deaf"])
            beside = await organiser.start("two-player", ["reader-1", "reader-2"], 20)
            for _ in range(50):  # more to be answered than a connection and the limit can hold
                await raw.say(*[number(1, 0)] * 100)
            for match_id in beside:
                assert (await organiser.finished(match_id)).clean()
            match = await organiser.finished(its_own)
            assert match.faults["reader-1"] == []
            assert set(match.faults["deaf"]) <= {"TIMEOUT", "DISCONNECTED"}
            assert match.replay.match.forfeited == {match.bots.index("deaf")}
            async for _ in patiently():
                if server.metric('paddock_refusals_total{reason="reader/too_slow"}'):
                    break
            raw.listen()  # at last: all that was on its way, and how it ended
            ending = await raw.ended()
            assert len(raw.of("refused")) > 300
            ending.must_be("reader/too_slow")
            await raw.close()

    asyncio.run(play())
