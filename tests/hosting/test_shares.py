"""The share of a core in a match: told by a real runner, heard by bots, kept in the record."""

import os
import re
from functools import partial
from pathlib import Path

import pytest

from paddock_server.jails.means import find_means
from tests.cli.command import call
from tests.hosting.stage import Stage
from tests.server.process import until
from tests.submissions.arena import arena, is_clean, over, start
from tests.submissions.arena import call as asked

TELLS = """from paddock import run_from_command_line
from paddock.bots.random import RandomBot
import sys
class Tells(RandomBot):
    def choose(self, ask):
        print("told", *(f"{each.bot}={each.cpu_share}" for each in ask.match.seats), flush=True)
        return super().choose(ask)
sys.argv[1:] = []
run_from_command_line(Tells())
"""
LINES = """import json, sys
print(json.dumps({"type": "ready"}), flush=True)
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "started":
        print("told", *(f"{each['bot']}={each.get('cpu_share')}" for each in said["seats"]),
              file=sys.stderr, flush=True)
    if said["type"] == "ask":
        print(json.dumps({"ask": said["ask"], "number": 0}), flush=True)
"""


def test_bots_on_too_few_cores_are_told_their_share_and_so_is_the_record(tmp_path: Path) -> None:
    if "cpu" not in find_means().controllers.found:
        pytest.skip("needs the cgroup controller cpu; see paddock runner doctor")
    core = min(os.sched_getaffinity(0))
    with arena(tmp_path / "server") as server:
        stage = Stage(server, tmp_path)
        with stage.accepting():
            stage.hand_in("tells", TELLS)
            stage.hand_in("reads", LINES, more='speaks = "lines"\n')
        with stage.runner("real", "--cores", str(core), "--slots", "3"):
            (hosted,) = over(server, start(server, "tells", "reads"))
            for bot in ("tells", "reads"):
                told = until("it is told", partial(_told, stage, bot))
                assert set(told.split()) == {"tells=0.333", "reads=0.333"}
            (mixed,) = over(server, start(server, "tells", "house-greedy"))
            records = tmp_path / "records.jsonl"
            exported = asked(server, "export", "--output", records)
            assert exported.code == 0, exported
    for match, shares in (
        (hosted, {"tells": 0.333, "reads": 0.333}),
        (mixed, {"tells": 0.333, "house-greedy": None}),
    ):
        assert is_clean(match), match["results"]
        seats = match["record"]["seats"]
        assert {seat["bot"]: seat.get("cpu_share") for seat in seats} == shares
    assert records.read_text().count('"cpu_share":0.333') == 3
    verified = call("verify", records)
    assert verified.code == 0, verified


def _told(stage: Stage, bot: str) -> str:
    """What a bot said first that it was told; empty: nothing yet."""
    found = re.search("told (.*)", stage.log_of(bot))
    return found[1] if found else ""
