"""Bots that are built and play in a root that the operator names."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from paddock_server.hosting.preparing import Prepared
from paddock_server.jails.roots import read_root
from paddock_server.jails.toolchains import find_toolchains
from tests.hosting.handed_in import Outcome, handed_in, make
from tests.jails.tiny_root import busybox_root, tiny_root

BOT = r"""
[ "$(cat /etc/release)" = tiny ] || exit 9
while read -r line; do case $line in *'"type":"ask"'*) echo 0;; esac; done
"""
BUILD = "set -e; cat /etc/release; cp plan.sh bot.sh"


def _bot(tmp_path: Path, **manifest: object) -> Path:
    return make(
        tmp_path / "bot", {"build.sh": BUILD, "plan.sh": BOT},
        build=["sh", "build.sh"], run=["sh", "bot.sh"], speaks="lines", formats=["summer"],
        **manifest,
    )  # fmt: skip


def _in(root: Path, tmp_path: Path, **manifest: object) -> Outcome:
    roots = find_toolchains([read_root(f"tiny:Awk={root}")])[:1]
    return handed_in(_bot(tmp_path, **manifest), tmp_path / "work", roots=roots)


@pytest.mark.parametrize("manifest", [{"toolchain": "tiny"}, {"language": "Awk"}])
def test_a_bot_is_built_and_plays_in_the_root_that_it_asks_for(
    tmp_path: Path, manifest: dict[str, str]
) -> None:
    root = tiny_root(tmp_path / "tiny", "sh", "cp", "chmod", "tar", "gzip", "cat")
    outcome = _in(root, tmp_path, **manifest)
    assert isinstance(outcome.result, Prepared), outcome.result
    certificate = outcome.result.certificate
    assert outcome.words == "tiny\n"
    assert certificate.toolchain == "tiny"
    assert len(certificate.toolchain_sha256) == 64
    assert not certificate.mirror


def test_a_small_image_is_enough(tmp_path: Path) -> None:
    outcome = _in(busybox_root(tmp_path / "tiny"), tmp_path, toolchain="tiny")
    assert isinstance(outcome.result, Prepared), outcome.result


def test_a_root_is_for_those_who_ask_for_it(tmp_path: Path) -> None:
    root = tiny_root(tmp_path / "tiny", "sh", "cp", "chmod", "tar", "gzip", "cat")
    outcome = _in(root, tmp_path, language="Perl")
    assert "the build ended with exit code 1" in outcome.rejected.sentence  # it has no such file
    assert "/etc/release" in outcome.rejected.sentence


def _paddock(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "paddock_server", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command", [["runner"], ["runner", "doctor"], ["serve", "--runner"], ["submission", "check"]]
)
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--toolchain=go"], "'--toolchain': 'go' is not NAME:LANGUAGE=ROOT, such as go-1.24:Go="),
        (["--toolchain=a:A=/usr", "--toolchain=a:A=/usr"], "two toolchains are called a; give"),
        (["--mirror=/none"], "'--mirror': /none: No such file or directory; start the mirror"),
    ],
)
def test_a_bad_value_is_one_sentence(command: list[str], words: list[str], sentence: str) -> None:
    more = ["."] if command[0] == "submission" else []
    done = _paddock(*command, *words, *more)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_roots_and_mirrors_are_for_a_runner() -> None:
    done = _paddock("serve", "--toolchain=a:A=/usr")
    assert done.returncode == 2
    assert "are for a runner beside the server; give --runner" in done.stderr


def test_the_doctor_looks_into_roots(tmp_path: Path) -> None:
    root = tiny_root(tmp_path / "tiny", "sh", "tar")
    said = _paddock("runner", "doctor", "--json", f"--toolchain=tiny:Awk={root}").stdout
    report = json.loads(said)
    assert report["toolchains"][0] == "tiny"
    assert report["roots"] == [
        {
            "toolchain": "tiny",
            "root": str(root),
            "sha256": find_toolchains([read_root(f"tiny:Awk={root}")])[0].sha256,
            "programs": ["sh", "tar"],
            "problem": "",
        }
    ]
    assert report["mirror"] is None
    words = _paddock("runner", "doctor", f"--toolchain=tiny:Awk={root}").stdout
    assert f"is {root}: sh, tar; builds need cp, chmod, gzip, too" in words
    assert "mirror of packages: none; builds have no network" in words


def test_a_check_at_home_takes_a_root(tmp_path: Path) -> None:
    root = tiny_root(tmp_path / "tiny", "sh", "cp", "chmod", "tar", "gzip", "cat")
    folder = make(
        tmp_path / "bot", {"build.sh": "cat /etc/release; exit 7"}, toolchain="tiny",
        build=["sh", "build.sh"], run=["sh", "bot.sh"],
    )  # fmt: skip
    done = _paddock("submission", "check", folder, f"--toolchain=tiny:Awk={root}")
    assert done.returncode == 1
    assert "the build ended with exit code 7; it said:\ntiny" in done.stdout
