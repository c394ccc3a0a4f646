"""Simulated worlds keep every promise, can be repeated, and the audit notices a broken promise."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def simulated(*options: str) -> "subprocess.CompletedProcess[str]":
    """The run of simulated worlds, in a process of its own: time and secrets are replaced in it."""
    command = [sys.executable, "-m", "tests.simulation", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_whatever_happens_every_promise_is_kept() -> None:
    run = simulated("--seeds", "1-6")
    assert run.returncode == 0, run.stdout + run.stderr
    assert len(re.findall(r"^seed \d+: \d\d+ matches .*: ok$", run.stdout, re.MULTILINE)) == 6


def test_a_seed_gives_the_same_world_again() -> None:
    once, again = simulated("--seeds", "7"), simulated("--seeds", "7")
    assert once.stdout.splitlines()[0] == again.stdout.splitlines()[0]
    assert "digest" in once.stdout


def test_a_disk_that_loses_what_it_said_was_synced_is_noticed() -> None:
    run = simulated("--seeds", "9-16", "--power-cuts", "4", "--lying-disk")
    assert run.returncode == 1, run.stdout + run.stderr
    assert re.search("heard .*(which is not stored|than was stored)", run.stdout)
