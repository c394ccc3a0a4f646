"""An event as its organiser runs it: real processes, a real server, the command line."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.command import Outcome, call
from tests.server.process import Process, Server, quiet_port, sdk_bot, until
from tests.server.test_tournaments import file_of

TOKEN = "an organiser's secret"  # noqa: S105
CUP: dict[str, Any] = {
    "name": "cup",
    "schedule": "round-robin",
    "formats": ["two-player"],
    "bots": ["ada", "bob", "cyd"],
    "patience_seconds": 0,
    "rotations": True,
}


class Event(NamedTuple):
    """A server with tokens, and two bots that are connected; cyd and dan are not."""

    server: Server
    tokens: dict[str, str]

    def paddock(self, *command: str) -> Outcome:
        return call(*command, "--server", self.server.address, "--token", TOKEN)

    def done(self, *command: str) -> str:
        outcome = self.paddock(*command)
        assert outcome.code == 0, outcome
        return outcome.out

    def shown(self, name: str = "cup") -> Any:
        return json.loads(self.done("tournament", "show", name, "--json"))

    def process(self, *command: str, **env: str) -> Process:
        return Process(
            self.server.folder / f"{command[1]}-{Path(command[2]).stem}.log",
            *(sys.executable, "-m", "paddock_server", *command),
            *("--server", self.server.address, "--token", TOKEN),
            **env,
        )

    def written(self, **given: Any) -> str:
        path = self.server.folder / f"{given['name']}.toml"
        path.write_text(file_of(**given))
        return str(path)


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    folder: Path = tmp_path_factory.mktemp("event")
    address = f"127.0.0.1:{quiet_port()}"
    with (
        Server(folder, grpc=address, env={"PADDOCK_ORGANISER_TOKEN": TOKEN}) as server,
        ExitStack() as stack,
    ):
        now = Event(server, {})
        for bot in ("ada", "bob", "cyd", "dan"):
            now.tokens[bot] = json.loads(now.done("bot", "add", bot, "--json"))["token"]
        for bot in ("ada", "bob"):
            stack.enter_context(sdk_bot(server, bot, PADDOCK_TOKEN=now.tokens[bot]))
        with now.process("tournament", "run", now.written(**CUP)) as running:
            until("its begin", lambda: "cup begins" in running.said())
            until("two matches", lambda: now.shown()["over"] >= 2)  # all that can be played
            refusal = now.paddock("bot", "remove", "cyd").refused()
            assert refusal.endswith("cyd is entered in cup; withdraw it with --withdraw")
            now.done("bot", "remove", "cyd", "--withdraw")
            assert running.wait() == 0, running.said()
        yield now


def match_of(now: Event, *bots: str) -> str:
    """The first match of these bots that counts."""
    listed = json.loads(now.done("match", "list", "--tournament", "cup", "--json"))
    there = [
        match["match"]
        for match in listed
        if {seat["bot"] for seat in match["seats"]} == set(bots) and not match["void"]
    ]
    return str(there[-1])


def test_a_bot_that_is_removed_loses_what_is_left_and_that_survives_kill_9(event: Event) -> None:
    before = event.shown()
    event.server.kill()
    event.server.start()
    shown = event.shown()
    assert shown == before
    assert (shown["state"], shown["over"], shown["withdrawn"]) == ("done", 6, ["cyd"])
    by_bot = {line["bot"]: line for line in shown["standings"]}
    assert by_bot["cyd"]["declared"] == 4
    assert by_bot["cyd"]["score"] == 0
    told = [(line["who"], line["event"], line["why"]) for line in shown["log"]]
    assert told[-1] == ("organiser", "opened", None)
    assert ("organiser", "withdrawal", "the bot was removed") in told
    assert told[0] == ("server", "done", None)
    table = event.done("tournament", "show", "cup")
    assert "cyd withdrew: the bot was removed" in table
    log = ("tournament", "log", "cup", "--db", str(event.server.database))
    assert json.loads(call(*log, "--json").out) == shown["log"]
    assert "opened" in call(*log).out


def test_a_match_is_played_again_or_declared(event: Event) -> None:
    first = match_of(event, "ada", "bob")
    refusal = event.paddock("match", "void", first, "--why", "a power cut").refused()
    assert "say either that it is played again (--replay) or which bots lose it" in refusal
    told = event.done("tournament", "replay-match", "cup", first, "--why", "a power cut")
    assert f"{first} is void and played again" in told
    until("its end", lambda: event.shown()["state"] == "done")
    assert event.shown()["over"] == 6
    refusal = event.paddock("match", "void", first, "--replay").refused()
    assert refusal.endswith(f"{first} is void already: a power cut")
    second = match_of(event, "ada", "bob")
    event.done("match", "void", second, "--why", "an appeal", "--declare", "ada")
    shown = event.shown()
    assert {line["bot"]: line["declared"] for line in shown["standings"]}["bob"] == 3
    texts = [line["text"] for line in shown["log"]]
    assert f"match {first} is played again: a power cut" in texts
    assert f"match {second} was declared against ada: an appeal" in texts


def test_a_bot_is_disqualified_even_after_the_end(event: Event) -> None:
    leader = event.shown()["standings"][0]["bot"]
    assert "why" in event.paddock("tournament", "disqualify", "cup", leader).err
    event.done("tournament", "disqualify", "cup", leader, "--why", "it cheated")
    shown = event.shown()
    assert (shown["state"], shown["disqualified"]) == ("done", [leader])
    assert shown["standings"][-1]["bot"] == leader
    assert shown["standings"][-1]["score"] == 0


def test_changes_need_the_organisers_token(event: Event) -> None:
    without: list[tuple[str, ...]] = [
        ("add-bot", "cup", "dan"), ("withdraw", "cup", "ada"),
        ("disqualify", "cup", "ada", "--why", "x"), ("replay-match", "cup", "M", "--why", "x"),
    ]  # fmt: skip
    for command in without:
        refused = call("tournament", *command, "--server", event.server.address).refused()
        assert "auth/missing_token" in refused


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("add-bot", "none", "dan"), "tournament/unknown: there is no tournament 'none'"),
        (("add-bot", "cup", "dan"), "tournament/refused: cup is done"),
        (("add-bot", "cup", "dan", "--sample", "x"), "no sample bot 'x'"),
        (("withdraw", "cup", "zoe"), "tournament/refused: cup is done"),
        (
            ("replay-match", "cup", "M", "--why", "x"),
            "match/unknown: tournament cup has no such match",
        ),
        (("log", "none"), "tournament/unknown"),
    ],
)
def test_what_can_not_be_done_is_refused(
    event: Event, command: tuple[str, ...], words: str
) -> None:
    assert words in event.paddock("tournament", *command).refused()


def test_a_tournament_waits_for_its_start_takes_late_bots_and_begins(event: Event) -> None:
    later = {**CUP, "name": "later", "bots": ["ada", "bob"]}
    path = event.written(**later)
    text = Path(path).read_text()
    Path(path).write_text(f"{text}starts = 2126-11-21T18:00:00+01:00\n")
    with event.process("tournament", "run", path) as running:
        until("its state", lambda: "later starts in " in running.said())
        assert "at 2126-11-21T17:00:00.000Z" in running.said()
        shown = event.shown("later")
        assert (shown["state"], shown["starts"]) == ("upcoming", "2126-11-21T17:00:00.000Z")
        assert "starts in 3" in event.done("tournament", "show", "later")  # some 36,500 days
        add = ("tournament", "add-bot", "later", "dan", "--sample", "random")
        with event.process(*add, PADDOCK_TOKEN=event.tokens["dan"]) as late:
            until("it is entered", lambda: "dan is entered in later" in late.said())
            assert event.shown("later")["bots"] == ["ada", "bob", "dan"]
            Path(path).write_text(text)  # at once, after all
            started = event.paddock("tournament", "run", path)
            assert started.code == 0, started
            assert running.wait() == 0, running.said()
            assert late.wait() == 0, late.said()
    shown = event.shown("later")
    assert (shown["state"], shown["over"], shown["starts"]) == ("done", 6, None)
    assert {line["played"] for line in shown["standings"]} == {4}
