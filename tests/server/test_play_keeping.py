"""`paddock play` throws nothing away: crashes, Ctrl-C, kill -9, probation, files that are there."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from paddock_games import read_record, verify
from paddock_server.programs import processes
from tests.cli.command import call, start
from tests.server.process import GUARD_S, Process, environment, together, until
from tests.server.test_play import BOT, CALM, PYTHON

DUEL = ("play", "--format", "two-player", "--bot", "greedy", "--bot", "random", *CALM)
SLOW = BOT.replace("asked = 0", "asked = 0\n    max_matches = 1")


def bot(folder: Path, name: str, do: str, text: str = BOT) -> str:
    """A bot that does this whenever it is asked."""
    path = folder / f"{name}.py"
    path.write_text(text.format(do=do))
    return f"{name}={PYTHON} {path}"


def records(path: Path) -> list[Any]:
    lines = path.read_text().splitlines()
    for line in lines:
        verify(read_record(line))
    return [json.loads(line) for line in lines]


def test_a_bot_that_crashes_is_started_again_and_all_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_PAUSE_SECONDS", 0.0)
    crash = "assert self.asked != 15 or pathlib.Path('again').exists() or self.crash()"
    text = BOT.replace("asked = 0", "asked = 0\n    def crash(self):\n"
                       "        pathlib.Path('again').touch(); os._exit(9)")  # fmt: skip
    monkeypatch.chdir(tmp_path)
    outcome = call(
        *("play", "--format", "two-player", "--games", 3, "--json", "--records", "r.jsonl"),
        *("--bot", "random", "--bot", bot(tmp_path, "bad", crash, text), "--logs", "logs", *CALM),
    )
    assert outcome.code == 0, outcome
    summary = json.loads(outcome.out)
    assert (summary["played"], {each["faults"] for each in summary["bots"]}) == (3, {0})
    assert len(records(tmp_path / "r.jsonl")) == 3
    assert outcome.err.startswith("bad ended with 9; it was started as ")
    assert outcome.err.endswith("it is started again\n")
    log = (tmp_path / "logs" / "bad.log").read_text()
    assert log.count(" bad starts: ") == log.count("this is bad") == 2
    assert " bad ended with 9 ===" in log
    assert "random" in (tmp_path / "logs" / "random.log").read_text()


def test_a_bot_that_crashes_again_and_again_ends_the_run_with_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_PAUSE_SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    asked = "pathlib.Path('asked').open('a').write('x')"
    dies = "if pathlib.Path('asked').stat().st_size > 40: os._exit(7)"
    crash = bot(tmp_path, "bad", f"{asked}\n        {dies}", SLOW)
    outcome = call(
        *("play", "--format", "two-player", "--games", 9, "--bot", "random", "--bot", crash),
        *("--db", "run.db", "--records", "r.jsonl", *CALM),
    )
    assert outcome.code == 1
    assert "bad ended 6 times in a row and is not started again" in outcome.err
    played = len(records(tmp_path / "r.jsonl"))
    assert 0 < played < 9
    assert f"two-player: {played} of 9 matches over gRPC" in outcome.out
    assert outcome.err.splitlines()[-1].endswith("--db run.db --base-ms 60000 --resume")


def test_a_traceback_is_shown_at_once_with_what_to_do(tmp_path: Path) -> None:
    raises = bot(tmp_path, "bad", "1 / 0")
    common = ("--format", "two-player", *CALM)
    outcomes = together(
        tmp_path,
        {
            "play": ("play", *common, "--bot", "greedy", "--bot", raises, "--games", "3"),
            "compare": ("compare", "--format", "two-player", raises, "greedy", "--blocks", "2"),
        },
    )
    for outcome in outcomes.values():
        assert outcome.code in (0, 1, 3), outcome
        assert outcome.err.startswith("bad wrote a traceback:\n  Traceback (most recent call last)")
        assert outcome.err.count("Traceback") == 1
        assert "\n  ZeroDivisionError: division by zero\n--logs DIR keeps all" in outcome.err
        assert f"paddock check-bot -- {PYTHON} {tmp_path / 'bad.py'}" in outcome.err


def test_a_traceback_stands_above_the_progress_bar(tmp_path: Path) -> None:
    """On a terminal, where a bar is drawn again and again at the same place."""
    ours, theirs = pty.openpty()
    command = (
        *(PYTHON, "-m", "paddock_server", "play", "--format", "two-player", "--games", "40"),
        *("--bot", "random", "--bot", bot(tmp_path, "bad", "1 / 0"), *CALM),
    )
    env = environment(TERM="xterm", COLUMNS="100", LINES="40")
    with subprocess.Popen(
        command, stderr=theirs, stdout=subprocess.DEVNULL, cwd=tmp_path, env=env
    ) as playing:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # Linux says so when the other side is closed
            while data := os.read(ours, 65536):
                shown += data
        os.close(ours)
        assert playing.wait(GUARD_S) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert "matches/s" in text  # there was a bar
    lines = [line.rstrip() for line in text.replace("\r", "\n").splitlines() if line.strip()]
    first = lines.index("  Traceback (most recent call last):")
    last = lines.index("  ZeroDivisionError: division by zero")
    assert lines[first - 1] == "bad wrote a traceback:"
    assert lines[last + 1].startswith("--logs DIR keeps all its output")
    assert not any("matches/s" in line for line in lines[first:last])


# A bot that gives its first matches up.
TIRED = """
import asyncio, os, sys
sys.path.insert(0, {root!r})
import grpc.aio
from paddock.v1 import arena_pb2
from tests.server.raw import Bot, anything
given_up = []
def answer(ask):
    if ask.match_id not in given_up and len(given_up) >= {matches}:
        return anything("tired")(ask)
    given_up.append(ask.match_id)
    return [arena_pb2.BotItem(resign=arena_pb2.Resign(match_id=ask.match_id))]
