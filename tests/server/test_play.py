"""`paddock play` as a command: bots as processes, how they did, and which of them failed."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from paddock_games import read_record, verify
from tests.cli.command import call
from tests.server.process import Process, together, until

PYTHON = sys.executable
# A bot that writes down its process id, says something, and then does what its test wants.
BOT = """
import os, pathlib, sys
from paddock import Bot, run
name = os.environ["PADDOCK_BOT"]
pathlib.Path(name + ".pid").write_text(str(os.getpid()))
print("this is", name, flush=True)
class Mine(Bot):
    asked = 0
    def choose(self, ask):
        self.asked += 1
        {do}
        return ask.legal[0]
run(Mine())
"""
CALM = ("--base-ms", "60000")  # nobody is to be late by accident


def _bot(folder: Path, name: str, do: str = "pass") -> str:
    path = folder / f"{name}.py"
    path.write_text(BOT.format(do=do))
    return f"{name}={PYTHON} {path}"


def test_two_sample_bots(tmp_path: Path) -> None:
    common = ("play", "--bot", "random", "--bot", "greedy", "--format", "two-player", *CALM)
    outcomes = together(
        tmp_path,
        {
            "json": (*common, "--games", "6", "--json", "--records", "records.jsonl"),
            "table": ("play", "--bot", "greedy", "--format", "winter", "--games", "2", *CALM),
            "broken": (
                *("play", "--bot", "random", "--bot", _bot(tmp_path, "broken", "1 / 0")),
                *("--format", "two-player", "--games", "2", "--json", *CALM),
            ),
        },
    )
    outcome = outcomes["json"]
    assert (outcome.code, outcome.err) == (0, "")
    summary: dict[str, Any] = json.loads(outcome.out)
    assert (summary["format"], summary["games"]) == ("two-player", 6)
    assert {bot["bot"] for bot in summary["bots"]} == {"random", "greedy"}
    for bot in summary["bots"]:
        assert (bot["results"], bot["faults"], bot["fallbacks"]) == (6, 0, 0)
    assert sum(bot["wins"] for bot in summary["bots"]) == pytest.approx(1.0, abs=0.001)
    lines = (tmp_path / "0" / "records.jsonl").read_text().splitlines()
    matches = [verify(read_record(line)).match for line in lines]
    assert len({match.id for match in matches}) == 6
    assert {tuple(seat.bot for seat in match.seats) for match in matches} == {
        ("random", "greedy"),
        ("greedy", "random"),
    }
    outcome = outcomes["table"]
    assert (outcome.code, outcome.err) == (0, "")
    for name in ("greedy", "greedy-2", "greedy-3", "greedy-4", "fallbacks"):
        assert name in outcome.out
    broken = json.loads(outcomes["broken"].out)["bots"]
    assert {bot["bot"]: (bot["faults"], bot["fallbacks"]) for bot in broken} == {
        "random": (0, 0),
        "broken": (0, 48),
    }
    assert not list((tmp_path / "1").iterdir())


def test_a_bot_that_fails_is_named_with_its_last_words(tmp_path: Path) -> None:
    good = _bot(tmp_path, "good")
    crash = f"{PYTHON} -c \"print('my last words'); raise SystemExit(7)\""
    common = ("play", "--format", "two-player", "--games", "4", *CALM, "--records", "r.jsonl")
    cases = {
        "at the start": (f"bad={crash}", "bad ended with 7 before it connected"),
        "without a word": (f"bad={PYTHON} -c pass", "bad ended with 0 before it connected"),
        "no such command": ("bad=/no/such/bot --fast", "bad can't be started"),
    }
    commands = {case: (*common, "--bot", bad, "--bot", good) for case, (bad, _) in cases.items()}
    outcomes = together(tmp_path, commands)
    for case, outcome in outcomes.items():
        assert (outcome.code, outcome.out) == (1, ""), case
        assert outcome.err.startswith(cases[case][1]), case
        assert "Traceback" not in outcome.err, case
    assert "\n  my last words\n" in outcomes["at the start"].err
    assert "(it said nothing)" in outcomes["without a word"].err
    assert not list(tmp_path.rglob("r.jsonl"))  # there is nothing to be written


def test_a_bot_behind_a_shell_is_stopped_like_any_other(tmp_path: Path) -> None:
    """As with `go run`, `npm start` and every run.sh."""
    _bot(tmp_path, "inner")
    shell = f"outer=sh -c '{PYTHON} {tmp_path}/inner.py; true'"
    command = ("play", "--format", "two-player", "--games", "1", "--bot", shell, "--bot", "random")
    assert together(tmp_path, {"it": (*command, *CALM)})["it"].code == 0


def test_a_bot_that_can_not_be_started_leaves_no_other_behind(tmp_path: Path) -> None:
    command = ("play", "--format", "two-player", "--bot", "good=sleep 600", "--bot", "bad=/no/bot")
    assert together(tmp_path, {"it": command})["it"].code == 1


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "an unknown format": (("--format", "chess", "--bot", "GOOD"), "unknown format 'chess'"),
    "no sample bot": (("--format", "summer", "--bot", "deep-blue"), "no sample bot 'deep-blue'"),
    "twice": (("--format", "summer", "--bot", "GOOD", "--bot", "GOOD"), "good is named twice"),
    "no command": (("--format", "summer", "--bot", "bad="), "bad= has no command"),
    "too many seats": (
        ("--format", "summer", "--bot", "GOOD", "--seats", "9"),
        "with 3 to 5 seats",
    ),
    "a bad name": (
        ("--format", "summer", "--bot", "a b=true"),
        "name 'a b' is invalid: use up to 40",
    ),
    "a name of the house": (
        ("--format", "summer", "--bot", "house-x=true"),
        "names with house- in front are the server's own",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_start_nothing(tmp_path: Path, case: str) -> None:
    options, words = WRONG[case]
    good = _bot(tmp_path, "good")
    given = [good if option == "GOOD" else option for option in options]
    assert words in call("play", *given).refused()
    assert not list(tmp_path.glob("*.pid"))


STUBBORN = """
import os, pathlib, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path("stubborn.pid").write_text(str(os.getpid()))
time.sleep(600)
"""


def _is_written(path: Path) -> bool:
    return bool(path.read_text())


def test_ctrl_c_takes_the_bots_along(tmp_path: Path) -> None:
    """Also the one that never connects and does not listen to SIGTERM."""
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    with Process(
        tmp_path / "log",
        *(PYTHON, "-m", "paddock_server", "play", "--format", "two-player", "--games", "9999"),
        *("--bot", _bot(tmp_path, "good"), "--bot", f"stubborn={PYTHON} stubborn.py"),
        *("--records", "r.jsonl", *CALM),
    ) as playing:
        until("both have come", lambda: [*map(_is_written, tmp_path.glob("*.pid"))] == [True] * 2)
        playing.signal(signal.SIGINT)
        assert playing.wait() == 130
        assert playing.said().strip() == (
            "stopped after 0 of 9,999 matches; with --db FILE a run can be resumed"
        )
    for path in (tmp_path / "good.pid", tmp_path / "stubborn.pid"):
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.read_text()), 0)
    assert not (tmp_path / "r.jsonl").exists()
