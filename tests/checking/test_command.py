"""`paddock check-bot` as its users meet it."""

import json
import re
import sys
from pathlib import Path

from paddock_games import FORMATS
from paddock_server.checking.check import POINTS
from tests.cli.command import Outcome, start

BOTS = Path(__file__).with_name("bots.py")
WITH_WINTER = [*POINTS[:2], "format winter", *POINTS[2:]]


def _check(*arguments: object) -> Outcome:
    return start("check-bot", *arguments)


def test_a_good_bot_passes_everything() -> None:
    outcome = _check("--", sys.executable, "-m", "paddock.bots.greedy")
    assert outcome.code == 0, outcome
    assert outcome.err == ""
    lines = outcome.out.splitlines()
    assert lines[0].startswith("checking ")
    assert lines[0].endswith("-m paddock.bots.greedy")
    assert re.fullmatch(
        rf"{len(POINTS) + len(FORMATS)} points: \d+ passed, 0 failed, 0 skipped(, 1 not used)?",
        lines[-1],
    )
    assert sum(line.startswith("passed   format ") for line in lines) == len(FORMATS)


def test_json() -> None:
    sample = (sys.executable, "-m", "paddock.bots.random")
    points = ("tight time", "two-step nonce", "goodbye")
    chosen = [word for point in points for word in ("--point", point)]
    outcome = _check("--json", "--format", "winter", *chosen, "--", *sample)
    assert outcome.code == 0, outcome
    found = json.loads(outcome.out)
    assert [each["point"] for each in found] == ["hello", *points]
    for each in found:
        assert set(each) == {"point", "outcome", "passed", "sentence", "exchange", "output"}
        assert each["exchange"] == []
        assert (each["outcome"], each["passed"]) in {("passed", True), ("not used", None)}


def test_a_format_that_the_bot_does_not_play() -> None:
    outcome = _check("--json", "--format", "winter", "--", sys.executable, BOTS, "Good")
    assert outcome.code == 1, outcome
    found = {each["point"]: each for each in json.loads(outcome.out)}
    assert list(found) == WITH_WINTER
    assert found["format winter"]["sentence"] == "it does not say that it plays winter"
    assert found["tight time"]["passed"] is None
    assert found["goodbye"]["passed"] is True


def test_a_failure_is_shown_with_the_exchange_and_the_output() -> None:
    outcome = _check("--patience", 5, "--", sys.executable, BOTS, "Exits")
    assert outcome.code == 1, outcome
    assert "failed   hello " in outcome.out
    assert "the last output of the bot:\n    I can't find my configuration\n" in outcome.out
    assert outcome.out.endswith(
        f"{len(POINTS)} points: 0 passed, 1 failed, {len(POINTS) - 1} skipped\n"
    )


def test_one_point_alone() -> None:
    sample = (sys.executable, "-m", "paddock.bots.random")
    outcome = _check("--point", "changed ask", "--point", "ping", "--", *sample)
    assert outcome.code == 0, outcome
    assert [line.split("  ")[0] for line in outcome.out.splitlines()[1:4]] == ["passed"] * 3
    assert outcome.out.endswith("3 points: 3 passed, 0 failed, 0 skipped\n")


BROKEN = """
from paddock import Bot, run

class Broken(Bot):
    def choose(self, ask):
        return 1 / 0

run(Broken())
"""


def test_a_bot_that_raises_fails_and_its_traceback_is_shown(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text(BROKEN)
    outcome = _check("--format", "winter", "--", sys.executable, bot)
    assert outcome.code == 1, outcome
    assert "failed   format winter " in outcome.out
    assert "Traceback (most recent call last):" in outcome.out
    assert 'broken.py", line 6, in choose' in outcome.out
    assert "\n    ZeroDivisionError: division by zero\n" in outcome.out


def test_bad_usage_is_one_sentence() -> None:
    assert "Missing argument" in _check().refused()
    assert "unknown format 'spring'" in _check("--format", "spring", "--", "true").refused()
    assert "program '/nowhere/bot' not found" in _check("--", "/nowhere/bot").refused()
    assert "Invalid value for '--point'" in _check("--point", "luck", "--", "true").refused()
    assert "Invalid value for '--patience'" in _check("--patience", 0, "--", "true").refused()
