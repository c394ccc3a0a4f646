"""Where output goes: pipes that end early, streams that are closed, folders that are missing."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import call

PADDOCK = (sys.executable, "-m", "paddock_server")
SIMULATE = ("simulate", "--format", "two-player", "--games", "1", "--seed", "1")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("records") / "matches.jsonl"
    assert call(*SIMULATE, "--games", "40", "--records", file).code == 0
    return file


@pytest.mark.parametrize("what", ["pictures", "json"])
def test_a_reader_who_has_seen_enough_is_no_failure(records: Path, what: str) -> None:
    commands = {
        "pictures": ("show", str(records), "--match", "1"),
        "json": ("simulate", "--games", "9", "--json", *SIMULATE[1:3]),
    }
    command = (*PADDOCK, *commands[what])
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # before the first line, as the worst of all `| head`
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("closed", ["1", "2"])
def test_a_closed_stream_is_no_failure(records: Path, closed: str) -> None:
    shell = f'exec "$@" {closed}>&-'
    done = subprocess.run(
        ["/bin/sh", "-c", shell, "sh", *PADDOCK, "verify", str(records)],
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_missing_folder_is_named_as_it_was_given(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "matches.jsonl"
    sentence = call(*SIMULATE, "--records", file).refused()
    assert f"{file}: folder {file.parent} not found; create it first" in sentence


def test_one_match_is_one_match_and_what_is_unknown_is_left_empty(tmp_path: Path) -> None:
    outcome = call(*SIMULATE, "--records", tmp_path / "one.jsonl")
    assert "two-player: 1 match of 2" in outcome.out
    assert "the record of 1 match is in" in outcome.out
    assert "nan" not in outcome.out
