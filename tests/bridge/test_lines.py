"""The lines themselves: what is written, what is read, and that the page tells the truth."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import grpc

from paddock.lines import MOST_BYTES, read_lines
from paddock.v1 import arena_pb2
from tests.bridge.arena import ROOT, bridge, python, run, running
from tests.sdk import wire
from tests.sdk.referee import referee

LARGE = 2**64 - 1

KEEPS_BACK = """
asks = []
for one in said():
    sys.stderr.write(f"told {json.dumps(one)}\\n")  # whole, others write there as well
    if one["type"] == "ask":
        asks.append(one["ask"])
        if len(asks) == 1:
            say({"ask": one["ask"], "number": 1})
        if len(asks) == 3:  # the second was let go by
            say({"ask": asks[1], "number": 0})
            say("2")
            say({"ask": asks[2], "number": 0})  # for which it is too late
    if one["type"] == "ended":
        say({"ask": asks[-1], "number": 0})
"""


def told(log: str) -> list[Any]:
    """The lines that the bot above was told."""
    return [json.loads(line.removeprefix("told ")) for line in re.findall("^told .*", log, re.M)]


def test_an_ask_is_told_once_and_answered_once_over_two_streams(tmp_path: Path) -> None:
    async def scene() -> None:
        state = wire.first_state()
        async with referee() as one:
            line = bridge(one.address, *python(tmp_path, KEEPS_BACK), options=("--version", "7"))
            async with running(tmp_path, *line) as bot:
                stream, hello = await one.welcomed("R1")
                assert (hello.bot, hello.version, hello.max_matches) == ("mine", "7", 1)
                stream.say(wire.started("M1", state))
                nonce = await stream.item("nonce")
                stream.say(wire.ask("M1", LARGE, state))
                choice = await stream.item("choice")
                assert (choice.ask_id, choice.number) == (LARGE, 1)
                stream.end(grpc.StatusCode.UNAVAILABLE, "the network went away")

                stream, hello = await one.welcomed("R2")
                assert hello.resume_token == "R1"  # noqa: S105 -- no secret
                stream.say(wire.started("M1", state), wire.ask("M1", LARGE, state))
                again, repeated = await stream.frame()
                assert (again.nonce, repeated.choice) == (nonce, choice)

                stream.say(wire.ask("M1", 2, state))  # and no answer comes
                stream.say(wire.happened("M1", {0: state.default(0)}, fault=1))
                stream.say(wire.ask("M1", 3, state))
                items = [await stream.frame()]
                while sum(map(len, items)) < 2:
                    items.append(await stream.frame())
                late, bare = [item.choice for frame in items for item in frame]
                assert (late.ask_id, late.number) == (2, 0)  # for the referee to call stale
                assert (bare.ask_id, bare.number) == (3, 2)
                stream.say(wire.ended("M1", state), wire.ping(1))
                await stream.item("pong")
                bot.process.terminate()
                await stream.hung_up()
                assert await bot.process.wait() == 0, bot.said
            assert [one["type"] for one in told(bot.said)] == [
                "started", "ask", "ask", "happened", "ask", "ended",
            ]  # fmt: skip
            assert told(bot.said)[0]["rules_version"] == 1
            assert told(bot.said)[1]["ask"] == str(LARGE)

    run(scene())


def test_lines_are_cut_where_they_end_and_where_they_are_too_long() -> None:
    async def scene() -> None:
        reader = asyncio.StreamReader()
        long = b"x" * (3 * MOST_BYTES)
        reader.feed_data(b"1\n\r\n" + long + b"\n2\nunfin")
        reader.feed_data(b"ished")
        reader.feed_eof()
        found = [line async for line in read_lines(reader)]
        assert [line for line in found if len(line) < 100] == [b"1", b"\r", b"2", b"unfinished"]
        (cut,) = [line for line in found if len(line) >= 100]
        assert MOST_BYTES < len(cut) <= 2 * MOST_BYTES

        endless = asyncio.StreamReader()
        endless.feed_data(long)  # and nothing more: it is told all the same
        assert await anext(read_lines(endless))

    run(scene())


def shape(value: Any) -> Any:
    """The keys of an object, all the way down; of a list that of its first entry."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items() if not key.isupper()}
    return [shape(one) for one in value[:1]] if isinstance(value, list) else None


def test_the_session_of_the_page_is_as_the_bridge_writes_it(tmp_path: Path) -> None:
    page = (ROOT / "clients" / "bridge" / "README.md").read_text()
    blocks = re.findall(r"^```\n(>.*?)^```", page, re.M | re.S)
    lines = re.split(r"\n(?=[<>])", re.sub(r"\n +", "", "\n".join(blocks)))
    session = [(line[0], json.loads(line[2:])) for line in lines]
    shown = {one["type"]: one for way, one in session if way == ">"}
    for one in shown.values():
        assert json.dumps(one, separators=(",", ":")) in "\n".join(lines)
        assert f"| `{one['type']}` |" in page
        (row,) = re.findall(rf"^\| `{one['type']}` .*", page, re.M)
        assert all(f"`{key}`" in row for key in one if key != "type")

    async def scene() -> None:
        state = wire.first_state("two-player", 2)
        async with referee() as one:
            async with running(
                tmp_path, *bridge(one.address, *python(tmp_path, KEEPS_BACK))
            ) as bot:
                stream, _ = await one.welcomed()
                stream.say(wire.started("M1", state), wire.ask("M1", 1, state))
                await stream.item("nonce")
                await stream.item("choice")
                stream.say(
                    wire.happened("M1", {0: state.default(0), 1: state.default(1)}),
                    arena_pb2.RefereeItem(
                        refused=arena_pb2.Refused(ask_id=1, reason="choice/stale")
                    ),
                    wire.ended("M1", state),
                    wire.ping(1),
                )
                await stream.item("pong")
                bot.process.terminate()
                assert await bot.process.wait() == 0
            written = {one["type"]: one for one in told(bot.said)}
            assert written.keys() == shown.keys()
            for kind, line in written.items():
                assert list(line) == list(shown[kind])
                assert shape(line) == shape(shown[kind])

    run(scene())
