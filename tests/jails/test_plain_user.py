"""Jails of a plain user, without root, control groups or uids to give away."""

import json
import os
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import paddock_server

HERE = Path(__file__).parent
SERVER = Path(paddock_server.__file__).parent
PLAIN_UID = 54_321


def _python() -> str:
    """A Python that everybody may run."""
    for candidate in (sys.executable, "/usr/bin/python3"):
        real = Path(candidate).resolve()
        if real.exists() and all(each.stat().st_mode & 0o001 for each in real.parents):
            return candidate
    pytest.skip("needs a Python that every user may run: apt-get install python3")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A copy of the jails where everybody may read it."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        rooms = place / "paddock_server"
        rooms.mkdir()
        shutil.copy(SERVER / "__init__.py", rooms)
        for room in ("basics", "jails", "programs"):
            shutil.copytree(SERVER / room, rooms / room)
        for file in ("attacks.py", "plain_user.py"):
            shutil.copy(HERE / file, place)
        yield place


def _tried(folder: Path, *attack: str) -> Any:
    become = []
    if os.geteuid() == 0:
        ids = ["--reuid", str(PLAIN_UID), "--regid", str(PLAIN_UID), "--clear-groups"]
        become = ["setpriv", *ids]
    done = subprocess.run(
        [*become, _python(), str(folder / "plain_user.py"), *attack],
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"},
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return [json.loads(said.splitlines()[-1]) for said in told["said"]]


def test_one_jail_takes_no_processes_from_another(folder: Path) -> None:
    """Trap 5: RLIMIT_NPROC counts a uid over all jails, unless each counts in its namespace."""
    for made in _tried(folder, "fork_bomb"):
        assert 20 <= made <= 30


@pytest.mark.parametrize("attack", ["inodes", "write"])
def test_files_are_limited_for_a_plain_user_too(folder: Path, attack: str) -> None:
    for found in _tried(folder, attack):
        if attack == "inodes":
            assert 250 <= found <= 316
        else:
            assert found == ["/tmp", "/dev/shm"]  # noqa: S108


class _Greeting(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.request.sendall(b"well met")


def test_a_socket_is_forwarded_for_a_plain_user_too(folder: Path) -> None:
    path = folder / "socket"
    with socketserver.ThreadingUnixStreamServer(str(path), _Greeting) as server:
        path.chmod(0o666)
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            assert _tried(folder, "forwarded", str(path)) == ["well met", "well met"]
            assert _tried(folder, "forwarded") == ["refused", "refused"]
        finally:
            server.shutdown()
            serving.join()
