"""A short chaos run on every kind of database; `make chaos` is the long one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.places import PLACES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", PLACES)
def test_whatever_is_done_to_it_nothing_is_lost_and_nobody_is_blamed(
    tmp_path: Path, kind: str
) -> None:
    options = ("--minutes", "0.3", "--seed", "7", "--db", kind, "--keep", str(tmp_path))
    run = subprocess.run(
        [sys.executable, "-m", "tests.chaos", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    log = tmp_path / kind / "server.log"
    assert run.returncode == 0, run.stdout + run.stderr + log.read_text(errors="replace")[-4000:]
    assert run.stdout.startswith(f"{kind}, seed 7: ")
    assert run.stdout.rstrip().endswith(": ok")
