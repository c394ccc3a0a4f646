"""A short chaos run on every kind of database; `make chaos` is the long one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.places import PLACES
from tests.tools import needs

ROOT = Path(__file__).parents[2]


def _run(folder: Path, kind: str, *options: str) -> str:
    """What a run said that ended as it should."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.chaos", "--db", kind, "--keep", str(folder), *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    logs = (folder / kind).rglob("server.log")
    said = [log.read_text(errors="replace")[-4000:] for log in logs]
    assert run.returncode == 0, "\n".join((run.stdout, run.stderr, *said))
    return run.stdout.rstrip()


@pytest.mark.parametrize("kind", PLACES)
def test_whatever_is_done_to_it_nothing_is_lost_and_nobody_is_blamed(
    tmp_path: Path, kind: str
) -> None:
    said = _run(tmp_path, kind, "--minutes", "0.3", "--seed", "7")
    assert said.startswith(f"{kind}, seed 7: ")
    assert said.endswith(": ok")


def test_whatever_is_done_to_a_cluster_nothing_is_lost_and_nobody_is_blamed(
    tmp_path: Path,
) -> None:
    needs("nats-server", "on Debian: apt-get install nats-server")
    said = _run(tmp_path, "cluster", "--minutes", "0.5", "--seed", "7")
    assert said.startswith("cluster, seed 7: ")
    assert said.endswith(": ok")
