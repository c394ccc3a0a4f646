"""`paddock bot` and `paddock match` against a server that wants the organiser's token."""

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from paddock_games import read_record, verify
from tests.cli.command import call, start
from tests.server.organiser import Organiser
from tests.server.process import Process, Server, sdk_bot, until
from tests.server.raw import Bot, anything, connected, nothing

ORGANISER = "organiser-0123456789-of-the-command-tests"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(
        tmp_path_factory.mktemp("commands"), env={"PADDOCK_ORGANISER_TOKEN": ORGANISER}
    ) as server:
        yield server


@pytest.fixture
def server(running: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server, and the environment that commands find it by."""
    monkeypatch.setenv("PADDOCK_SERVER", running.address)
    monkeypatch.setenv("PADDOCK_ORGANISER_TOKEN", ORGANISER)
    return running


def _json(*arguments: object) -> Any:
    outcome = call(*arguments, "--json")
    assert (outcome.code, outcome.err) == (0, ""), outcome
    return json.loads(outcome.out)


def _added(name: str, *options: str) -> str:
    return str(_json("bot", "add", name, *options)["token"])


def test_bots_from_their_first_day_to_their_last(server: Server) -> None:
    outcome = start("bot", "add", "rex", "--owner", "Mary Anning")
    assert (outcome.code, outcome.err) == (0, "")
    first, token = outcome.out.splitlines()
    assert first == "rex of Mary Anning may play. Its token, shown only once:"
    assert re.fullmatch(r"pdk_[\w-]{43}", token)
    assert "bot/exists" in call("bot", "add", "rex").refused()
    assert "bot/bad_name" in call("bot", "add", "no spaces").refused()
    shown = _json("bot", "show", "rex")
    assert (shown["name"], shown["owner"], shown["connected"]) == ("rex", "Mary Anning", False)
    assert shown["version"] == shown["probation"] == ""
    assert _json("bot", "list") == [shown]
    assert "Mary Anning" in call("bot", "list").out
    assert "Mary Anning" in call("bot", "show", "rex").out
    with sdk_bot(server, "rex", PADDOCK_TOKEN=token) as process:
        until("rex is connected", lambda: _json("bot", "show", "rex")["connected"])
        rotated = call("bot", "rotate-token", "rex")
        assert rotated.code == 0
        assert rotated.out.startswith("The new token of rex, shown only once:\npdk_")
        assert process.wait() == 2  # the SDK knows that trying again is no use
        assert "auth/bad_token" in process.said()
    made = _json("bot", "rotate-token", "rex")
    assert made["name"] == "rex"
    assert made["token"] not in (token, rotated.out.splitlines()[1])
    with sdk_bot(server, "rex", PADDOCK_TOKEN=made["token"]):
        until("rex is back", lambda: _json("bot", "show", "rex")["connected"])
    assert call("bot", "remove", "rex") == (0, "rex is removed\n", "")
    for command in ("show", "rotate-token", "remove"):
        assert "there is no bot 'rex'" in call("bot", command, "rex").refused()
    assert _json("bot", "list") == []
    assert call("bot", "list").code == 0


def test_matches_from_start_to_record(server: Server) -> None:
    tokens = {name: _added(name) for name in ("al", "bo")}
    start_two = ("match", "start", "--format", "two-player", "--bot", "al", "--bot", "bo")
    outcome = call(*start_two, "--games", 3)
    assert (outcome.code, outcome.err) == (0, "")
    waiting = outcome.out.split()
    assert len(waiting) == 3
    assert {each["state"] for each in _json("match", "list", "--bot", "al")} == {"waiting"}
    assert call("match", "show", waiting[0]).out == (
        f"{waiting[0]} is waiting; it can be shown when it is over\n"
    )
    assert _json("match", "show", waiting[0])["record"] is None
    assert call("match", "watch", waiting[0]) == (0, "", "")
    with (
        sdk_bot(server, "al", PADDOCK_TOKEN=tokens["al"]),
        sdk_bot(server, "bo", "greedy", PADDOCK_TOKEN=tokens["bo"]),
    ):
        ids = [*waiting, *_json(*start_two, "--games", 2, "--rules", "polish")]
        until("five records", lambda: len(_json("match", "list", "--state", "finished")) == 5)
    listed = _json("match", "list", "--limit", 4)
    assert [each["match"] for each in listed] == list(reversed(ids))[:4]
    for each in listed:
        assert [seat["bot"] for seat in each["seats"]] in (["al", "bo"], ["bo", "al"])
        assert [result["faults"] for result in each["results"]] == [0, 0]
    assert ids[0] in call("match", "list").out
    shown = _json("match", "show", ids[4])
    replay = verify(read_record(json.dumps(shown["record"])))
    assert replay.match.rules.prairie_capacity == 6
    picture = call("match", "show", ids[4])
    assert len(re.findall(r"^Turn \d+ of ", picture.out, re.MULTILINE)) == 12
    assert picture.out.endswith(call("match", "show", ids[4], "--turn", 12).out)
    assert "12 turns, not 13; give 1 to 12" in call("match", "show", ids[4], "--turn", 13).refused()


def test_watching(server: Server) -> None:
    """A line for every step from when the command came until the end, then the result."""

    async def play() -> None:
        names = ["watched-1", "watched-2"]
        tokens = [_added(name) for name in names]
        async with connected(server.address) as channel:
            pair = [Bot(channel, n, nothing, t) for n, t in zip(names, tokens, strict=True)]
            for bot in pair:
                await bot.enter()
            organiser = Organiser(channel, ORGANISER)
            (match_id,) = await organiser.start("two-player-series", names)
            with Process(
                server.folder / "watch.log",
                *(sys.executable, "-m", "paddock_server", "match", "watch", match_id),
                PADDOCK_SERVER=server.address,
            ) as watching:
                step = 0
                while not watching.said():  # one step every two seconds, until it is there
                    for bot in pair:
                        bot.put(*anything(step)(await bot.next("ask", step)))
                    step += 1
                    for _ in range(100):
                        if not watching.said():
                            await asyncio.sleep(0.02)
                for bot in pair:
                    bot.answer = anything(bot.name)
                    bot.put(*bot.answer(await bot.next("ask", step)))
                match = await organiser.finished(match_id)
                assert watching.wait() == 0
                _check_lines(watching.said().splitlines(), match)
            for bot in pair:
                await bot.close()

    asyncio.run(play())


def _check_lines(lines: list[str], match: Any) -> None:
    *steps, first, second = lines
    numbers = [int(line.partition(":")[0].removeprefix("step ")) for line in steps]
    assert numbers == list(range(numbers[0], len(match.replay.steps)))
    for line, number in zip(steps, numbers, strict=True):
        for seat, choice in match.replay.steps[number].choices.items():
            assert f"seat {seat}: {choice}" in line
    for seat, line in enumerate((first, second)):
        result = match.summary.results[seat]
        assert line == f"seat {seat}: rank {result.rank}, {result.total} points"


def test_refusals_are_one_sentence(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for command, words in (
        (("match", "start", "--format", "chess", "--bot", "house-random"), "format/unknown"),
        (("match", "start", "--format", "summer", "--bot", "nobody"), "bot/unknown"),
        (("match", "start", "--format", "summer", "--bot", "house-random", "--seats", 9), "seats"),
        (("match", "show", "nothing"), "match/unknown"),
        (("match", "watch", "nothing"), "match/unknown"),
        (("match", "list", "--bot", "nobody"), "there is no bot 'nobody'"),
        (("export", "--bot", "nobody"), "there is no bot 'nobody'"),
        (("export", "--tournament", "cup"), "there is no tournament 'cup'"),
        (("export", "--format", "chess"), "format/unknown"),
        (("ladder", "versus", "nobody", "me", "--format", "summer"), "there is no bot 'nobody'"),
        (("bot", "list", "--token", "wrong"), "auth/organiser_only"),
        (("bot", "list", "--server", "127.0.0.1:1"), "no server listens"),
    ):
        assert words in call(*command).refused(), command
    monkeypatch.delenv("PADDOCK_ORGANISER_TOKEN")
    missing = call("bot", "list").refused()
    assert "auth/missing_token" in missing
    assert "set PADDOCK_ORGANISER_TOKEN" in missing
    assert start("bot", "list").refused() == call("bot", "list").refused()
    assert call("match", "list").code == 0  # looking needs no token
    assert ORGANISER not in server.said()
