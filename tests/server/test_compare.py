"""`paddock compare`: the verdict, the exit code, and what is refused."""

import json
import sys
from pathlib import Path
from typing import Any

from tests.server.process import together

GREEDY = f"{sys.executable} -m paddock.bots.greedy"
RANDOM = f"{sys.executable} -m paddock.bots.random"
TIRED = """
from collections import Counter
from paddock import run_from_command_line
from paddock.bots.greedy import GreedyBot
from paddock.outbox import Outbox
from paddock.v1.arena_pb2 import BotItem, Resign

put, outboxes, decisions = Outbox.put, [], Counter()

def kept(outbox, item):
    outboxes[:] = [outbox]
    put(outbox, item)

Outbox.put = kept

class Tired(GreedyBot):
    name = "tired"

    async def choose(self, ask):  # greedy, but it resigns its first match at the last decision
        decisions[ask.match.id] += 1
        if next(iter(decisions)) == ask.match.id and decisions[ask.match.id] == 12:
            put(outboxes[0], BotItem(resign=Resign(match_id=ask.match.id)))
        return super().choose(ask)

run_from_command_line(Tired())
"""


def test_the_verdict_is_the_exit_code(tmp_path: Path) -> None:
    duel = ("--format", "two-player", "--json")
    outcomes = together(
        tmp_path,
        {
            "better": ("compare", "greedy", "random", *duel),
            "not better": ("compare", "random", "greedy", *duel),
            "open": ("compare", "greedy", f"same={GREEDY}", *duel, "--blocks", "3"),
            "dice": ("compare", "random", f"same={RANDOM}", *duel, "--blocks", "3"),
            "with a field": (
                "compare", "greedy", "random", "--field", f"a={GREEDY},b={GREEDY}",
                "--format", "summer", "--json",
            ),
        },
    )  # fmt: skip
    told: dict[str, Any] = {case: json.loads(done.out) for case, done in outcomes.items()}
    codes = {case: done.code for case, done in outcomes.items()}
    assert codes == {"better": 0, "not better": 1, "open": 3, "dice": 3, "with a field": 0}
    assert told["better"]["decision"] == told["with a field"]["decision"] == "accepted"
    assert told["not better"]["decision"] == "rejected"
    assert told["better"]["better"] >= told["better"]["accepted_at"]
    assert told["not better"]["short"] >= told["not better"]["rejected_at"]
    assert told["better"]["forfeits"] == {"new": 0, "old": 0}
    low, high = told["better"]["interval"]
    assert low < told["better"]["difference"] < high
    assert told["open"]["blocks"] == 3
    assert told["open"]["matches"] == 6
    assert told["open"]["difference"] == 0.0  # the same bot on the same deals does the same
    assert told["dice"]["difference"] == 0.0  # the same dice, too
    # Three seats: six matches a block, NEW's and OLD's in every seat.
    assert told["with a field"]["matches"] >= 6 * told["with a field"]["blocks"]


def test_what_was_decided_is_said_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "tired.py").write_text(TIRED)
    tired = f"tired={sys.executable} {tmp_path / 'tired.py'}"
    duel = ("--format", "two-player")
    outcomes = together(
        tmp_path,
        {
            "better": ("compare", "greedy", "random", *duel, "--alpha", "0.02"),
            "not better": (
                "compare", "random", "greedy", *duel, "--effect", "0.3", "--beta", "0.1",
            ),
            "open": ("compare", "greedy", f"same={GREEDY}", *duel, "--blocks", "1"),
            "forfeits": ("compare", tired, "random", *duel),
            "forfeits as JSON": ("compare", tired, "random", *duel, "--json"),
        },
    )  # fmt: skip
    sentences = {
        "better": (
            "greedy is better than random. Of versions that are no better, about 2.0% get this "
            "verdict."
        ),
        "not better": (
            "random is not better than greedy by 0.3 standard deviations of a block; it may be a "
            "little better, equal or worse. Of versions that are better by that much, about 10.0% "
            "get this verdict."
        ),
        "open": "Not decided after 1 block. Play more with --blocks.",
        "forfeits": (
            "tired has more points than random, but forfeited 1 match (random: 0). Fix that "
            "first: paddock check-bot -- COMMAND"
        ),
    }
    for case, sentence in sentences.items():
        assert outcomes[case].out.splitlines()[-1] == sentence, outcomes[case]
    told = json.loads(outcomes["forfeits as JSON"].out)
    assert (told["decision"], told["forfeits"]) == ("forfeits", {"new": 1, "old": 0})
    assert told["better"] >= told["accepted_at"]
    codes = {case: outcome.code for case, outcome in outcomes.items()}
    assert codes == {
        "better": 0, "not better": 1, "open": 3, "forfeits": 1, "forfeits as JSON": 1,
    }  # fmt: skip


def test_what_can_not_be_compared_is_refused(tmp_path: Path) -> None:
    cases = {
        (
            "greedy",
            "greedy",
            "--format",
            "two-player",
        ): "OLD: greedy is named twice; give this one another name: two=sample:greedy",
        ("greedy", "best", "--format", "two-player"): "OLD: no sample bot 'best'",
        ("greedy", "random", "--format", "summer", "--field", "best"): "--field: no sample bot",
        ("a b=true", "random", "--format", "two-player"): "NEW: name 'a b' is invalid",
        ("greedy", "random", "--format", "summer", "--seats", "4"): "--field: summer with 4 seats",
        ("greedy", "random", "--format", "chess"): "unknown format 'chess'",
        ("greedy", "random", "--format", "two-player", "--alpha", "2"): "--alpha",
        ("greedy", "no=/nowhere/at/all", "--format", "two-player"): "no can't be started",
    }
    commands = {str(number): ("compare", *case) for number, case in enumerate(cases)}
    outcomes = together(tmp_path, commands)
    for (number, outcome), words in zip(outcomes.items(), cases.values(), strict=True):
        assert words in outcome.err, (number, outcome)
        assert outcome.code in (2, 4)
        assert "Traceback" not in outcome.err


def test_a_bot_that_dies_is_named_with_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text("raise SystemExit('it hurts')")
    dies = f"dies={sys.executable} {tmp_path / 'dies.py'}"
    command = ("compare", "greedy", dies, "--format", "two-player")
    outcome = together(tmp_path, {"it": command})["it"]
    assert outcome.code == 4
    assert "dies ended with 1 before it connected" in outcome.err
    assert "it hurts" in outcome.err