async def play():
    async with grpc.aio.insecure_channel(os.environ["PADDOCK_SERVER"]) as channel:
        bot = Bot(channel, "tired", answer, formats=["two-player"], max_matches=1)
        await bot.enter()
        await bot.ended()
asyncio.run(play())
"""


def tired(folder: Path, matches: int) -> str:
    path = folder / f"tired{matches}.py"
    path.write_text(TIRED.format(root=str(Path(__file__).parents[2]), matches=matches))
    return f"tired={PYTHON} {path}"


def test_probation_is_shown_and_nothing_is_waited_for_without_end(tmp_path: Path) -> None:
    """A trial match against house-random is no part of the result."""
    common = ("play", "--format", "two-player", "--bot", "random", "--games", "9", "--json", *CALM)
    outcomes = together(
        tmp_path,
        {
            "hopeless": (*common, "--bot", tired(tmp_path, 99), "--records", "r.jsonl"),
            "mended": (*common, "--bot", tired(tmp_path, 3), "--records", "r.jsonl"),
            "compare": ("compare", "--format", "two-player", "random", tired(tmp_path, 99)),
        },
    )
    summaries = {case: json.loads(outcomes[case].out) for case in ("hopeless", "mended")}
    assert {case: each["played"] for case, each in summaries.items()} == {
        "hopeless": 3,
        "mended": 9,
    }
    assert {case: each.code for case, each in outcomes.items()} == {
        "hopeless": 1, "mended": 0, "compare": 4,
    }  # fmt: skip
    why = "it forfeited 3 matches in a row; one clean trial ends this"
    for outcome in outcomes.values():
        assert outcome.err.startswith(f"tired is on probation: {why}\n"), outcome
    for case in ("hopeless", "compare"):
        assert "tired is on probation, and its trial match had faults too" in outcomes[case].err
    assert "tired is off probation: its trial match had no faults" in outcomes["mended"].err
    for number, (case, summary) in enumerate(summaries.items()):
        bots = {each["bot"]: each for each in summary["bots"]}
        assert bots.keys() == {"random", "tired"}
        assert bots["tired"]["probation"] == (why if case == "hopeless" else None)
        played = records(tmp_path / str(number) / "r.jsonl")
        assert len(played) == summary["played"]
        assert {seat["bot"] for each in played for seat in each["seats"]} == bots.keys()


def test_a_bot_that_does_not_play_the_format_is_refused(tmp_path: Path) -> None:
    text = BOT.replace("asked = 0", 'asked = 0\n    formats = ("winter",)')
    command = ("play", "--format", "summer", "--bot", bot(tmp_path, "bad", "pass", text))
    outcome = together(tmp_path, {"it": (*command, "--bot", "random")})["it"]
    assert (outcome.code, outcome.out) == (1, "")
    assert "bad does not play summer; it plays winter" in outcome.err


def test_the_same_seed_deals_the_same_match_by_match(tmp_path: Path) -> None:
    common = (*DUEL, "--games", "5", "--records", "r.jsonl", "--db", "run.db")
    together(
        tmp_path,
        {"7": (*common, "--seed", "7"), "again": (*common, "--seed", "7"),
         "8": (*common, "--seed", "8")},
    )  # fmt: skip
    first, again, other = (deals(tmp_path / str(number)) for number in range(3))
    assert len(first) == 5
    assert first == again
    assert not first.keys() & other.keys()
    listed = call("match", "list", "--db", tmp_path / "0" / "run.db", "--json")
    assert len(json.loads(listed.out)) == 5
    ladder = call("ladder", "two-player", "--json", "--db", tmp_path / "0" / "run.db")
    assert json.loads(ladder.out)["standings"] == []  # nothing was rated


def deals(folder: Path) -> dict[str, Any]:
    """By seed: who sat where, and how the first cards lay."""
    found = {}
    for record in records(folder / "r.jsonl"):
        seats = record["seats"]
        assert {seat["nonce"] for seat in seats} == {"00" * 16}
        start_of = verify(read_record(json.dumps(record))).match.start()
        hands = [str(start_of.view(seat).hand) for seat in range(len(seats))]
        found[record["fairness"]["seed"]] = ([seat["bot"] for seat in seats], hands)
    return found


def test_records_that_are_there_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    common = (*DUEL, "--games", "1", "--records", path)
    assert call(*common).code == 0
    one = path.read_bytes()
    refused = call(*common).refused()
    assert refused.endswith("r.jsonl: exists; --append adds records to it, --force overwrites it")
    assert path.read_bytes() == one
    path.write_bytes(one + one[:50])  # a writer that was killed
    cut = call("verify", path)
    assert (cut.code, "line 2: is cut off" in cut.out) == (1, True)
    assert call(*common, "--append").code == 0
    assert path.read_bytes().startswith(one)
    assert len(records(path)) == 2
    path.write_bytes(one.rstrip(b"\n"))  # nothing but the end of the line is missing
    assert call(*common, "--append").code == 0
    assert path.read_bytes().startswith(one)
    assert len(records(path)) == 2
    assert call(*common, "--force").code == 0
    assert len(records(path)) == 1
    for text in ("my notes", "my notes\n", '{"kind": "else"}\n'):
        path.write_text(text)
        assert "r.jsonl line 1: is not a match record" in call(*common, "--append").refused()
        assert path.read_text() == text


def test_options_that_make_no_sense_together_are_refused(tmp_path: Path) -> None:
    wrong = {
        ("--append",): "--append needs --records FILE",
        ("--force",): "--force needs --records FILE",
        ("--append", "--force", "--records", "r"): "exclude each other",
        ("--resume",): "name it with --db FILE",
        ("--resume", "--db", str(tmp_path / "no.db")): "leave --resume out to start anew",
        ("--records", str(tmp_path)): "is a folder",
        ("--logs", __file__): "is a file",
    }
    for options, words in wrong.items():
        assert words in call(*DUEL, *options).refused()


def test_a_killed_run_goes_on_and_nothing_is_played_or_written_twice(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    command = (*DUEL, "--games", "150", "--db", "run.db", "--records", "r.jsonl")
    paddock = (PYTHON, "-m", "paddock_server")

    def enough(number: int) -> bool:
        return path.exists() and path.read_bytes().count(b"\n") > number

    with Process(tmp_path / "log", *paddock, *command) as playing:
        until("some matches", lambda: enough(10))
        playing.kill()  # kill -9
    kept = path.read_bytes()
    assert "has matches in it; add --resume" in start(*command, cwd=tmp_path).err  # not by accident
    path.write_bytes(kept[:-40])  # torn in the middle of a line
    with Process(tmp_path / "log", *paddock, *command, "--resume") as playing:
        until("more matches", lambda: enough(kept.count(b"\n") + 10))
        playing.signal(signal.SIGINT)
        assert playing.wait() == 130
    assert path.read_bytes().startswith(kept[: kept.rindex(b"\n", 0, -41) + 1])
    said = playing.said().splitlines()[-1]
    assert (
        "of 150 matches; nothing is lost; continue with: paddock play --format two-player" in said
    )
    assert "Traceback" not in playing.said()
    again = shlex.split(said.partition("continue with: paddock ")[2])
    outcome = start(*again, "--json", cwd=tmp_path)
    assert outcome.code == 0, outcome
    summary = json.loads(outcome.out)
    assert summary["played"] == 150
    assert {each["results"] for each in summary["bots"]} == {150}
    ids = Counter(record["match"] for record in records(path))
    assert len(ids) == 150
    assert set(ids.values()) == {1}
    listed = call("match", "list", "--db", tmp_path / "run.db", "--json", "--limit", 999)
    assert {match["match"] for match in json.loads(listed.out)} == set(ids)
    check_other_runs(tmp_path)


def check_other_runs(folder: Path) -> None:
    """A database that holds something else is not touched."""
    other = ("play", *CALM, "--db", str(folder / "run.db"), "--resume", "--games", "150")
    duel = ("--format", "two-player")
    cases = {
        (*duel, "--bot", "greedy", "--bot", "careful"): "started with another --bot",
        (*duel, "--bot", "greedy", "--bot", "random", "--seed", "1"): "started with another --seed",
        ("--format", "two-player-winter", "--bot", "greedy", "--bot", "random"): "--format",
        (*duel, "--bot", "greedy", "--bot", "random", "--games", "10"): "give --games 150 or more",
    }
    for options, words in cases.items():
        assert words in call(*other, *options).refused()


def test_a_second_copy_of_a_sample_is_named_as_the_hint_says(tmp_path: Path) -> None:
    for taken in ((), ("--bot", "two=sample:random")):
        refused = call("play", "--format", "summer", "--bot", "greedy", "--bot", "greedy", *taken)
        hint = refused.refused().partition("another name: ")[2].partition(";")[0]
        assert hint == ("three" if taken else "two") + "=sample:greedy"
        pasted = ("--bot", "greedy", "--bot", *shlex.split(hint), *taken, "--games", "1")
        outcome = start("play", "--format", "summer", *pasted, *CALM, cwd=tmp_path)
        assert outcome.code == 0, outcome
        assert "1 match over gRPC" in outcome.out
        assert "nan" not in outcome.out
    command = f"{sys.executable} -m paddock.bots.greedy"
    refused = call("play", "--format", "summer", "--bot", "a=true", "--bot", f"a={command}")
    (hint,) = shlex.split(refused.refused().partition("another name: ")[2].partition("; see")[0])
    assert hint == f"two={command}"


def test_ctrl_c_ends_a_comparison_with_what_it_had(tmp_path: Path) -> None:
    with Process(
        tmp_path / "log",
        *(PYTHON, "-m", "paddock_server", "compare", "random", "two=sample:random", "--json"),
        *("--format", "two-player", "--effect", "0.01", "--blocks", "100000", "--logs", "logs"),
    ) as comparing:
        log = tmp_path / "logs" / "two.log"
        until("matches", lambda: log.exists() and log.read_text().count("match ended: ") > 20)
        comparing.signal(signal.SIGINT)
        assert comparing.wait() == 130
    said = comparing.said()
    told = json.loads(said[: said.rindex("}") + 1])
    assert (told["decision"], told["blocks"] > 0) == ("open", True)
    assert told["matches"] >= 2 * told["blocks"]
    assert said.splitlines()[-1] == f"stopped after {told['blocks']} blocks"
    assert " ended with 0 ===" in log.read_text()  # the bot is gone
