"""The compiled rules do what the plain ones do: the same records, the same errors, the same values.

`make compiled` runs all of tests/games over them; here is what takes seconds once they are built.
"""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

from compiling import compile_rules
from paddock_games import FORMATS
from tests.tools import needs

ROOT = Path(__file__).parents[2]
TESTS = (
    "test_rules_in_use", "test_contract", "test_golden", "test_bad_input",
    "test_dino_twist_choices",
)  # fmt: skip
SOME = "not test_contract or winter-4 or two-player-series-2 or dino-twist-3 or small-2"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The environment of a process that has the compiled rules."""
    needs("cc", "on Debian: apt-get install gcc libc6-dev")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        pytest.skip("needs Python.h: on Debian: apt-get install python3-dev")
    folder = tmp_path_factory.mktemp("compiled")
    compile_rules(folder)
    return {**os.environ, "PYTHONPATH": str(folder), "PADDOCK_TEST_COMPILED": "1"}


def _python(*arguments: object, env: Mapping[str, str] = os.environ, cwd: Path = ROOT) -> str:
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_tests_of_the_rules_hold(compiled: Mapping[str, str]) -> None:
    paths = [f"tests/games/{name}.py" for name in TESTS]
    _python("-m", "pytest", "-p", "no:cacheprovider", "-k", SOME, *paths, env=compiled)


def test_processes_write_the_same_records(compiled: Mapping[str, str], tmp_path: Path) -> None:
    """Random, greedy and careful players in every format, in processes of their own."""
    command = ["-m", "paddock_server", "simulate", "--games", 8, "--seed", 5, "--jobs", 2,
               "--bots", "random,greedy,careful", "--records"]  # fmt: skip
    formats = [word for form in FORMATS for word in ("--format", form)]
    _python(*command, "plain", *formats, cwd=tmp_path)
    _python(*command, "compiled", *formats, cwd=tmp_path, env=compiled)
    assert (tmp_path / "plain").read_bytes() == (tmp_path / "compiled").read_bytes()
    _python("-m", "paddock_server", "verify", "plain", cwd=tmp_path, env=compiled)


def test_paddock_says_which_rules_it_has(compiled: Mapping[str, str]) -> None:
    asked = ("-m", "paddock_server", "--version")
    assert _python(*asked).endswith(", plain rules\n")
    assert _python(*asked, env=compiled).endswith(", compiled rules\n")
