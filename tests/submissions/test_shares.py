"""The share of a core: a match begins when it is known, bots are told, and the record keeps it."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf, nan
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from paddock.v1 import arena_pb2, arena_pb2_grpc, runner_pb2
from tests.server.process import Server, until
from tests.submissions.arena import (
    accept,
    arena,
    bot_folder,
    is_clean,
    over,
    owner,
    runner,
    said,
    start,
    started,
)
from tests.submissions.bare_runner import BareRunner, bare_runner

PATIENT = """import os, sys, time
from pathlib import Path
from paddock import run
from paddock.bots.random import RandomBot

class Patient(RandomBot):
    def choose(self, ask):
        told = " ".join(f"{seat.bot}={seat.cpu_share}" for seat in ask.match.seats)
        name = os.environ["PADDOCK_BOT"]
        Path(sys.argv[1], f"{name} {os.environ['PROMISED']}").write_text(told)
        while not Path(sys.argv[1], "go").exists():
            time.sleep(0.02)
        return super().choose(ask)

run(Patient())
"""


def patient_bot(folder: Path, name: str) -> Path:
    """A bot that writes down what it is told, and chooses when there is a file named `go`."""
    place = bot_folder(folder, name, **{"bot.py": PATIENT})
    toml = place / "paddock-bot.toml"
    command = f'["python3", "bot.py", "{folder}"]'
    toml.write_text(toml.read_text().replace('["python3", "-m", "paddock.bots.random"]', command))
    return place


def told(file: Path) -> set[str]:
    """What a bot wrote into this file."""
    return set(until("it was told", lambda: file.exists() and file.read_text()).split())


def shares_in(seats: list[dict[str, Any]]) -> dict[str, float | None]:
    return {seat["bot"]: seat.get("cpu_share") for seat in seats}


@pytest.mark.parametrize(("first", "second"), [(1.0, 0.25), (0.25, 1.0)])
def test_a_match_keeps_the_share_that_it_began_with(
    first: float, second: float, tmp_path: Path
) -> None:
    """The next runner hears of it, so that it counts what the bot misses of that share."""
    shares = {f"ada-1={first}", f"ada-2={first}"}
    with arena(tmp_path / "server") as server:
        tokens = [said(server, "runner", "add", name)["token"] for name in ("one", "two")]
        ada = owner(server, "Ada")
        with started(server, "one", tokens[0], share=first) as runner:
            for name in ("ada-1", "ada-2"):
                accept(server, patient_bot(tmp_path, name), ada)
            ids = start(server, "ada-1", "ada-2")
            assert told(tmp_path / "ada-1 0.0") == shares  # it is started for no open match
            runner.kill()
        with started(server, "two", tokens[1], share=second):
            assert told(tmp_path / f"ada-1 {first}") == shares
            (tmp_path / "go").touch()
            (match,) = over(server, ids)
            (next_match,) = over(server, start(server, "ada-1", "ada-2"))
    assert is_clean(match), match["results"]
    for found, share in ((match, first), (next_match, second)):
        expected = {"ada-1": share, "ada-2": share}
        assert shares_in(found["record"]["seats"]) == shares_in(found["seats"]) == expected


def test_a_server_that_is_started_again_knows_the_share(tmp_path: Path) -> None:
    with arena(tmp_path / "server") as server:
        token = said(server, "runner", "add", "one")["token"]
        with started(server, "one", token, share=0.5):
            accept(server, patient_bot(tmp_path, "ada"), owner(server, "Ada"))
            ids = start(server, "ada", "house-random")
            assert told(tmp_path / "ada 0.0") == {"ada=0.5", "house-random=0.0"}
            server.kill()
            server.start()
            (tmp_path / "go").touch()
            (match,) = over(server, ids)
            (later,) = over(server, start(server, "ada", "house-random"))
    for found in (match, later):
        assert shares_in(found["record"]["seats"]) == {"ada": 0.5, "house-random": None}


@contextmanager
def said_hello(server: Server, order: Any) -> Iterator[Iterator[Any]]:
    """What the server says to the bot of an order, which has said Hello."""
    frames: SimpleQueue[arena_pb2.PlayRequest | None] = SimpleQueue()
    hello = arena_pb2.Hello(bot=order.bot, protocol=1, max_matches=1)
    frames.put(arena_pb2.PlayRequest(items=[arena_pb2.BotItem(hello=hello)]))
    with grpc.insecure_channel(server.address) as channel:
        stub: Any = arena_pb2_grpc.ArenaServiceStub(channel)
        metadata = (("authorization", f"Bearer {order.run_token}"),)
        call = stub.Play(iter(frames.get, None), metadata=metadata)
        try:
            yield (item for frame in call for item in frame.items)
        finally:
            frames.put(None)
            call.cancel()


@contextmanager
def ordered(server: Server, folder: Path) -> Iterator[tuple[BareRunner, Any, str]]:
    """A bare runner, its order to run a bot, and the match that waits for the bot."""
    with runner(server, "small"):
        accept(server, bot_folder(folder, "ada"), owner(server, "Ada"))
    (id_,) = start(server, "ada", "house-random")
    with bare_runner(server, "bare") as bare:
        yield bare, bare.hear("run"), id_


def test_no_match_begins_before_the_share_is_known(tmp_path: Path) -> None:
    with (
        arena(tmp_path / "server") as server,
        ordered(server, tmp_path) as (bare, order, id_),
        said_hello(server, order) as items,
    ):
        assert next(items).HasField("welcome")
        assert said(server, "match", "show", id_)["state"] == "waiting"
        bare.say(started=runner_pb2.WorkStarted(lease=order.lease, cpu_share=0.375))
        match = next(item.match_started for item in items if item.HasField("match_started"))
        assert match.match_id == id_
        assert {seat.bot: seat.cpu_share for seat in match.seats} == {
            "ada": 0.375,
            "house-random": 0.0,
        }


def test_a_runner_that_promises_no_share_gets_matches_too(tmp_path: Path) -> None:
    with (
        arena(tmp_path / "server") as server,
        ordered(server, tmp_path) as (bare, order, id_),
    ):
        bare.say(started=runner_pb2.WorkStarted(lease=order.lease, cpu_share=0.0))
        assert bare.noted()
        with said_hello(server, order) as items:
            match = next(item.match_started for item in items if item.HasField("match_started"))
        assert match.match_id == id_
        assert {seat.cpu_share for seat in match.seats} == {0.0}


@pytest.mark.parametrize("share", [-0.5, 1.5, inf, nan])
def test_a_share_that_can_not_be_ends_the_stream(share: float, tmp_path: Path) -> None:
    with (
        arena(tmp_path / "server") as server,
        ordered(server, tmp_path) as (bare, order, _),
    ):
        bare.say(started=runner_pb2.WorkStarted(lease=order.lease, cpu_share=share))
        with pytest.raises(grpc.RpcError) as caught:
            bare.noted()
        assert "frame/malformed" in str(caught.value)
