"""Tests that only a strict machine can run: all controllers of cgroup v2, and groups of our own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from paddock_server.jails.doctor import examine
from paddock_server.jails.means import find_means

KINDS = ("memory", "pids", "cpu", "cpuset")


@pytest.fixture
def delegated() -> Iterator[Path]:
    """A group of cgroup v2 that is marked as systemd marks it, beside those of jails."""
    found = find_means().controllers.found
    assert all(found[kind].version == 2 for kind in KINDS)
    examine()  # makes a jail, and so lets groups have controllers
    group = found["memory"].folder / f"service-{os.getpid()}"
    group.mkdir()
    os.setxattr(group, "trusted.delegate", b"1")
    yield group
    for each in (*group.glob("*/"), group):
        with suppress(OSError):
            each.rmdir()


def test_who_begins_after_all_were_moved_aside_makes_jails_too(delegated: Path) -> None:
    doctor = f"{sys.executable} -m paddock_server runner doctor"
    script = f"echo $$ > {delegated}/cgroup.procs; {doctor} && cat /proc/self/cgroup && {doctor}"
    done = subprocess.run(["/bin/sh", "-c", script], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"/{delegated.name}/paddock-itself" in done.stdout
    assert done.stdout.count("cgroup v2 memory") == 2
