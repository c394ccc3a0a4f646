"""Hostile bots in matches on a real server, in jails of a real runner (11, 12 and 15 to 22).

Bots 1 to 10 and 24 are in the tests of unpacking, building and preparing.
"""

import errno
import json
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from paddock_server.jails.usual import BOT
from tests.hosting import hostile_bots
from tests.hosting.stage import Stage
from tests.server.process import until
from tests.submissions.arena import arena, over, start, versions_in

CANARY = f"canary-{secrets.token_hex(4)}"  # another one in every process of the suite


class Scene:
    """A stage with all hostile bots, a good one, and a runner."""

    def __init__(self, stage: Stage, runner: int) -> None:
        self.stage = stage
        self.runner = runner  # its process

    def match(self, bot: str) -> Any:
        """A match of a hostile bot against the good one, which nobody may disturb."""
        (match,) = over(self.stage.server, start(self.stage.server, bot, "good"))
        (good,) = [
            result
            for seat, result in zip(match["seats"], match["results"], strict=True)
            if seat["bot"] == "good"
        ]
        assert not good["faults"]
        assert not good["forfeit"]
        return match

    def tried(self, bot: str) -> dict[str, Any]:
        """What came of the attacks of a bot, from its log."""
        until("its log", lambda: "ALL TRIED" in self.stage.log_of(bot))
        found = {}
        for line in self.stage.log_of(bot).splitlines():
            if "TRIED [" in line:
                name, out, err = json.loads(line.partition("TRIED ")[2])
                assert out, err
                found[name] = json.loads(out.splitlines()[-1])
        return found


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("hostile")
    with (
        arena(folder / "server") as server,
        socket.socket(socket.AF_UNIX) as abstract,
        pytest.MonkeyPatch.context() as patch,
    ):
        abstract.bind(f"\0{CANARY}")
        abstract.listen()
        stage = Stage(server, folder)
        port = int(server.address.rpartition(":")[2])
        with stage.accepting():
            stage.hand_in("good")
            stage.hand_in("victim")
            stage.hand_in("spy", hostile_bots.spy(port, CANARY))
            stage.hand_in("bomber", hostile_bots.BOMBER)
            stage.hand_in("glutton", hostile_bots.GLUTTON)
            stage.hand_in("flood", hostile_bots.FLOOD)
            stage.hand_in("stayer", hostile_bots.STAYER)
            stage.hand_in("caller", hostile_bots.CALLER)
        patch.setenv("SECRET_OF_THE_RUNNER", CANARY)
        with stage.runner() as runner:
            yield Scene(stage, runner.pid)


def test_16_to_19_a_spy_finds_no_way_out_and_no_secret(scene: Scene) -> None:
    match = scene.match("spy")
    assert not any(result["faults"] for result in match["results"])  # it plays on
    tried = scene.tried("spy")
    assert tried["network"] == []
    assert {tried["families"][family] for family in ("17", "38", "40")} == {"EAFNOSUPPORT"}
    told = "\n".join(line for line in tried["secrets"].splitlines() if " - " not in line)
    assert CANARY not in told
    assert scene.stage.token("real") not in told
    assert set(tried["read"].values()) == {"ENOENT"}
    assert tried["limits"] == []
    assert tried["setuid"] == [False, False]
    assert set(tried["calls"].values()) == {"EPERM", "ENOSYS"}


def test_11_a_fork_bomb_fills_its_own_jail_alone(scene: Scene) -> None:
    scene.match("bomber")

    def made() -> list[int]:
        """The processes that it could make, as its owner reads."""
        lines = scene.stage.log_of("bomber").splitlines()
        return [int(word) for line in lines if (word := line.rpartition(" ")[2]).isdecimal()]

    # A bot that can start no thread any more may die, is started again, and does it again.
    assert all(20 <= number < BOT.processes for number in until("the end of the bomb", made))


def test_15_a_flood_is_cut_off(scene: Scene) -> None:
    scene.match("flood")
    log = scene.stage.log_of("flood")
    assert 1000 < len(log) < 100_000


def test_20_nothing_that_kills_and_stays_outlives_its_stop(scene: Scene) -> None:
    scene.match("stayer")
    os.kill(scene.runner, 0)  # it is there
    pids = [pid for pid in scene.stage.jailed() if b"stayer" in _environment(pid)]
    assert len(pids) >= 2  # the bot and its daemon
    for other in ("spy", "caller", "flood"):  # slots get short, so the idle one has to go
        scene.match(other)
    until("all of it is gone", lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


def _environment(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/environ").read_bytes()
    return b""


def test_21_and_22_the_socket_knows_one_method_and_one_bot(scene: Scene) -> None:
    match = scene.match("caller")
    found = scene.tried("caller")["calls"]
    for name in ("add", "match", "runner", "reflection"):
        assert found[name] == "UNIMPLEMENTED"
    assert found["large"] == "RESOURCE_EXHAUSTED"
    assert found["while it plays"] == errno.EACCES  # no loop of connections costs the runner time
    assert found["other name"] in ("UNAUTHENTICATED", "PERMISSION_DENIED", "FAILED_PRECONDITION")
    assert versions_in(match)["caller"] == "1"  # that of the lease, not of Hello


def test_12_too_much_memory_ends_the_bot_and_its_owner_is_told(scene: Scene) -> None:
    start(scene.stage.server, "glutton", "victim")  # it will not come to an end soon
    until("the log", lambda: "the bot ended: memory 256 MB" in scene.stage.log_of("glutton"))
    scene.match("flood")  # others play on
