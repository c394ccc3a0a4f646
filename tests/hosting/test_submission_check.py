"""`paddock submission check`: exit codes, sentences and JSON."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.hosting.handed_in import make


def _check(*arguments: object, under: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    command = [*under, sys.executable, "-m", "paddock_server", "submission", "check"]
    return subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_a_build_that_fails_is_told(tmp_path: Path) -> None:
    script = r"echo one; printf 'main.c:1: \033[31merror\033[m\n' >&2; exit 1"
    bot = make(tmp_path / "bot", {"b.sh": script}, build=["sh", "b.sh"], run=["./bot"])
    done = _check(bot)
    assert done.returncode == 1, done
    assert "building\none\n" in done.stdout
    assert (
        "rejected: submission/rejected: the build ended with exit code 1; it said:" in done.stdout
    )
    assert r"main.c:1: \x1b[31merror" in done.stdout
    assert "\x1b[31m" not in done.stdout
    as_json = json.loads(_check(bot, "--json").stdout)
    assert as_json["accepted"] is False
    assert as_json["reason"] == "submission/rejected"
    assert as_json["points"] == []


def test_a_bot_that_does_not_connect_is_told(tmp_path: Path) -> None:
    bot = make(tmp_path / "bot", {"b.sh": "echo oh no >&2; exit 3"}, run=["sh", "b.sh"])
    done = _check(bot)
    assert done.returncode == 1, done
    assert (
        "rejected: submission/rejected: hello: it did not connect; its process ended" in done.stdout
    )
    assert "    oh no\n" in done.stdout


def test_a_folder_that_can_not_be_packed_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = _check(tmp_path / "empty")
    assert done.returncode == 2
    assert "has no paddock-bot.toml; write one" in done.stderr
    bot = make(tmp_path / "bot", {}, run=["./bot"], colour=1)
    assert "unknown key 'colour'" in _check(bot).stderr
    done = _check(make(tmp_path / "other", {}, run=["./bot"], toolchain="go-9"))
    assert done.returncode == 1
    assert "rejected: toolchain/missing: there is no toolchain go-9; known are " in done.stdout


def test_what_can_not_be_kept_is_trouble_of_this_machine(tmp_path: Path) -> None:
    """A limit of what may be written to one file stands for a full disk."""
    noise = "head -c 3000000 /dev/urandom > bot"
    bot = make(tmp_path / "bot", {"b.sh": noise}, build=["sh", "b.sh"], run=["./bot"])
    done = _check(bot, under=("prlimit", "--fsize=1000000:"))
    assert done.returncode == 2, done
    assert done.stderr == "paddock: what the build leaves can't be kept: File too large\n"
