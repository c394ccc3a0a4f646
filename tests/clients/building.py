"""Builds of the SDKs: each is built once in a run of the suite, whoever needs it first."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.clients.languages import LANGUAGES, Language
from tests.tools import needs, needs_all

_SECONDS: Final = 1200  # nothing is measured by it: it only keeps a broken build from hanging
_FETCHED: Final = {  # what npm has fetched before is taken as it is, and nothing is asked about it
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_prefer_offline": "true",
}
SHARED: Final = {
    **_FETCHED,
    "CARGO_BUILD_BUILD_DIR": str(LANGUAGES["rust"].program("target")),  # since cargo 1.91
    "CMAKE_BUILD_TYPE": "None",  # not optimised: that is compiled and checked in clients/cpp
    "GOFLAGS": "-trimpath",  # as in clients/go/Makefile: else Go compiles anew for every folder
}
"""The environment of builds in other folders, which repeats nothing that a build has done."""


def make(language: Language, target: str) -> str:
    """What `make` said when it made a target of an SDK; raises AssertionError where it failed."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    done = subprocess.run(
        [
            needs("make", "on Debian: apt-get install make"),
            "-C",
            str(language.folder),
            target,
            f"PYTHON={sys.executable}",
        ],
        env={**environment, **_FETCHED},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_SECONDS,
        text=True,
        check=False,
    )
    command = f"make -C clients/{language.name} {target}"
    assert done.returncode == 0, f"{command} failed:\n{done.stdout[-6000:]}"
    return done.stdout


class Builder:
    """Builds SDKs for all workers of a run; `shared` is a folder that they have in common."""

    def __init__(self, shared: Path) -> None:
        self._shared = shared

    def build(self, language: Language) -> Language:
        """The SDK with all its programs; the test is skipped where a tool is missing or too old."""
        needs_all(language.tools)
        with self.alone(f"build-{language.name}") as done:
            if not done.exists():
                done.write_text("failed")
                make(language, "build")
                done.write_text("built")
            assert done.read_text() == "built", f"the build of clients/{language.name} failed"
        return language

    @contextmanager
    def alone(self, name: str) -> Iterator[Path]:
        """A file to write what was made, while no other worker makes it."""
        with (self._shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield self._shared / name
