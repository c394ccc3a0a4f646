"""`paddock rules serve --socket`: bots on one machine, each with states of its own."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paddock_server.searching.requests import MOST_BYTES
from tests.cli.command import start
from tests.server.process import until

START = (sys.executable, "-m", "paddock_server", "rules", "serve", "--socket")
STARTED = {"format": "summer", "seats": [1, 2, 3]}


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return path.exists() and probe.connect_ex(str(path)) == 0


@contextmanager
def _serving(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([*START, str(path)], stderr=subprocess.PIPE) as process:
        until("the socket", lambda: process.poll() is not None or _listens(path))
        try:
            yield process
        finally:
            process.kill()


class _Line:
    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        self._socket.connect(str(path))
        self._file = self._socket.makefile("rb")

    def ask(self, line: bytes) -> dict[str, Any]:
        self._socket.sendall(line + b"\n")
        answer: dict[str, Any] = json.loads(self._file.readline())
        return answer

    def close(self) -> None:
        self._file.close()
        self._socket.close()


def test_every_connection_has_its_own_matches(tmp_path: Path) -> None:
    path = tmp_path / "rules"
    with _serving(path) as process:
        assert path.stat().st_mode & 0o777 == 0o600
        one, two = _Line(path), _Line(path)
        request = {"id": 1, "do": "match", "match": "m", "started": STARTED}
        assert one.ask(json.dumps(request).encode()) == {"id": 1, "match": "m"}
        legal = json.dumps({"do": "legal", "of": [{"match": "m", "view": {}}]}).encode()
        assert one.ask(legal)["error"]["where"] == "of[0].view"
        assert two.ask(legal)["error"]["where"] == "of[0].match"
        assert "at most" in two.ask(b"x" * (2 * MOST_BYTES + 7))["error"]["sentence"]
        assert two.ask(b'{"do":"forget"}') == {"id": None, "forgotten": 0}
        second = start("rules", "serve", "--socket", path)
        assert (second.code, "is in use by another process" in second.err) == (2, True)
        one.close()
        two.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert not path.exists()


def test_a_socket_that_was_left_behind_and_a_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "rules"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    with _serving(path):
        line = _Line(path)
        assert line.ask(b'{"do":"forget"}')["forgotten"] == 0
        line.close()
    file = tmp_path / "file"
    file.write_text("mine")
    refused = start("rules", "serve", "--socket", file)
    assert refused.code == 2
    assert "is no socket" in refused.err
    assert file.read_text() == "mine"
