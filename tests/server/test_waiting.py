"""Whom a tournament waits for, through every wall: bots, terminals and servers as processes."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import pytest

from tests.cli.command import Outcome, call, start
from tests.server.process import Process, Server, quiet_port, sdk_bot, until

CUP = """
name = "cup"
schedule = "round-robin"
formats = ["two-player", "two-player-winter"]
rotations = false
bots = ["ada", "bob", "cyd"]
"""
ONE_MATCH = """
name = "small"
schedule = "round-robin"
formats = ["two-player-winter"]
rotations = false
patience_seconds = 1
[[bots]]
name = "ada"
command = "{python} ada.py"
[[bots]]
name = "bob"
"""
ADA = """
from paddock import Bot, run


class Ada(Bot):
    name = "ada"
    formats = ("two-player",)

    def choose(self, ask):
        return ask.legal[0]


run(Ada())
"""
NOTICE = (
    "ada does not play two-player-winter: tournament cup decides those matches without it after "
    "5 min; add it to the bot's formats"
)


class Stuck(NamedTuple):
    """A tournament that waits: ada does not play one format, and cyd never comes."""

    server: Server
    run: Process  # `paddock tournament run` on that server
    ada: Process

    def paddock(self, *command: str) -> Outcome:
        """What a command says of it."""
        outcome = call(*command, "--server", self.server.address)
        assert outcome.code == 0, outcome
        return outcome


@pytest.fixture(scope="module")
def stuck(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stuck]:
    folder = tmp_path_factory.mktemp("stuck")
    (folder / "cup.toml").write_text(CUP)
    (folder / "ada.py").write_text(ADA)
    with Server(folder) as server, ExitStack() as stack:
        run = stack.enter_context(
            Process(
                folder / "run.log",
                *(sys.executable, "-m", "paddock_server", "tournament", "run", "cup.toml"),
                *("--server", server.address),
            )
        )
        until("the tournament", lambda: "cup begins: 6 matches" in run.said())
        bob = stack.enter_context(sdk_bot(server, "bob"))
        until("bob", lambda: "session opened" in bob.said())
        ada = stack.enter_context(
            Process(
                folder / "ada.log",
                *(sys.executable, "ada.py"),
                PADDOCK_SERVER=server.address,
            )
        )
        yield Stuck(server, run, ada)
        assert "Traceback" not in server.said() + run.said() + ada.said()


def test_the_terminal_says_whom_it_waits_for_each_thing_once(stuck: Stuck) -> None:
    until("the note", lambda: "Nothing is being played" in stuck.run.said())
    until("cyd", lambda: "cyd is not connected" in stuck.run.said())
    said = stuck.run.said()
    lines = said.splitlines()
    assert "cup.toml: ada, bob and cyd connect by themselves, to" in said
    (ada,) = [line for line in lines if "ada does not play" in line]
    assert ada.startswith("waiting: ada does not play two-player-winter, since 20")
    assert "2 matches wait for it and will be decided without it at 20" in ada
    (cyd,) = [line for line in lines if "cyd is not connected" in line]
    assert cyd.startswith("waiting: cyd is not connected, since 20")
    assert "nan" not in said


def test_the_bot_and_the_log_are_told_at_once(stuck: Stuck) -> None:
    until("the bot is told", lambda: f"WARNING {NOTICE}" in stuck.ada.said())
    until("the log", lambda: f"warning {NOTICE} bot=ada session=" in stuck.server.said())
    (bob,) = stuck.server.folder.glob("bob.log")
    assert "WARNING" not in bob.read_text()


def test_it_can_be_looked_at(stuck: Stuck) -> None:
    until("the end of what can be played", lambda: "Nothing is being played" in stuck.run.said())
    told = json.loads(stuck.paddock("tournament", "show", "cup", "--json").out)
    assert (told["state"], told["over"], told["planned"]) == ("running", 1, 6)
    assert told["note"].startswith("Nothing is being played: every match that could begin")
    assert told["left_seconds"] is None  # nobody can know
    by_bot = {line["bot"]: line for line in told["waiting"]}
    assert set(by_bot) == {"ada", "cyd"}
    assert (by_bot["ada"]["reason"], by_bot["ada"]["formats"], by_bot["ada"]["matches"]) == (
        "format", ["two-player-winter"], 2,
    )  # fmt: skip
    assert (by_bot["cyd"]["reason"], by_bot["cyd"]["matches"]) == ("away", 4)
    assert by_bot["cyd"]["declared_at"] > by_bot["cyd"]["since"]
    (listed,) = json.loads(stuck.paddock("tournament", "list", "--json").out)
    assert listed["waiting"] == told["waiting"]
    text = stuck.paddock("tournament", "show", "cup").out
    assert "cup: round-robin of two-player, two-player-winter, running, 1 of 6 matches" in text
    assert "waiting: cyd is not connected, since 20" in text
    with urlopen(f"http://{stuck.server.http}/api/tournaments/cup") as answer:
        page = json.load(answer)
    assert page["note"] == told["note"]
    assert [line["sentence"] for line in page["waiting"]] == [
        line["sentence"] for line in told["waiting"]
    ]
    assert page["left_seconds"] is None


def test_a_tournament_here_declares_says_so_and_ends(tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(ADA)
    (tmp_path / "small.toml").write_text(ONE_MATCH.format(python=sys.executable))
    address = f"127.0.0.1:{quiet_port()}"
    with Process(
        tmp_path / "run.log",
        *(sys.executable, "-m", "paddock_server", "tournament", "run", "small.toml"),
        *("--grpc", address),
    ) as run:
        # While bob is not there either, nothing is declared, however long that takes.
        until("the reason", lambda: "ada does not play two-player-winter" in run.said())
        bob = (sys.executable, "-m", "paddock.bots.random")
        with Process(tmp_path / "bob.log", *bob, PADDOCK_SERVER=address, PADDOCK_BOT="bob"):
            assert run.wait() == 0, run.said()
    said = run.said()
    assert said.startswith("small begins: 1 match\n")
    assert f"small.toml: bob connects by itself, to {address}\n" in said
    assert said.count("waiting: ada does not play two-player-winter, since 20") == 1
    declared_line = "declared 1 match of two-player-winter without ada: won by bob, 20"
    assert said.count(declared_line) == 2  # when it happened, and in the report
    assert "small: round-robin of two-player-winter, done, 1 of 1 match\n" in said
    assert "nan" not in said
    assert "Traceback" not in said
    db = ("--db", str(tmp_path / "paddock.db"))
    told = json.loads(call("tournament", "show", "small", "--json", *db).out)
    (declared,) = told["declarations"]
    assert (declared["winners"], declared["absent"]) == (["bob"], ["ada"])
    assert (declared["format"], declared["round"], told["declared"]) == ("two-player-winter", 1, 1)
    assert declared["declared"] <= told["ended"]
    assert told["waiting"] == []
    again = start("tournament", "run", "small.toml", "--grpc", address, cwd=tmp_path)
    assert again.err == "small is done: 1 of 1 match is over\n"
