"""`paddock tournament run` and bots that can't play: seen before the first match, or while it runs.

Nobody wins a tournament because others could not be started.
"""

import json
import sys
from pathlib import Path

import pytest

from paddock_server.basics.toml_file import parse, text_of
from tests.cli.command import Outcome, call
from tests.server.process import together
from tests.server.test_play import BOT

PYTHON = sys.executable


def cup(folder: Path, *bots: str) -> str:
    """The file of a tournament with ada and bob, who are samples, and these."""
    lines = ['name = "cup"', 'schedule = "round-robin"', 'formats = ["two-player"]']
    for name in ("ada", "bob"):
        lines += ["[[bots]]", f'name = "{name}"', 'sample = "random"']
    for text in bots:
        name, _, command = text.partition("=")
        lines += ["[[bots]]", f'name = "{name}"', f"command = {json.dumps(command)}"]
    file = folder / f"{len(list(folder.iterdir()))}.toml"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def matches(folder: Path) -> int:
    listed = call("match", "list", "--db", folder / "paddock.db", "--json")
    return len(json.loads(listed.out)) if listed.code == 0 else 0


def test_a_bot_that_can_not_be_started_stops_it_before_its_first_match(tmp_path: Path) -> None:
    dies = f"cyd={PYTHON} -c \"raise SystemExit('it hurts')\""
    raises = f"cyd={PYTHON} -c 1/0"
    cases = {
        cup(
            tmp_path, "cyd=/no/such/bot --fast"
        ): "paddock: cyd can't be started: program '/no/such/bot' not found",
        cup(tmp_path, dies): "paddock: cyd ended with 1 before it connected",
        cup(tmp_path, raises): "cyd wrote a traceback:",
    }
    outcomes = together(tmp_path, {file: ("tournament", "run", file) for file in cases})
    for number, (file, words) in enumerate(cases.items()):
        outcome = outcomes[file]
        assert (outcome.code, outcome.out) == (1, ""), outcome
        assert outcome.err.startswith(words), outcome
        assert "begins" not in outcome.err
        assert matches(tmp_path / str(number)) == 0
    dead, raised = (outcomes[file].err for file in list(cases)[1:])
    assert "\n  it hurts\n" in dead
    assert raised.count("ZeroDivisionError: division by zero") == 1


def test_it_is_played_without_those_who_are_missing_where_that_is_wanted(tmp_path: Path) -> None:
    missing = cup(tmp_path, "cyd=/no/such/bot", f"dan={PYTHON} -c pass")
    alone = tmp_path / "alone.toml"
    alone.write_text(Path(missing).read_text().replace('sample = "random"', 'command = "/no"'))
    run = ("tournament", "run", "--without-missing", "--json")
    outcomes = together(tmp_path, {"two": (*run, missing), "none": (*run, str(alone))})
    two = outcomes["two"]
    assert two.code == 0, two
    told = json.loads(two.out)
    assert {line["bot"]: line["declared"] for line in told["standings"]} == {"ada": 0, "bob": 0}
    assert told["over"] == told["planned"] == 2
    for name in ("cyd", "dan"):
        assert f"{name} is left out of cup" in two.err
    again = _again(tmp_path / "0", *run, missing)
    assert json.loads(again.out)["standings"] == told["standings"]
    none = outcomes["none"]
    assert none.code == 2
    assert "without ada, bob, cyd, dan" in none.err
    assert "Traceback" not in none.err


def _again(folder: Path, *command: str) -> Outcome:
    outcome = call(*command, "--db", folder / "paddock.db")
    assert outcome.code == 0, outcome
    return outcome


def test_a_done_tournament_is_shown_though_a_bot_is_gone(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(do="1 / 0"))
    program = tmp_path / "cyd"
    program.write_text(f"#!/bin/sh\nexec {PYTHON} {bot}\n")
    program.chmod(0o755)
    file = cup(tmp_path, f"cyd={program}")
    run = ("tournament", "run", file, "--logs", str(tmp_path / "logs"))
    outcome = together(tmp_path, {"it": run})["it"]
    assert outcome.code == 0, outcome
    assert outcome.err.count("cyd wrote a traceback:\n  Traceback (most recent call last):") == 1
    log = tmp_path / "logs" / "cyd.log"
    assert f"its output is in {log}; to check it: paddock check-bot -- {program}" in outcome.err
    assert log.read_text().count("ZeroDivisionError") > 1
    program.unlink()
    assert "cup is done: 6 of 6 matches are over" in _again(tmp_path / "0", *run[:3]).err


@pytest.mark.parametrize(
    "given",
    [
        {"name": 'a "quoted" \\ name', "bots": ["x", {"name": "y", "command": "sh -c 'é\t'"}]},
        {"rated": True, "patience_seconds": 0.5, "rounds": 3, "rules": {"a b": [1, [False]]}},
    ],
)
def test_what_is_sent_reads_as_what_was_meant(given: dict[str, object]) -> None:
    assert parse("it", text_of(given)) == given
