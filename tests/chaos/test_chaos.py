"""A short chaos run on every kind of database; `make chaos` is the long one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.ledger import Ledger
from tests.chaos.places import PLACES
from tests.store.ladder import Played, add, finish
from tests.store.opened import opened
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


def test_a_server_that_loses_what_it_acknowledged_is_found_out(tmp_path: Path) -> None:
    said = _run(tmp_path, "sqlite", "--minutes", "0.3", "--seed", "7", "--without", "storing")
    assert re.search(r"match \S+ was acknowledged and is not stored", said)


def test_the_ledger_misses_what_is_not_stored_as_it_was_told(tmp_path: Path) -> None:
    with opened(tmp_path / "paddock.db") as database:
        match = Played(("ada", "bob"), (1, 2), ("1", "1"))
        finish(database, add(database, match, "FINISHED"), match)
        add(database, match, "WAITING")
        add(database, match, "TRIAL", trial=True)
        ledger = Ledger()
        ledger.acknowledged = {"FINISHED"}
        ledger.unsure = 1
        ledger.hear("ada", "12:00:01 match ended: FINISHED, rank 1\n")
        assert list(ledger.problems(database)) == []
        ledger.unsure = 0
        ledger.hear("bob", "match ended: FINISHED, rank 1\nmatch ended: GONE, rank 2\n")
        assert list(ledger.problems(database)) == [
            "1 matches were not acknowledged, at most 0 can be",
            "bob was told rank 1 in FINISHED, stored is [2]",
            "bob was told rank 2 in GONE, stored is []",
        ]
        ledger = Ledger()
        ledger.acknowledged = {"FINISHED", "WAITING", "MISSING"}
        assert list(ledger.problems(database)) == [
            "match MISSING was acknowledged and is not stored",
            "match WAITING was acknowledged and is waiting",
        ]


def test_whatever_is_done_to_a_cluster_nothing_is_lost_and_nobody_is_blamed(
    tmp_path: Path,
) -> None:
    needs("nats-server", "on Debian: apt-get install nats-server")
    said = _run(tmp_path, "cluster", "--minutes", "0.5", "--seed", "7")
    assert said.startswith("cluster, seed 7: ")
    assert said.endswith(": ok")
